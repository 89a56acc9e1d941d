from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.context_embedder import ContextEmbedder
from linspector_allennlp.representations.hidden_states.segment import DamagedSegment
from linspector_allennlp.representations.hidden_states.store import (
    ROWS_TOGETHER,
    FeatureStore,
    equal_batches,
    longest_first,
    num_rows,
)
from linspector_allennlp.representations.layer_choice import LayerChoice, LayerSetting
from linspector_allennlp.representations.words import Words

PRECISIONS = {"float16": torch.float16, "float32": torch.float32}


class ComputedEmbedder(ContextEmbedder):
    """
    The base of representations that a model computes from a sentence. What is announced by
    `prepare` is computed once, all layers in one pass, and kept in the feature store, from where
    every later run takes it; anything else is computed when it is asked for.

    A subclass implements `identity` and `compute`; it should not load its model before `compute`
    is called, because most runs need none. The model must not be a submodule, or its weights would
    go into every archive of a probe.

    # Parameters

    num_layers, layer_dim : `int`
        What `compute` gives.
    layer : `Union[int, List[int], str]`
        See `LayerChoice`.
    alone : `bool`, optional (default = `False`)
        See `ContextEmbedder`.
    precision : `str`, optional (default = `"float32"`)
        In which the vectors are kept: `"float16"` takes half the room.
    batch_size : `int`, optional (default = `32`)
        Of sentences that are computed at a time, at most. From 4 on a sentence has the same vectors, to
        the last digit, whatever it is computed with; on a GPU that is not certain.
    """

    VERSION = 2
    """To be raised when a change of our own code changes the vectors: those in the store are old."""

    prepares = True

    computes_with: tuple[str, ...] = ("_model",)
    """The cached properties that hold the model."""

    per_sentence = False
    """Whether all words of a sentence have the same vector, which is computed and kept once."""

    def __init__(
        self,
        num_layers: int,
        layer_dim: int,
        layer: LayerSetting,
        alone: bool = False,
        precision: str = "float32",
        batch_size: int = 32,
    ) -> None:
        if precision not in PRECISIONS:
            raise ConfigurationError(
                f"precision: expected {' or '.join(PRECISIONS)}, found {precision!r}."
            )
        if batch_size < 1:
            raise ConfigurationError(f"batch_size: expected 1 or more, found {batch_size}.")
        super().__init__(choice=LayerChoice(layer, num_layers), layer_dim=layer_dim, alone=alone)
        self._num_layers = num_layers
        self._precision = precision
        self._batch_size = batch_size
        self._announced: list[Words] = []

    def seed_was_loaded(self) -> None:
        self.__dict__.pop("_store", None)

    def release(self) -> None:
        for name in self.computes_with:
            self.__dict__.pop(name, None)

    def identity(self) -> dict[str, Any]:
        """
        All that decides the vectors, fit for JSON: `type`, the registered name, the digests of
        the model's files and the settings, but not which layers are taken.
        """
        raise NotImplementedError

    def compute(self, sentences: Sequence[Words]) -> torch.Tensor:
        """
        The vectors of all words of these sentences, or of the sentences themselves (`per_sentence`),
        one after the other, in all layers. Shape: (num_layers, num_words, layer_dim)
        """
        raise NotImplementedError

    def lengths(self, sentences: Sequence[Words]) -> list[int]:
        """The length of each sentence: only those of the same share a batch, which needs no padding."""
        return list(map(len, sentences))

    def prepare(self, sentences: Iterable[Words]) -> None:
        if self.ignores_context:
            sentences = ((word,) for sentence in sentences for word in sentence)
        sentences = self._announced = list(dict.fromkeys(sentences))
        self._store.add(sentences, self.lengths, self._batch_size, self._compute_rounded)

    def embed_tokens(
        self, sentences: Sequence[Words], sentence_of: np.ndarray, word_of: np.ndarray
    ) -> torch.Tensor:
        for _ in range(3):
            try:
                return torch.from_numpy(self._embed_tokens(sentences, sentence_of, word_of))
            except DamagedSegment:
                self.prepare([*self._announced, *sentences])
        raise OSError(
            f"{self._store.folder}: features are damaged as soon as they are written. Is the disk "
            "faulty? LINSPECTOR_CACHE names another folder."
        )

    def _embed_tokens(
        self, sentences: Sequence[Words], sentence_of: np.ndarray, word_of: np.ndarray
    ) -> np.ndarray:
        if self.per_sentence:
            word_of = np.zeros_like(word_of)
        segments, firsts = self._store.find(sentences)
        stored = segments[sentence_of] >= 0
        rows = firsts[sentence_of] + word_of
        layers = self._choice.layers
        result = np.empty((len(rows), len(layers), self._layer_dim), np.float32)
        if stored.any():
            result[stored] = self._store.read(segments[sentence_of][stored], rows[stored], layers)
        if not stored.all():
            result[~stored] = self._compute_tokens(
                sentences, sentence_of[~stored], word_of[~stored]
            )
        return result

    @cached_property
    def _store(self) -> FeatureStore:
        identity = self.versioned(self.identity())
        return FeatureStore(
            identity,
            self._num_layers,
            self._layer_dim,
            self._precision,
            self.source,
            self.per_sentence,
        )

    @classmethod
    def versioned(cls, identity: dict[str, Any]) -> dict[str, Any]:
        """The identity with the versions of what runs the model: others may give other vectors."""
        versions = {
            name: version(name) for name in ("allennlp", "tokenizers", "torch", "transformers")
        }
        return {**identity, "versions": {**versions, "ours": cls.VERSION}}

    def _compute_tokens(
        self, sentences: Sequence[Words], sentence_of: np.ndarray, word_of: np.ndarray
    ) -> np.ndarray:
        """The vectors of these words, without the store. Shape: (num_words, num_chosen_layers, layer_dim)"""
        wanted = list(dict.fromkeys(sentences[i] for i in sentence_of.tolist()))
        first_row, rows_so_far, blocks = {}, 0, []
        length_of = dict(zip(wanted, self.lengths(wanted)))
        ordered = longest_first(wanted, length_of)
        for batch in equal_batches(ordered, length_of, self._batch_size):
            blocks.append(self._compute_rounded(batch)[self._choice.layers])
            for sentence in batch:
                first_row[sentence] = rows_so_far
                rows_so_far += num_rows(sentence, self.per_sentence)
        # Shape: (num_chosen_layers, num_rows, layer_dim)
        vectors = np.concatenate(blocks, axis=1)
        firsts = np.array([first_row[sentences[i]] for i in sentence_of.tolist()])
        return vectors[:, firsts + word_of].swapaxes(0, 1)

    def _compute_rounded(self, sentences: Sequence[Words]) -> np.ndarray:
        """
        The vectors of `compute`, checked, in the precision in which they are kept. A sentence has the same
        ones whatever it is computed with; see `equal_batches`.
        """
        filled = list(sentences)
        if self._batch_size >= ROWS_TOGETHER:
            filled += filled[-1:] * (-len(filled) % ROWS_TOGETHER)
        with torch.inference_mode():
            vectors = self.compute(filled)
            rows = sum(num_rows(sentence, self.per_sentence) for sentence in filled)
            shape = (self._num_layers, rows, self._layer_dim)
            if tuple(vectors.shape) != shape:
                raise RuntimeError(
                    f"{type(self).__name__}: expected vectors of shape {shape} (layers, words, "
                    f"dimension), found {tuple(vectors.shape)}."
                )
            asked = sum(num_rows(sentence, self.per_sentence) for sentence in sentences)
            rounded = vectors[:, :asked].to(PRECISIONS[self._precision]).cpu().contiguous().numpy()
        if not np.isfinite(rounded).all():
            raise ValueError(
                f"{type(self).__name__}: a vector of the words of {' '.join(sentences[0])!r}, or of "
                f"a sentence in the same batch, is not finite in {self._precision}. "
                + "float32 holds larger numbers."
                * (self._precision == "float16")
            )
        return rounded
