"""Whether one of two probes is better than the other on the same items, or only luckier."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy
from scipy.special import bdtr

# How many counts are held at a time, 8 bytes each.
CHUNK_CELLS = 1 << 22


ONE_IN = 20
LEVEL = 1 / ONE_IN
"""What chance gives more rarely than this is a difference."""


class PairedDifference(NamedTuple):
    """
    `p_value` is below 0.05 exactly where 0 is outside of the interval.

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
    return min(1.0, float(2 * bdtr(min(only_a, only_b), only_a + only_b, 0.5)))


def paired_difference(
    correct_a: Sequence[bool] | numpy.ndarray,
    correct_b: Sequence[bool] | numpy.ndarray,
    clusters: Iterable[Hashable],
    rng: numpy.random.Generator,
    num_samples: int = 10_000,
) -> PairedDifference:
    """
    The difference of the accuracies of two probes on the same items, with the p-value and the interval
    of one test, the randomisation test over clusters of items (Fisher 1935; for accuracies Noreen 1989).

    If A and B are equally good, their names on a cluster might as well be exchanged. A sample
    exchanges them where a coin says so; p is the share of samples, what was found being one of them,
    whose difference is as large as the one found, of either sign. Of items that are their own clusters
    this is the exact test of McNemar.

    To test another difference δ, it is first taken from every item. The interval has the δ for which
    p ≥ 0.05. It can be read from the samples: a sample is as large as what was found exactly if δ is
    between the difference on the clusters that it exchanges and that on the others (Hartigan 1969);
    without either there is no bound. So interval and p-value cannot contradict each other, and fewer
    than six clusters, of which coins make a pattern too often, exclude nothing. If all clusters agree,
    no sample tells how far others would be from it; then the interval is the exact one of the share of
    clusters that may differ (Clopper & Pearson 1934).

    Clusters of the same size and the same difference are alike. So it is enough to draw how many of
    each such type are exchanged, which has a binomial distribution.

    # Parameters

    correct_a, correct_b : `Sequence[bool]`
        Whether A, and B, has each item right.
    clusters : `Iterable[Hashable]`
        Of which cluster each item is, as a sentence.
    rng : `numpy.random.Generator`
    num_samples : `int`, optional (default = `10_000`)
    """
    sums = _cluster_sums(numpy.asarray(correct_a), numpy.asarray(correct_b), list(clusters))
    types, first, counts = numpy.unique(sums, axis=0, return_index=True, return_counts=True)
    # In the order of the items, not of the differences: so A and B can change places.
    order = first.argsort()
    types, counts = types[order], counts[order]
    chunk = max(1, CHUNK_CELLS // len(types))
    exchanged = numpy.concatenate(
        [
            rng.binomial(counts, 0.5, size=(min(chunk, num_samples - start), len(types))) @ types
            for start in range(0, num_samples, chunk)
        ]
    )
    total = sums.sum(axis=0)
    # Shape: (2, num_samples)
    gains, sizes = numpy.stack([exchanged, total - exchanged]).transpose(2, 0, 1)
    bounds = numpy.sort(gains / numpy.maximum(sizes, 1), axis=0)
    bounds[:, (sizes == 0).any(axis=0)] = [[-1], [1]]
    low, high = numpy.sort(bounds[0]), numpy.sort(bounds[1])[::-1]
    num_as_large = 1 + int(((bounds[0] <= 0) & (bounds[1] >= 0)).sum())
    # With what was found itself, so many samples or more are no rarity.
    usual = -(-(num_samples + 1) // ONE_IN) - 1
    found = PairedDifference(
        difference=float(total[0] / total[1]),
        low=float(low[usual - 1]) if usual else -1.0,
        high=float(high[usual - 1]) if usual else 1.0,
        p_value=num_as_large / (num_samples + 1),
    )
    agree = bool((sums[:, 0] * sums[0, 1] == sums[0, 0] * sums[:, 1]).all())
    return _widened(found, len(sums)) if agree and found.difference in (-1, 0, 1) else found


def _widened(found: PairedDifference, num_clusters: int) -> PairedDifference:
    """The interval where A and B are the same on all clusters, or one of them always wins."""
    differing = 1 - (LEVEL / 2) ** (1 / num_clusters)
    if found.difference == 0:
        ends = [-differing, differing]
    else:
        ends = sorted((found.difference, found.difference * (1 - 2 * differing)))
    return found._replace(low=min(ends[0], found.low), high=max(ends[1], found.high))


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
