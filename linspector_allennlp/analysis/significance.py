"""Whether one of two probes is better than the other on the same items, or only luckier."""

from collections.abc import Hashable, Iterable, Sequence

import numpy
from scipy.special import bdtr

from linspector_allennlp.analysis.confidence_curve import ConfidenceCurve, PairedDifference
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.seed_error import seed_error

# How many counts are held at a time, 8 bytes each.
CHUNK_CELLS = 1 << 22


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
    The difference of the accuracies of two probes on the same items, with the p-value and the 95 %
    interval of `randomisation_curve`.

    # Parameters

    correct_a, correct_b : `Sequence[bool]`
        Whether A, and B, has each item right; of several seeds a row for each.
    clusters : `Iterable[Hashable]`
        Of which cluster each item is, as a sentence.
    rng : `numpy.random.Generator`
    num_samples : `int`, optional (default = `10_000`)
    """
    scores = PairedClusters.of_items(correct_a, correct_b, clusters)
    return randomisation_curve(scores, rng, num_samples).at_95()


def randomisation_curve(
    scores: PairedClusters, rng: numpy.random.Generator, num_samples: int = 10_000
) -> ConfidenceCurve:
    """
    The randomisation test over clusters of items (Fisher 1935; for accuracies Noreen 1989).

    If A and B are equally good, their names on a cluster might as well be exchanged. A sample
    exchanges them where a coin says so; p is the share of samples, what was found being one of them,
    whose difference is as large as the one found, of either sign. Of items that are their own clusters
    this is the exact test of McNemar.

    To test another difference δ, it is first taken from every item. The interval has the δ for which
    p ≥ 0.05. It can be read from the samples: a sample is as large as what was found exactly if δ is
    between the difference on the clusters that it exchanges and that on the others (Hartigan 1969);
    without either there is no bound. So interval and p-value cannot contradict each other, and fewer
    than six clusters, of which coins make a pattern too often, exclude nothing.

    Of several seeds, accuracies are means over them, and the error that other seeds would make, which
    coins over items cannot know, is drawn and added (`seed_error`). An error ε of a sample of N items
    shifts its two sums, by which it is as large as what was found or not, by -Nε / 2 and Nε / 2. So
    all of the above holds; only the test is no longer exact.

    Clusters of the same size and the same difference are alike. So it is enough to draw how many of
    each such type are exchanged, which has a binomial distribution.
    """
    sums = numpy.stack([scores.gains, scores.weights], axis=1)
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
    error = seed_error(scores)
    if error.variance:
        # Turned round with A and B.
        turn = numpy.sign(types[:, 0][types[:, 0] != 0][:1].sum())
        half = total[1] / 2 * error.draw(rng, num_samples) * (turn or 1)
        gains = gains + numpy.stack([-half, half])
    bounds = numpy.sort(gains / numpy.maximum(sizes, 1), axis=0)
    bounds[:, (sizes == 0).any(axis=0)] = [[-1], [1]]
    agree = bool((sums[:, 0] * sums[0, 1] == sums[0, 0] * sums[:, 1]).all())
    unanimous = agree and scores.difference in (-1, 0, 1)
    return ConfidenceCurve.of_bounds(scores.difference, bounds, len(sums) if unanimous else None)
