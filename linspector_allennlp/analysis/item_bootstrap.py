"""The hierarchical bootstrap of many runs on the same items at once."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy

CHUNK_CELLS = 1 << 23
"""How many drawn clusters are held at a time, 8 bytes each."""


class ItemBootstrap(NamedTuple):
    """
    Samples of items, which are the same for all runs, so that any two of them can be compared. Each sample draws
    clusters of items, as sentences, with replacement. The seeds of a side are drawn by `side`. So it is the
    pigeonhole bootstrap (Owen 2007) of `hierarchical_bootstrap`, which compares two sides alone.

    # Parameters

    accuracies : `numpy.ndarray`
        Of each run in each sample. Shape: (num_samples, num_runs)
    """

    accuracies: numpy.ndarray

    @classmethod
    def draw(
        cls,
        correct: numpy.ndarray,
        clusters: Sequence[Hashable] | numpy.ndarray,
        rng: numpy.random.Generator,
        num_samples: int = 10_000,
    ) -> "ItemBootstrap":
        """
        # Parameters

        correct : `numpy.ndarray`
            Whether each run has each item right. Shape: (num_runs, num_items)
        clusters : `Sequence[Hashable]`
            Of which cluster each item is.
        """
        _, numbers = numpy.unique(numpy.asarray(clusters), return_inverse=True)
        sizes = numpy.bincount(numbers)
        # The last column is the number of items. Shape: (num_clusters, num_runs + 1)
        counts = numpy.stack(
            [*(numpy.bincount(numbers, right) for right in correct), sizes], axis=1
        )
        num_clusters, chunk = len(sizes), max(1, CHUNK_CELLS // len(sizes))
        sums = [
            _drawn(num_clusters, min(chunk, num_samples - start), rng) @ counts
            for start in range(0, num_samples, chunk)
        ]
        drawn = numpy.concatenate(sums)
        return cls(drawn[:, :-1] / drawn[:, -1:])

    def side(self, runs: Sequence[int], rng: numpy.random.Generator) -> numpy.ndarray:
        """
        The mean accuracy of the seeds that a sample draws of some runs. A single seed is not drawn.
        Shape: (num_samples,)
        """
        num_seeds = len(runs)
        shares = numpy.full(num_seeds, 1 / num_seeds)
        weights = rng.multinomial(num_seeds, shares, len(self.accuracies)) / num_seeds
        return (weights * self.accuracies[:, list(runs)]).sum(axis=1)


def _drawn(num: int, num_samples: int, rng: numpy.random.Generator) -> numpy.ndarray:
    """How often each of some is drawn in each sample. Shape: (num_samples, num)"""
    drawn = rng.integers(0, num, (num_samples, num), dtype=numpy.int64)
    drawn += num * numpy.arange(num_samples)[:, None]
    counts = numpy.bincount(drawn.ravel(), minlength=num_samples * num)
    return counts.reshape(num_samples, num).astype(float)
