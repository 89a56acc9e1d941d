from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Optional, Union

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.archives.caught_modules import CaughtModules
from linspector_allennlp.representations.computed_embedder import ComputedEmbedder
from linspector_allennlp.representations.layer_choice import LayerSetting
from linspector_allennlp.representations.words import Words


class ModuleEmbedder(ComputedEmbedder):
    """
    The base of representations whose layers are modules of a network that runs as it is. They may have
    vectors of several sizes: in the feature store, shorter ones are followed by zeros.

    A subclass implements `identity`, with `sizes()` in it, and `open_modules`.

    # Parameters

    modules : `Union[str, Sequence[str]]`
        One, or several as layers.
    known : `Mapping[str, Any]`, optional
        What the feature store knows of vectors of this identity; without it the network is run.
    layer : `Union[int, List[int], str]`, optional (default = the last)
    alone, precision, batch_size :
        See `ComputedEmbedder`.
    """

    computes_with = ("_opened",)

    _dimensions: Optional[list[int]] = None

    def __init__(
        self,
        modules: Union[str, Sequence[str]],
        known: Optional[Mapping[str, Any]],
        layer: Optional[LayerSetting],
        alone: bool,
        precision: str,
        batch_size: int,
    ) -> None:
        self.module_names = [modules] if isinstance(modules, str) else list(modules)
        if not self.module_names or len(set(self.module_names)) < len(self.module_names):
            raise ConfigurationError(
                f"module: expected one or several, none of them twice, found {modules}."
            )
        of_store = (known or {}).get("dimensions", [(known or {}).get("dimension")])
        dimensions = list(of_store if known else self._opened.dimensions)
        if not isinstance(modules, str):
            self._dimensions = dimensions
        super().__init__(
            num_layers=len(self.module_names),
            layer_dim=max(dimensions),
            layer=-1 if layer is None else layer,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )
        self._cut = len(set(dimensions)) > 1
        if self._cut:
            if isinstance(self._choice.setting, str):
                shown = ", ".join(map("{} ({})".format, self.module_names, dimensions))
                raise ConfigurationError(
                    f'layer: "{self._choice.setting}" is for layers of one size, found {shown}. Name one of '
                    "them, or a list of them, which are put side by side."
                )
            self._dimension = sum(dimensions[number] for number in self._choice.layers)

    def sizes(self) -> dict[str, Any]:
        """What the identity says of several modules, as soon as it is known."""
        return {} if self._dimensions is None else {"dimensions": self._dimensions}

    def chosen(self) -> dict[str, Any]:
        """What the provenance says of several modules: those that were taken."""
        if self._dimensions is None:
            return {}
        setting = self._choice.setting
        taken = [self.module_names[number] for number in self._choice.layers]
        named = {} if isinstance(setting, int) else {"layer": setting}
        return {"module": ", ".join(taken), "modules": self.module_names, **named}

    def open_modules(self) -> CaughtModules:
        """The modules of the network, which is loaded now."""
        raise NotImplementedError

    @cached_property
    def _opened(self) -> CaughtModules:
        return self.open_modules()

    def compute(self, sentences: Sequence[Words]) -> torch.Tensor:
        return self._opened.layers(sentences, self.fingerprint.device)

    def _joined(self, chosen: torch.Tensor) -> torch.Tensor:
        if not self._cut or self._dimensions is None:
            return super()._joined(chosen)
        sizes = [self._dimensions[number] for number in self._choice.layers]
        parts = [vectors[:, :size] for vectors, size in zip(chosen.unbind(dim=1), sizes)]
        return torch.cat(parts, dim=1)
