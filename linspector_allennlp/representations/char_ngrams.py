from collections.abc import Sequence
from typing import Any, Optional

import numpy
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from scipy.sparse import csr_matrix

from linspector_allennlp.io.hashing import hashed_vectors
from linspector_allennlp.representations.form_embedder import FormEmbedder


def character_ngrams(form: str, shortest: int, longest: int) -> list[str]:
    """
    The character n-grams of a form with its boundaries marked, each as often as it occurs; the
    marked form itself where it is shorter than the shortest.
    """
    marked = f"<{form}>"
    return [
        marked[start : start + length]
        for length in range(shortest, longest + 1)
        for start in range(len(marked) - length + 1)
    ] or [marked]


@TokenEmbedder.register("char_ngrams")
class CharNgramsEmbedder(FormEmbedder):
    """
    A random vector for each character n-gram, averaged over the n-grams of the word: a
    representation that knows spelling and nothing else. It needs no file, has a vector for
    every word, and is the baseline that any trained representation should beat.

    Registered as a `TokenEmbedder` with name "char_ngrams".

    # Parameters

    dimension : `int`, optional (default = `300`)
    shortest, longest : `int`, optional (default = `3`, `6`)
        The lengths of the n-grams, counted with the boundary marks `<` and `>`.
    lowercase : `bool`, optional (default = `False`)
    seed : `int`, optional
        Another seed gives other vectors for the n-grams; by default it is that of the run.
    """

    def __init__(
        self,
        dimension: int = 300,
        shortest: int = 3,
        longest: int = 6,
        lowercase: bool = False,
        seed: Optional[int] = None,
    ) -> None:
        if dimension < 1:
            raise ConfigurationError(
                f"char_ngrams: expected a dimension of 1 or more, found {dimension}."
            )
        super().__init__(dimension=dimension, lowercase=lowercase)
        if not 1 <= shortest <= longest:
            raise ConfigurationError(
                f"char_ngrams: expected 1 <= shortest <= longest, found {shortest} and {longest}."
            )
        self._lengths = shortest, longest
        self.take_seed(seed)

    def embed_forms(self, forms: Sequence[str]) -> numpy.ndarray:
        columns: dict[str, int] = {}
        ngrams = [character_ngrams(form, *self._lengths) for form in self.types(forms)]
        column_ids = [columns.setdefault(ngram, len(columns)) for row in ngrams for ngram in row]
        lengths = numpy.array([len(row) for row in ngrams])
        # Shape: (num_forms, num_distinct_ngrams); each row sums to 1.
        shares = csr_matrix(
            (numpy.repeat(1 / lengths, lengths), column_ids, [0, *numpy.cumsum(lengths)]),
            shape=(len(forms), len(columns)),
            dtype=numpy.float32,
        )
        return shares @ hashed_vectors(list(columns), self._dimension, self._seed)

    def provenance(self) -> dict[str, Any]:
        return {
            "dimension": self._dimension,
            "ngrams": list(self._lengths),
            "lowercase": self._lowercase,
            "seed": self._seed,
        }

    def knows(self, forms: Sequence[str]) -> numpy.ndarray:
        return numpy.ones(len(forms), dtype=bool)
