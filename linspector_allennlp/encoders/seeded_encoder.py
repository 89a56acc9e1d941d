from typing import Any, Optional

from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder
from linspector_allennlp.representations.seeded_module import SeededModule


class SeededEncoder(SentenceEncoder, SeededModule):
    """
    The base of encoders with random weights. These are drawn from the seed when they are first
    needed, and never in an archive, which has the seed. A subclass keeps them in cached properties,
    whose names it gives in `drawn`.

    # Parameters

    word_dim, output_dim : `int`
    seed : `int`, optional
        By default that of the run.
    """

    drawn: tuple[str, ...] = ()

    def __init__(self, word_dim: int, output_dim: int, seed: Optional[int] = None) -> None:
        super().__init__(word_dim=word_dim, output_dim=output_dim)
        self.take_seed(seed)

    def seed_was_loaded(self) -> None:
        for name in self.drawn:
            self.__dict__.pop(name, None)

    def provenance(self) -> dict[str, Any]:
        return {"dimension": self.output_dim, "seed": self._seed}

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        self.load_seed(state_dict, prefix, self.registered_name)
        super()._load_from_state_dict(state_dict, prefix, *args)
