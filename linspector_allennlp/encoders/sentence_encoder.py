from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

import torch
from allennlp.common import Registrable

from linspector_allennlp.representations.words import Words


class WordRows(NamedTuple):
    """
    The words of some sentences and their vectors, one sentence after the other.

    # Parameters

    vectors : `torch.Tensor`
        Shape: (num_words, word_dim)
    lengths : `torch.Tensor`
        How many of the words each sentence has, at least one. Shape: (num_sentences,)
    sentences : `Sequence[Words]`
        The words of each sentence themselves, as many as it has vectors.
    """

    vectors: torch.Tensor
    lengths: torch.Tensor
    sentences: Sequence[Words]


class SentenceEncoder(torch.nn.Module, Registrable):
    """
    The base of sentence encoders: frozen functions from the vectors of a sentence's words to one vector.
    The model gives `word_dim`; it is never in a config. What is random comes from a seed.

    A subclass implements `forward`, and says the size of its result in `output_dim`.
    """

    default_implementation = "average"

    needs_fitting: ClassVar[bool] = False
    """Whether `fit` must be shown the training sentences before it can encode."""

    is_linear: ClassVar[bool] = False
    """Whether the encoding of a weighted sum of vectors is the weighted sum of their encodings, so that
    layers may be mixed after it."""

    takes_first_word: ClassVar[bool] = False
    """Whether it only looks at the first word, because all have the same vector."""

    def __init__(self, word_dim: int, output_dim: int) -> None:
        super().__init__()
        self.word_dim = word_dim
        self.output_dim = output_dim

    def forward(self, rows: WordRows) -> torch.Tensor:
        """The vectors of the sentences. Shape: (num_sentences, output_dim)"""
        raise NotImplementedError

    def fit(self, batches: Iterable[WordRows]) -> None:
        """Learns what it must know of the training sentences, and forgets what it knew before."""

    def provenance(self) -> dict[str, Any]:
        """The parameters and seeds, for the record of a run."""
        return {}

    @property
    def registered_name(self) -> str:
        """The `type` by which a config names it."""
        names = SentenceEncoder.list_available()
        known = (name for name in names if SentenceEncoder.by_name(name) is type(self))
        return next(known, type(self).__name__)


def sentence_of_rows(lengths: torch.Tensor) -> torch.Tensor:
    """For each word the number of its sentence. Shape: (num_words,)"""
    return torch.arange(len(lengths), device=lengths.device).repeat_interleave(lengths)
