from collections.abc import Sequence
from importlib import import_module
from typing import Any, Optional, Union

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations.archives.caught_modules import CaughtModules
from linspector_allennlp.representations.archives.torch_network import (
    ToInputs,
    TorchNetwork,
    network_digest,
)
from linspector_allennlp.representations.hidden_states.cache import known_features
from linspector_allennlp.representations.layer_choice import LayerSetting
from linspector_allennlp.representations.module_embedder import ModuleEmbedder


class ModuleLayersEmbedder(ModuleEmbedder):
    """
    The outputs, or inputs, of modules in any `torch.nn.Module` for each word of a sentence, from Python. What
    is in the feature store is found by the digest of the weights and of the code.

    In a config it is a `TokenEmbedder` with name "module_layers", which takes a function of the user's in the
    place of the network: see `from_function`.

    # Parameters

    network : `torch.nn.Module`
    to_inputs : `Callable[[Sequence[Words]], Inputs]`
        Turns sentences, tuples of words, into what the network is called with; see `TorchNetwork`.
    module : `Union[str, List[str]]`
        As `archive_layer` takes them; several are layers.
    tensor : `str`, optional (default = `"output"`)
    key : `str`, optional (default = `""`)
        What decides the vectors besides weights and code, such as the vocabulary that `to_inputs` looks
        words up in. What a function refers to is seen without it, unless it cannot be pickled.
    words : `List[str]`, optional
        Words that the network knows, by which it is tried out.
    name : `str`, optional (default = the class of the network)
        What tables call it.
    layer, alone, precision, batch_size :
        See `ArchiveLayerEmbedder`.
    """

    def __init__(
        self,
        network: torch.nn.Module,
        to_inputs: ToInputs,
        module: Union[str, list[str]],
        tensor: str = "output",
        key: str = "",
        words: Optional[list[str]] = None,
        name: Optional[str] = None,
        layer: Optional[LayerSetting] = None,
        alone: bool = False,
        precision: str = "float32",
        batch_size: int = 32,
    ) -> None:
        # No part of this module, or its weights would go into every archive of a probe.
        self.__dict__["_network"] = TorchNetwork(network, to_inputs, words or [])
        self._settings: dict[str, Any] = {"module": module, "tensor": tensor}
        self._digest = network_digest(network, to_inputs, key)
        super().__init__(
            modules=module,
            known=known_features(self.versioned(self.identity())),
            layer=layer,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )
        self.remember(self._digest, name or type(network).__name__, "network")

    @classmethod
    def from_function(
        cls,
        function: str,
        module: Union[str, list[str]],
        arguments: Optional[dict[str, Any]] = None,
        tensor: str = "output",
        key: str = "",
        words: Optional[list[str]] = None,
        name: Optional[str] = None,
        layer: Optional[LayerSetting] = None,
        alone: bool = False,
        precision: str = "float32",
        batch_size: int = 32,
    ) -> "ModuleLayersEmbedder":
        """
        # Parameters

        function : `str`
            As `my_package.networks.load`: it gives the network and its `to_inputs`.
        arguments : `Dict[str, Any]`, optional
            What the function is called with, as `{"weights": "epoch3.pt"}`.
        """
        place, _, called = function.rpartition(".")
        try:
            load = getattr(import_module(place), called)
        except (ImportError, AttributeError, ValueError) as error:
            raise ConfigurationError(
                f"function: {function!r} cannot be imported ({error}); expected as "
                "my_package.networks.load a function that gives a network and its to_inputs."
            ) from error
        with torch.random.fork_rng(devices=[]):
            found = load(**(arguments or {}))
        if not (isinstance(found, tuple) and len(found) == 2 and callable(found[1])):
            raise ConfigurationError(
                f"function: expected {function} to give a network and its to_inputs, found "
                f"{type(found).__name__}."
            )
        return cls(
            *found,
            module=module,
            tensor=tensor,
            key=key,
            words=words,
            name=name,
            layer=layer,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )

    def identity(self) -> dict[str, Any]:
        return {
            "type": "module_layers",
            "sha256": self._digest,
            **self._settings,
            **self.sizes(),
        }

    def open_modules(self) -> CaughtModules:
        names: Sequence[str] = self.module_names
        return CaughtModules(self.__dict__["_network"], names, self._settings["tensor"])

    def provenance(self) -> dict[str, Any]:
        return {
            "model": self.source,
            "sha256": self._digest,
            **self._settings,
            **self.chosen(),
            "alone": self.ignores_context,
            "precision": self._precision,
            "dimension": self._dimension // self.mixed_layers,
        }


TokenEmbedder.register("module_layers", constructor="from_function")(ModuleLayersEmbedder)


def module_layers(
    network: torch.nn.Module, to_inputs: ToInputs, names: Union[str, list[str]], **settings: Any
) -> ModuleLayersEmbedder:
    """The modules of a network as layers; see `ModuleLayersEmbedder` for the settings."""
    return ModuleLayersEmbedder(network, to_inputs, names, **settings)
