from collections.abc import Sequence
from typing import Any

import numpy
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.common.file_utils import cached_path
from allennlp.modules import TokenEmbedder

from linspector_allennlp.representations.form_embedder import FormEmbedder
from linspector_allennlp.representations.hashed_vectors import hashed_vectors
from linspector_allennlp.representations.vector_store import VectorStore

MOVED = (
    "(A trained probe looks for its vectors where they were in training; say where they are now with "
    """-o '{"model.text_field_embedder.token_embedders.words.file": "PATH"}'.)"""
)
UNKNOWN_WORD_POLICIES = ("mean", "zeros", "random", "error")


@TokenEmbedder.register("word_vectors")
class WordVectorsEmbedder(FormEmbedder):
    """
    Static word vectors from a text file (word2vec or fastText `.vec`, GloVe `.txt`, plain or
    `.gz`). The file is read once into a memory-mapped store beside it; after that only the words
    that are asked for are touched.

    The vectors stay in their file: a trained archive needs it again, and checks that its
    content is the same.

    Registered as a `TokenEmbedder` with name "word_vectors".

    # Parameters

    file : `str`
        A path, or anything that `cached_path` takes.
    unk : `str`, optional (default = `"mean"`)
        The vector of a word that the file does not have: `"mean"` of all vectors, `"zeros"`,
        `"random"` (a fixed random vector for each word, from a hash of it, as long as the
        vectors of the file are on average) or `"error"`.
    lowercase : `bool`, optional (default = `False`)
        Whether words are lower-cased before they are looked up.
    seed : `int`, optional (default = `13`)
        Of the random vectors.
    """

    def __init__(
        self, file: str, unk: str = "mean", lowercase: bool = False, seed: int = 13
    ) -> None:
        if unk not in UNKNOWN_WORD_POLICIES:
            raise ConfigurationError(
                f"unk: expected one of {', '.join(UNKNOWN_WORD_POLICIES)}, found {unk!r}."
            )
        store = VectorStore.open(_find(file))
        super().__init__(store.dimension)
        self._file = file
        self._unk = unk
        self._lowercase = lowercase
        self._seed = seed
        self._store = store
        self.fingerprint: torch.Tensor
        self.register_buffer("fingerprint", _as_tensor(store.fingerprint))

    def _rows(self, forms: Sequence[str]) -> numpy.ndarray:
        return self._store.rows([form.lower() for form in forms] if self._lowercase else forms)

    def knows(self, forms: Sequence[str]) -> numpy.ndarray:
        return self._rows(forms) >= 0

    def embed_forms(self, forms: Sequence[str]) -> numpy.ndarray:
        rows = self._rows(forms)
        known = rows >= 0
        vectors = numpy.zeros((len(forms), self._dimension), dtype=numpy.float32)
        vectors[known] = self._store.vectors(rows[known])
        unknown = [form for form, is_known in zip(forms, known) if not is_known]
        if unknown and self._unk == "error":
            raise ValueError(
                f"{self._file} has no vector for {len(unknown)} words, such as {unknown[0]!r}; "
                'set "unk" to "mean", "zeros" or "random" to go on without them.'
            )
        if self._unk == "mean":
            vectors[~known] = self._store.mean
        elif self._unk == "random" and unknown:
            vectors[~known] = self._store.scale * hashed_vectors(
                unknown, self._dimension, self._seed
            )
        return vectors

    def provenance(self) -> dict[str, Any]:
        return {
            "path": self._file,
            "sha256": self._store.fingerprint,
            "words": len(self._store),
            "dimension": self._dimension,
            "unk": self._unk,
            "lowercase": self._lowercase,
            "seed": self._seed,
        }

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *args: Any) -> None:
        trained_with = state_dict.get(prefix + "fingerprint")
        if trained_with is not None and not torch.equal(trained_with.cpu(), self.fingerprint.cpu()):
            raise ConfigurationError(
                f"{self._file} is not the file that this probe was trained with: its content "
                f"has changed. {MOVED}"
            )
        super()._load_from_state_dict(state_dict, prefix, *args)


def _find(file: str) -> str:
    try:
        return str(cached_path(file))
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{file}: there is no such vector file. {MOVED}") from error


def _as_tensor(fingerprint: str) -> torch.Tensor:
    return torch.tensor(list(bytes.fromhex(fingerprint)), dtype=torch.uint8)
