"""The answers of two sides to the same items, counted by clusters of items, as those of a sentence."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy


class PairedClusters(NamedTuple):
    """
    # Parameters

    right_a, right_b : `numpy.ndarray`
        How many items of a cluster each run of A, and of B, has right. Shape: (num_seeds, num_clusters);
        the sides may have different numbers of seeds.
    sizes : `numpy.ndarray`
        How many items the clusters have. Shape: (num_clusters,)
    """

    right_a: numpy.ndarray
    right_b: numpy.ndarray
    sizes: numpy.ndarray

    @classmethod
    def of_items(
        cls,
        correct_a: Sequence[bool] | numpy.ndarray,
        correct_b: Sequence[bool] | numpy.ndarray,
        clusters: Iterable[Hashable],
    ) -> "PairedClusters":
        """
        # Parameters

        correct_a, correct_b : `Sequence[bool]`
            Whether A, and B, has each item right; a row for each seed, or one row.
        clusters : `Iterable[Hashable]`
            Of which cluster each item is.
        """
        names = list(clusters)
        a, b = (numpy.atleast_2d(numpy.asarray(side, bool)) for side in (correct_a, correct_b))
        if not a.shape[1] == b.shape[1] == len(names):
            raise ValueError(
                "Expected the same items for A and B, each with its cluster, found "
                f"{a.shape[1]}, {b.shape[1]} and {len(names)}."
            )
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        rows = numpy.array([numbers[name] for name in names], dtype=numpy.int64)
        return cls(_sums(a, rows, len(numbers)), _sums(b, rows, len(numbers)), numpy.bincount(rows))

    @property
    def gains(self) -> numpy.ndarray:
        """
        How many more items of a cluster B has right than A, summed over all pairs of their seeds.
        Shape: (num_clusters,)
        """
        num_a, num_b = len(self.right_a), len(self.right_b)
        return num_a * self.right_b.sum(axis=0) - num_b * self.right_a.sum(axis=0)

    @property
    def weights(self) -> numpy.ndarray:
        """The sizes of the clusters, as often as `gains` counts them. Shape: (num_clusters,)"""
        return self.sizes * len(self.right_a) * len(self.right_b)

    @property
    def difference(self) -> float:
        """The accuracy of B minus that of A."""
        return float(self.gains.sum() / self.weights.sum())


def _sums(correct: numpy.ndarray, rows: numpy.ndarray, num_clusters: int) -> numpy.ndarray:
    counts = [numpy.bincount(rows[of_seed], minlength=num_clusters) for of_seed in correct]
    return numpy.array(counts, dtype=numpy.int64)
