from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Optional, Union

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder

from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.representations.context_embedder import ContextEmbedder
from linspector_allennlp.representations.layer_choice import LayerChoice
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.sentence_vectors.file_layouts import open_precomputed
from linspector_allennlp.representations.sentence_vectors.stored_vectors import PrecomputedSentences
from linspector_allennlp.representations.words import Words

KINDS = ("token", "sentence")


@TokenEmbedder.register("precomputed")
class PrecomputedEmbedder(ContextEmbedder):
    """
    Vectors that were computed elsewhere, for words in their sentences or for whole sentences. A
    word form without a sentence is a sentence of one word. Only what is asked for is read.

    The vectors stay in their file: a trained archive needs it again, and checks that its content
    is the same. A sentence that has no vectors is an error.

    Registered as a `TokenEmbedder` with name "precomputed".

    # Parameters

    file : `str`
        A path, or anything that `cached_path` takes, of
        * an HDF5 or safetensors file with an array of shape (tokens, dimension) or (layers, tokens,
          dimension) for each sentence. The key is the sentence, its tokens joined by spaces; or,
          with `sentences`, its number: `"0"`, `"1"`, …
        * a `.npy` file of shape (all tokens, dimension) or (layers, all tokens, dimension), in
          which the sentences are one after the other, with `sentences`.
    sentences : `str`, optional (default = `None`)
        The sentences in the order of their numbers: a text file, one sentence a line, tokens
        separated by spaces; or a treebank, if the name ends in `.conllu`. Not needed where the
        keys are the sentences or, as in the files of `allennlp elmo`, the HDF5 file has a
        `sentence_to_index`.
    layer : `Union[int, List[int], str]`, optional (default = `None`)
        See `LayerChoice`. May be left out where there is only one.
    per : `str`, optional (default = `"token"`)
        With `"sentence"` there is one vector for each sentence: no axis of tokens in HDF5 and
        safetensors, one of sentences in `.npy`. Each word of the sentence gets it.
    """

    prepares = True

    def __init__(
        self,
        file: str,
        sentences: Optional[str] = None,
        layer: Optional[Union[int, list[int], str]] = None,
        per: str = "token",
    ) -> None:
        if per not in KINDS:
            raise ConfigurationError(f"per: expected {' or '.join(KINDS)}, found {per!r}.")
        paths = {"file": find_file(file, "file")}
        if sentences is not None:
            paths["sentences"] = find_file(sentences, "sentences")
        is_treebank = (sentences or "").removesuffix(".gz").endswith(".conllu")
        settings = paths["file"], paths.get("sentences"), is_treebank, per == "sentence"
        vectors = open_precomputed(*settings)
        num_layers = vectors.example.num_layers
        choice = LayerChoice(_only_layer(file, num_layers) if layer is None else layer, num_layers)
        super().__init__(choice=choice, layer_dim=vectors.example.dimension)
        self._names = {"file": file, "sentences": sentences}
        self._settings = settings
        self._vectors = vectors
        self._digests = {setting: file_digest(path) for setting, path in paths.items()}
        for setting, digest in self._digests.items():
            self.remember(digest, self._names[setting] or "", setting)

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
        return {
            "path": self._names["file"],
            "sha256": self._digests["file"],
            "sentences": self._names["sentences"],
            "sentences_sha256": self._digests.get("sentences"),
            "per": "sentence" if self._vectors.per_sentence else "token",
            "layer": self._choice.setting,
            "dimension": self._dimension // self.mixed_layers,
        }

    @cached_property
    def _vectors(self) -> PrecomputedSentences:
        return open_precomputed(*self._settings)

    def __getstate__(self) -> dict[str, Any]:
        """Without the open file, which a copy opens for itself."""
        return {name: value for name, value in vars(self).items() if name != "_vectors"}


def _only_layer(file: str, num_layers: int) -> int:
    if num_layers > 1:
        raise ConfigurationError(
            f"layer: {file} has {num_layers} layers; expected one from 0 to {num_layers - 1}, a list "
            'of them, "average" or "mix", found no setting.'
        )
    return 0
