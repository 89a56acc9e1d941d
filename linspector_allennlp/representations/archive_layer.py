from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Optional, Union

import numpy
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from linspector_allennlp.representations.archives.caught_modules import CaughtModules
from linspector_allennlp.representations.archives.unpack import (
    code_digests,
    find_weights,
    model_digest,
    unpack_archive,
)
from linspector_allennlp.representations.hidden_states.cache import known_features
from linspector_allennlp.representations.layer_choice import LayerSetting
from linspector_allennlp.representations.module_embedder import ModuleEmbedder
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.vocabulary_words import VocabularyWords


@TokenEmbedder.register("archive_layer")
class ArchiveLayerEmbedder(ModuleEmbedder):
    """
    The output, or input, of a module in any trained AllenNLP model for each word of a sentence. The
    model is a black box: it reads the sentence by its own dataset reader and runs as it is.
    `linspector probe-layers ARCHIVE` lists the modules.

    An archive is not trusted: it cannot write outside its folder, and it cannot run code other
    than that of AllenNLP, of the installed plugins, and of `packages`.

    Registered as a `TokenEmbedder` with name "archive_layer".

    # Parameters

    archive : `str`
        A `model.tar.gz` or the folder of a run: a path, or anything that `cached_path` takes.
    module : `Union[str, List[str]]`
        The path of a module in the model, with dots, e.g. `"encoder"`; of a layer in a stack of recurrent
        layers its number from 0 behind `#`, as `"encoder#0"`. A list of several is the layers of the
        model: all are computed in one pass.
    tensor : `str`, optional (default = `"output"`)
        `"output"` or `"input"` of the module; of several the first.
    weights_file : `str`, optional (default = `None`)
        Other weights than the best, e.g. `"model_state_e3_b0.th"`: in the folder, or a path.
    packages : `List[str]`, optional (default = `None`)
        Python packages with the classes of the model, which are imported and trusted.
    extra_inputs : `Dict[str, str]`, optional (default = `None`)
        What the dataset reader needs besides words, e.g. `{"upos_tags": "X"}`: the value is given
        for each word.
    layer : `Union[int, List[int], str]`, optional (default = the last)
        Which of several modules; see `LayerChoice`. Modules with vectors of several sizes have neither
        `"average"` nor `"mix"`.
    alone : `bool`, optional (default = `False`)
        Whether every word is taken out of its sentence and is a sentence of its own.
    precision : `str`, optional (default = `"float32"`)
    batch_size : `int`, optional (default = `32`)
        See `ComputedEmbedder`. A model that gives other vectors to sentences in a batch than to
        the same sentences alone gets them one by one.
    """

    def __init__(
        self,
        archive: str,
        module: Union[str, list[str]],
        tensor: str = "output",
        weights_file: Optional[str] = None,
        packages: Optional[list[str]] = None,
        extra_inputs: Optional[dict[str, str]] = None,
        alone: bool = False,
        precision: str = "float32",
        batch_size: int = 32,
        layer: Optional[LayerSetting] = None,
    ) -> None:
        path = Path(find_file(archive, "archive"))
        self._folder = unpack_archive(path)
        self._packages = packages or []
        self._settings: dict[str, Any] = {
            "module": module,
            "tensor": tensor,
            "weights_file": weights_file,
            "extra_inputs": extra_inputs,
        }
        self._digest = model_digest(path, self._folder, find_weights(self._folder, weights_file))
        # A model is loaded when it has something to compute, or nothing is known of its vectors.
        super().__init__(
            modules=module,
            known=known_features(self.versioned(self.identity())),
            layer=layer,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )
        self.remember(self._digest, archive, "archive")

    def identity(self) -> dict[str, Any]:
        return {
            "type": "archive_layer",
            "sha256": self._digest,
            "code": code_digests(self._packages),
            "module": self._settings["module"],
            "tensor": self._settings["tensor"],
            "extra_inputs": self._settings["extra_inputs"],
            **self.sizes(),
        }

    def knows(self, forms: Sequence[str]) -> numpy.ndarray:
        return self._words.knows(forms)

    @property
    def composes_unknown_words(self) -> bool:  # type: ignore[override]
        return self._words.has_parts

    def open_modules(self) -> CaughtModules:
        settings = self._settings
        box = BlackBoxModel(
            self._folder, settings["weights_file"], self._packages, settings["extra_inputs"]
        )
        return CaughtModules(box, self.module_names, settings["tensor"])

    @cached_property
    def _words(self) -> VocabularyWords:
        return VocabularyWords(self._folder, self._packages, self._settings["extra_inputs"])

    def provenance(self) -> dict[str, Any]:
        return {
            "path": self.source,
            "sha256": self._digest,
            **self._settings,
            **self.chosen(),
            "alone": self.ignores_context,
            "precision": self._precision,
            "dimension": self._dimension // self.mixed_layers,
        }
