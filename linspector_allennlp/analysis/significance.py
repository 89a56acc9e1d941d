"""Whether one of two probes is better than the other on the same items, or only luckier."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy
from scipy.stats import binom

# How many counts are held at a time, 8 bytes each.
CHUNK_CELLS = 1 << 22


class PairedDifference(NamedTuple):
    """
    # Parameters

    difference : `float`
        The accuracy of B minus that of A.
    low, high : `float`
        Its 95 % interval.
    p_value : `float`
        How probable so large a difference, of either sign, would be if there were none.
    """

    difference: float
    low: float
    high: float
    p_value: float


def mcnemar(only_a: int, only_b: int) -> float:
    """
    The p-value of the exact two-sided test of McNemar (1947): if A and B are equally good, the
    items that only one of them has right fall to either as a coin does. Items must be independent.

    # Parameters

    only_a, only_b : `int`
        How many items only A, and only B, has right.
    """
    return min(1.0, float(2 * binom.cdf(min(only_a, only_b), only_a + only_b, 0.5)))


def paired_bootstrap(
    correct_a: Sequence[bool] | numpy.ndarray,
    correct_b: Sequence[bool] | numpy.ndarray,
    clusters: Iterable[Hashable],
    rng: numpy.random.Generator,
    num_samples: int = 10_000,
) -> PairedDifference:
    """
    The difference of the accuracies of two probes on the same items, by resampling clusters of
    items with replacement (Efron & Tibshirani 1993). If each item is its own cluster, this is the
    ordinary paired bootstrap.

    With d the difference that was found and d* that of a sample, the interval is from the 2.5th
    to the 97.5th percentile of d*, and p = (k + 1) / (num_samples + 1) with k the number of
    samples in which |d* − d| ≥ |d|: samples vary around d as they would around 0 if there were
    no difference. That is the test of Berg-Kirkpatrick et al. (2012), d* ≥ 2d, taken to both
    sides; the added one counts what was found itself (Davison & Hinkley 1997, 4.2), so that no
    number of samples gives 0.

    Clusters of the same size and the same difference are alike. So it is enough to draw how many
    of each such type a sample has, which has a multinomial distribution.

    # Parameters

    correct_a, correct_b : `Sequence[bool]`
        Whether A, and B, has each item right.
    clusters : `Iterable[Hashable]`
        Of which cluster each item is, as a sentence.
    rng : `numpy.random.Generator`
    num_samples : `int`, optional (default = `10_000`)
    """
    sums = _cluster_sums(numpy.asarray(correct_a), numpy.asarray(correct_b), list(clusters))
    num_clusters = len(sums)
    if num_clusters < 2:
        raise ValueError(
            f"Resampling needs at least two clusters of items (sentences), found {num_clusters}."
        )
    types, first, counts = numpy.unique(sums, axis=0, return_index=True, return_counts=True)
    # In the order of the items, not of the differences: so A and B can change places.
    order = first.argsort()
    types, shares = types[order], counts[order] / num_clusters
    chunk = max(1, CHUNK_CELLS // len(types))
    samples = numpy.concatenate(
        [
            rng.multinomial(num_clusters, shares, size=min(chunk, num_samples - start)) @ types
            for start in range(0, num_samples, chunk)
        ]
    )
    # Shape: (num_samples,) each
    gains, sizes = samples.T
    gain, size = sums.sum(axis=0)
    # |d* − d| ≥ |d| in whole numbers, so that ties are ties.
    num_extreme = int((abs(gains * size - gain * sizes) >= abs(gain) * sizes).sum())
    low, high = numpy.quantile(gains / sizes, [0.025, 0.975])
    p_value = (num_extreme + 1) / (num_samples + 1)
    return PairedDifference(float(gain / size), float(low), float(high), p_value)


def _cluster_sums(
    correct_a: numpy.ndarray, correct_b: numpy.ndarray, clusters: list[Hashable]
) -> numpy.ndarray:
    """For each cluster how many more items B has right, and its size. Shape: (num_clusters, 2)"""
    if not len(correct_a) == len(correct_b) == len(clusters):
        raise ValueError(
            "Expected the same items for A and B, each with its cluster, found "
            f"{len(correct_a)}, {len(correct_b)} and {len(clusters)}."
        )
    numbers = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters))}
    sums = numpy.zeros((len(numbers), 2), dtype=numpy.int64)
    rows = numpy.array([numbers[cluster] for cluster in clusters], dtype=numpy.int64)
    gains = correct_b.astype(numpy.int64) - correct_a.astype(numpy.int64)
    numpy.add.at(sums, rows, numpy.stack([gains, numpy.ones_like(gains)], axis=1))
    return sums
