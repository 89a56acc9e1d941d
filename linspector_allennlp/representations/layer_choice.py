from typing import Any, Union

import torch
from allennlp.common.checks import ConfigurationError

LayerSetting = Union[int, list[int], str]
WAYS = ("average", "mix")


class LayerChoice:
    """
    The layers of a model that make the vector of a word.

    # Parameters

    setting : `Union[int, List[int], str]`
        One layer; several, put side by side; `"average"` of all; or `"mix"`: all, in a weighted
        average whose weights are learned (Peters et al. 2018). Negative numbers count from
        the last layer.
    num_layers : `int`
        How many the model has, with layer 0.
    """

    def __init__(self, setting: LayerSetting, num_layers: int) -> None:
        everything = list(range(num_layers))
        if isinstance(setting, str):
            if setting not in WAYS:
                raise ConfigurationError(_complaint(setting, num_layers))
            layers = everything
        else:
            wanted = setting if isinstance(setting, list) else [setting]
            if not wanted or any(not -num_layers <= layer < num_layers for layer in wanted):
                raise ConfigurationError(_complaint(setting, num_layers))
            layers = [everything[layer] for layer in wanted]
        self.setting = setting
        self.layers = layers
        self.averages = setting == "average"
        self.mixed_layers = num_layers if setting == "mix" else 1

    def dimension(self, layer_dim: int) -> int:
        """The size of the vector of a word, before layers are mixed."""
        return layer_dim if self.averages else layer_dim * len(self.layers)

    def join(self, chosen: torch.Tensor) -> torch.Tensor:
        """The vectors of words. Shape: (num_words, num_chosen_layers, layer_dim) → (num_words, dimension)"""
        return chosen.mean(dim=1) if self.averages else chosen.flatten(start_dim=1)


def _complaint(found: Any, num_layers: int) -> str:
    return (
        f"layer: expected a number from 0 (the embedding layer) to {num_layers - 1}, a list of "
        f'such numbers, "average" or "mix", found {found!r}.'
    )
