from collections.abc import MutableMapping
from typing import Optional

import torch
from allennlp.common.checks import ConfigurationError


class SeededModule(torch.nn.Module):
    """
    The part of a module that keeps the seed of what is random in it: a trained probe has the seed in
    its archive, and not what is drawn from it, and has the same vectors again when it is loaded.

    A subclass calls `take_seed` in its constructor and `load_seed` in `_load_from_state_dict`; nothing
    may be derived from `_seed` before a vector is asked for.
    """

    former_seed: Optional[int] = None
    """That of archives from before it was kept; without one they cannot be loaded."""

    _seed: int
    _seed_is_given: bool

    def take_seed(self, seed: Optional[int]) -> None:
        """For the constructor of a subclass that depends on a seed: without one it is that of the run."""
        self._seed_is_given = seed is not None
        self._seed = torch.initial_seed() % 2**63 if seed is None else seed
        self.register_buffer("seed", torch.tensor(self._seed))

    def seed_was_loaded(self) -> None:
        """Forgets what was derived from another seed."""

    def load_seed(
        self, state_dict: MutableMapping[str, torch.Tensor], prefix: str, name: str
    ) -> None:
        """
        Takes the seed of a trained probe, before anything else of it is loaded.

        # Parameters

        name : `str`
            By which a config names the module, for an error.
        """
        key = prefix + "seed"
        if key not in state_dict and self.former_seed is not None:
            former = self._seed if self._seed_is_given else self.former_seed
            state_dict[key] = torch.tensor(former)
        if key not in state_dict:
            return  # PyTorch says that it is missing
        trained_seed = int(state_dict[key])
        if self._seed_is_given and self._seed != trained_seed:
            raise ConfigurationError(
                f"{name}: this probe was trained with vectors of the seed "
                f"{trained_seed}, found seed {self._seed}. Leave the seed out."
            )
        self._seed = trained_seed
        self.seed_was_loaded()
