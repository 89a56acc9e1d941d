import logging
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations.archives.black_box import BlackBoxModel
from linspector_allennlp.representations.archives.modules import ModuleHook
from linspector_allennlp.representations.archives.unpack import (
    code_digests,
    find_weights,
    model_digest,
    unpack_archive,
)
from linspector_allennlp.representations.computed_embedder import ComputedEmbedder
from linspector_allennlp.representations.hidden_states.cache import known_dimension
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.words import Words

logger = logging.getLogger(__name__)


@TokenEmbedder.register("archive_layer")
class ArchiveLayerEmbedder(ComputedEmbedder):
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
    module : `str`
        The path of a module in the model, with dots, e.g. `"encoder"`.
    tensor : `str`, optional (default = `"output"`)
        `"output"` or `"input"` of the module; of several the first.
    weights_file : `str`, optional (default = `None`)
        Other weights than the best, e.g. `"model_state_e3_b0.th"`: in the folder, or a path.
    packages : `List[str]`, optional (default = `None`)
        Python packages with the classes of the model, which are imported and trusted.
    extra_inputs : `Dict[str, str]`, optional (default = `None`)
        What the dataset reader needs besides words, e.g. `{"upos_tags": "X"}`: the value is given
        for each word.
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
        module: str,
        tensor: str = "output",
        weights_file: Optional[str] = None,
        packages: Optional[list[str]] = None,
        extra_inputs: Optional[dict[str, str]] = None,
        alone: bool = False,
        precision: str = "float32",
        batch_size: int = 32,
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
        dimension = known_dimension(self.versioned(self.identity()))
        super().__init__(
            num_layers=1,
            layer_dim=self._opened.dimension if dimension is None else dimension,
            layer=0,
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
        }

    def compute(self, sentences: Sequence[Words]) -> torch.Tensor:
        module, device = self._opened, self.fingerprint.device
        groups = [sentences] if module.takes_batches else [[words] for words in sentences]
        return torch.cat([module.vectors(group, device) for group in groups])[None]

    computes_with = ("_opened",)

    @cached_property
    def _opened(self) -> "ModuleOfArchive":
        settings = self._settings
        box = BlackBoxModel(
            self._folder, settings["weights_file"], self._packages, settings["extra_inputs"]
        )
        return ModuleOfArchive(box, settings["module"], settings["tensor"])

    def provenance(self) -> dict[str, Any]:
        return {
            "path": self.source,
            "sha256": self._digest,
            **self._settings,
            "alone": self.ignores_context,
            "precision": self._precision,
            "dimension": self._dimension,
        }


class ModuleOfArchive:
    """
    A module of a model that sentences are put into. It is tried out at once.

    `dimension` is the size of a word's vector; `takes_batches` whether sentences can be computed in
    batches. That cannot be seen from shapes: inside an encoder the batch may be sorted, or padding
    may leak into words.
    """

    def __init__(self, box: BlackBoxModel, module: str, tensor: str) -> None:
        self.box = box
        self._hook = ModuleHook(box.model, module, tensor)
        sentences = box.trial_sentences()
        each = [self.vectors([words]) for words in sentences]
        sizes = sorted({vectors.size(1) for vectors in each})
        if len(sizes) > 1:
            raise ConfigurationError(
                f"{module}: expected vectors of one size, found {', '.join(map(str, sizes))} in "
                "sentences of several lengths."
            )
        self.dimension = sizes[0]
        self.takes_batches = self._gives_the_same(sentences, each)
        if not self.takes_batches:
            logger.info("%s: sentences are computed one by one.", module)

    def vectors(
        self, sentences: Sequence[Words], device: Optional[torch.device] = None
    ) -> torch.Tensor:
        """The vectors of all words of these sentences. Shape: (num_words, dimension)"""
        with self._hook:
            width = self.box.run(sentences, device)
        return self._hook.rows([len(words) for words in sentences], width)

    def _gives_the_same(self, sentences: Sequence[Words], each: Sequence[torch.Tensor]) -> bool:
        try:
            together = self.vectors(sentences)
        except ValueError:
            return False
        expected = torch.cat(list(each))
        first_words = torch.stack([vectors[0] for vectors in each])
        return (
            together.shape == expected.shape
            and bool((together - expected).abs().max() <= 1e-4 * expected.abs().max())
            # Where all sentences look alike it cannot be seen that they have changed places.
            and len(first_words.unique(dim=0)) == len(first_words)
        )
