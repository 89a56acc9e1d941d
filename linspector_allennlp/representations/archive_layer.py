import logging
from collections.abc import Sequence
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
        folder = unpack_archive(path)
        box = BlackBoxModel(folder, weights_file, packages or (), extra_inputs)
        hook = ModuleHook(box.model, module, tensor)
        dimension, takes_batches = _try_out(box, hook, module)
        super().__init__(
            num_layers=1,
            layer_dim=dimension,
            layer=0,
            alone=alone,
            precision=precision,
            batch_size=batch_size,
        )
        self._box = box
        self._hook = hook
        self._takes_batches = takes_batches
        self._settings = {
            "module": module,
            "tensor": tensor,
            "weights_file": weights_file,
            "extra_inputs": extra_inputs,
        }
        self._packages = packages
        digest = model_digest(path, folder, find_weights(folder, weights_file))
        self.remember(digest, archive, "archive")

    def identity(self) -> dict[str, Any]:
        return {
            "type": "archive_layer",
            "sha256": bytes(self.fingerprint.tolist()).hex(),
            "code": code_digests(self._packages or ()),
            "module": self._settings["module"],
            "tensor": self._settings["tensor"],
            "extra_inputs": self._settings["extra_inputs"],
        }

    def compute(self, sentences: Sequence[Words]) -> torch.Tensor:
        groups = [sentences] if self._takes_batches else [[words] for words in sentences]
        device = self.fingerprint.device
        return torch.cat([_vectors(self._box, self._hook, group, device) for group in groups])[None]

    def provenance(self) -> dict[str, Any]:
        return {
            "path": self.source,
            "sha256": bytes(self.fingerprint.tolist()).hex(),
            **self._settings,
            "alone": self.ignores_context,
            "precision": self._precision,
            "dimension": self._dimension,
        }


def _vectors(
    box: BlackBoxModel,
    hook: ModuleHook,
    sentences: Sequence[Words],
    device: Optional[torch.device] = None,
) -> torch.Tensor:
    """The vectors of all words of these sentences. Shape: (num_words, dimension)"""
    with hook:
        width = box.run(sentences, device)
    return hook.rows([len(words) for words in sentences], width)


def _try_out(box: BlackBoxModel, hook: ModuleHook, module: str) -> tuple[int, bool]:
    """
    The size of a word's vector, and whether sentences can be computed in batches. That cannot be
    seen from shapes: inside an encoder the batch may be sorted, or padding may leak into words.
    """
    sentences = box.trial_sentences()
    each = [_vectors(box, hook, [words]) for words in sentences]
    sizes = sorted({vectors.size(1) for vectors in each})
    if len(sizes) > 1:
        raise ConfigurationError(
            f"{module}: expected vectors of one size, found {', '.join(map(str, sizes))} in "
            "sentences of several lengths."
        )
    try:
        together = _vectors(box, hook, sentences)
    except ValueError:
        together = None
    expected = torch.cat(each)
    first_words = torch.stack([vectors[0] for vectors in each])
    # Where all sentences look alike it cannot be seen that they have changed places.
    takes_batches = (
        together is not None
        and together.shape == expected.shape
        and bool((together - expected).abs().max() <= 1e-4 * expected.abs().max())
        and len(first_words.unique(dim=0)) == len(first_words)
    )
    if not takes_batches:
        logger.info("%s: sentences are computed one by one.", module)
    return sizes[0], takes_batches
