"""What vector a word gets for which a representation has none: always an explicit setting."""

from collections.abc import Sequence
from typing import Protocol

import numpy
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.hashing import hashed_vectors

UNKNOWN_WORD_POLICIES = ("mean", "zeros", "random", "shared_random", "error", "skip")
RANDOM = ("random", "shared_random")
"""The policies that depend on a seed."""


class VectorStatistics(Protocol):
    """What is known of all vectors of a file; asked for only by the policies that need it."""

    @property
    def dimension(self) -> int: ...

    @property
    def mean(self) -> numpy.ndarray:
        """The mean vector."""

    @property
    def scale(self) -> float:
        """The root mean square of all components."""


class UnknownWords:
    """
    The vectors of words that a file does not have.

    # Parameters

    policy : `str`
        `"mean"` of all vectors, `"zeros"`, `"random"` (a fixed random vector for each word, from
        a hash of it, as long as the vectors of the file are on average), `"shared_random"` (one
        such vector for all), `"error"`, or `"skip"`: items with such words leave the task before
        anything is asked of them, so that it is an error if something is.
    source : `str`
        The file, as an error should name it.
    seed : `int`
        Of the random vectors.
    """

    def __init__(self, policy: str, source: str, seed: int) -> None:
        check_policy(policy)
        self._policy = policy
        self._source = source
        self._seed = seed

    def vectors(self, words: Sequence[str], statistics: VectorStatistics) -> numpy.ndarray:
        """A float32 matrix with a row for each word."""
        if words and self._policy == "error":
            raise ValueError(
                f"{self._source} has no vector for {len(words)} words, such as {words[0]!r}; "
                'set "unk" to "mean", "zeros" or "random" to go on without them.'
            )
        if words and self._policy == "skip":
            raise ValueError(
                f'{self._source} has no vector for the word {words[0]!r}, and "unk" is "skip": a '
                "probe_run and evaluate leave items with such words out, so that there is no answer "
                "for them."
            )
        shape = len(words), statistics.dimension
        if words and self._policy == "mean":
            return numpy.broadcast_to(statistics.mean, shape).astype(numpy.float32)
        if words and self._policy in RANDOM:
            # No word is empty, so that the vector of all is that of none.
            keys = words if self._policy == "random" else [""] * len(words)
            scale = numpy.float32(statistics.scale)
            return scale * hashed_vectors(keys, statistics.dimension, self._seed)
        return numpy.zeros(shape, dtype=numpy.float32)


def check_policy(policy: str, *others: str) -> None:
    """Refuses what is neither one of the policies nor one of the `others`."""
    policies = (*others, *UNKNOWN_WORD_POLICIES)
    if policy not in policies:
        raise ConfigurationError(f"unk: expected one of {', '.join(policies)}, found {policy!r}.")
