from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Optional, Union

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.context_embedder import ContextEmbedder
from linspector_allennlp.representations.layer_choice import LayerChoice
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.sentence_vectors.file_layouts import open_precomputed
from linspector_allennlp.representations.sentence_vectors.sentence_file import SentenceFile
from linspector_allennlp.representations.sentence_vectors.several_files import SeveralFiles
from linspector_allennlp.representations.sentence_vectors.stored_vectors import PrecomputedSentences
from linspector_allennlp.representations.words import Words
from linspector_allennlp.sentence_files import part_of

KINDS = ("token", "sentence")


@TokenEmbedder.register("precomputed")
class PrecomputedEmbedder(ContextEmbedder):
    """
    Vectors that were computed elsewhere, for words in their sentences or for whole sentences. A
    word form without a sentence is a sentence of one word. Only what is asked for is read.

    The vectors stay in their file: a trained archive needs it again, and checks that its content
    is the same.

    Registered as a `TokenEmbedder` with name "precomputed".

    # Parameters

    file : `Union[str, List[str]]`
        One or several, such as one for each part of a treebank: a path, or anything that
        `cached_path` takes, of
        * an HDF5 or safetensors file with an array of shape (tokens, dimension) or (layers, tokens,
          dimension) for each sentence. The key is the sentence, its tokens joined by spaces; or,
          with `sentences`, its number: `"0"`, `"1"`, …
        * a `.npy` file of shape (all tokens, dimension) or (layers, all tokens, dimension), in
          which the sentences are one after the other, with `sentences`.
    sentences : `Union[str, List[str]]`, optional (default = `None`)
        The sentences in the order of their numbers: a text file, one sentence a line, tokens
        separated by spaces; a task file of sentences, ours or SentEval's (`FILE#tr` is the
        training part of that); or a treebank, if the name ends in `.conllu`. Not needed where the
        keys are the sentences or, as in the files of `allennlp elmo`, the HDF5 file has a
        `sentence_to_index`. With several of `file` there are as many, and the first has the
        sentences of the first, each numbered from 0; with one `file` several are numbered through.
    layer : `Union[int, List[int], str]`, optional (default = `None`)
        See `LayerChoice`. May be left out where there is only one.
    per : `str`, optional (default = `"token"`)
        With `"sentence"` there is one vector for each sentence: no axis of tokens in HDF5 and
        safetensors, one of sentences in `.npy`. Each word of the sentence gets it. The sentence is
        then found whichever way it is cut into tokens.
    unk : `str`, optional (default = `"error"`)
        What becomes of a sentence (or word form) that has no vectors: an `"error"`, or with `"skip"`
        its items leave the task.
    """

    prepares = True

    def __init__(
        self,
        file: Union[str, list[str]],
        sentences: Optional[Union[str, list[str]]] = None,
        layer: Optional[Union[int, list[int], str]] = None,
        per: str = "token",
        unk: str = "error",
    ) -> None:
        if unk not in ("error", "skip"):
            raise ConfigurationError(
                f"unk: expected error or skip, found {unk!r}: a missing sentence is no unknown word."
            )
        if per not in KINDS:
            raise ConfigurationError(f"per: expected {' or '.join(KINDS)}, found {per!r}.")
        names = {"file": _listed(file, "file"), "sentences": _listed(sentences, "sentences")}
        _check_numbers(names["file"], names["sentences"])
        parts = [part_of(name) for name in names["sentences"]]
        paths = {
            "file": [find_file(name) for name in names["file"]],
            "sentences": [find_file(name, "sentences") for name, _ in parts],
        }
        self._paths = paths["file"]
        self._sentence_files = [
            SentenceFile(path, name.removesuffix(".gz").endswith(".conllu"), split)
            for path, (name, split) in zip(paths["sentences"], parts)
        ]
        self._per = per
        example = self._vectors.example
        if layer is None:
            layer = _only_layer(self._vectors.path, example.num_layers)
        choice = LayerChoice(layer, example.num_layers)
        super().__init__(choice=choice, layer_dim=example.dimension)
        self.skips = unk == "skip"
        self._names = names
        self._digests = {setting: list(map(file_digest, some)) for setting, some in paths.items()}
        for setting, digests in self._digests.items():
            for digest, name in zip(digests, names[setting]):
                self.remember(digest, name, setting)

    def has_vectors(self, sentence: Words, places: Sequence[int]) -> np.ndarray:
        """All words of a sentence have, or none."""
        return np.full(len(places), bool(self._vectors.places(" ".join(sentence))))

    def prepare(self, sentences: Iterable[Words]) -> None:
        self._vectors.check(sentences)

    def embed_tokens(
        self, sentences: Sequence[Words], sentence_of: np.ndarray, word_of: np.ndarray
    ) -> torch.Tensor:
        asked: dict[Words, list[int]] = {}
        for item, number in enumerate(sentence_of.tolist()):
            asked.setdefault(sentences[number], []).append(item)
        layers = self._choice.layers
        rows_of = np.zeros_like(word_of) if self._vectors.per_sentence else word_of
        result = np.empty((len(word_of), len(layers), self._layer_dim), np.float32)
        for sentence, place in self._vectors.find(asked).items():
            items = asked[sentence]
            rows = rows_of[items]
            # Shape: (num_chosen_layers, num_rows_read, layer_dim)
            block = place.read(layers, start := rows.min(), rows.max() + 1)
            result[items] = block[:, rows - start].swapaxes(0, 1)
        return torch.from_numpy(result)

    def provenance(self) -> dict[str, Any]:
        files, sentences = (
            [
                {"path": name, "sha256": digest}
                for name, digest in zip(self._names[setting], self._digests[setting])
            ]
            for setting in ("file", "sentences")
        )
        return {
            **files[0],
            **({"files": files} if len(files) > 1 else {}),
            "sentences": sentences,
            "per": self._per,
            **({"unk": "skip"} if self.skips else {}),
            "layer": self._choice.setting,
            "dimension": self._dimension // self.mixed_layers,
        }

    @cached_property
    def _vectors(self) -> PrecomputedSentences:
        of_each = [self._sentence_files] * len(self._paths)
        if len(self._paths) > 1 and self._sentence_files:
            of_each = [[sentences] for sentences in self._sentence_files]
        opened = [
            open_precomputed(path, sentences, self._per == "sentence")
            for path, sentences in zip(self._paths, of_each)
        ]
        return opened[0] if len(opened) == 1 else SeveralFiles(opened)

    def __getstate__(self) -> dict[str, Any]:
        """Without the open file, which a copy opens for itself."""
        return {name: value for name, value in vars(self).items() if name != "_vectors"}


def _listed(names: Union[str, list[str], None], setting: str) -> list[str]:
    if isinstance(names, list) and not names:
        raise ConfigurationError(f"{setting}: expected a file or several, found an empty list.")
    return [names] if isinstance(names, str) else list(names or ())


def _check_numbers(files: list[str], sentences: list[str]) -> None:
    if len(files) > 1 and sentences and len(sentences) != len(files):
        raise ConfigurationError(
            f"sentences: expected {len(files)} files, one for each of `file` in the same order, found "
            f"{len(sentences)}: {', '.join(sentences)}."
        )


def _only_layer(file: PathLike, num_layers: int) -> int:
    if num_layers > 1:
        raise ConfigurationError(
            f"layer: {file} has {num_layers} layers; expected one from 0 to {num_layers - 1}, a list "
            'of them, "average" or "mix", found no setting.'
        )
    return 0
