import numpy

from linspector_allennlp.analysis.confidence_curve import ConfidenceCurve
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.significance import CHUNK_CELLS


def bootstrap_curve(
    scores: PairedClusters,
    rng: numpy.random.Generator,
    num_samples: int = 10_000,
    same_seeds: bool = False,
) -> ConfidenceCurve:
    """
    The hierarchical paired bootstrap of the difference of two accuracies: a sample draws seeds and,
    independently, clusters of items with replacement, the same clusters for both sides. Seeds and items
    are crossed, so this is the pigeonhole bootstrap (Owen 2007).

    Of few seeds it is not to be trusted: their variance comes out too small by a factor of (n - 1) / n,
    and nothing says how uncertain it is (`benchmarks/compare_coverage.py`). A single seed is not drawn.

    # Parameters

    scores : `PairedClusters`
    rng : `numpy.random.Generator`
    num_samples : `int`, optional (default = `10_000`)
    same_seeds : `bool`, optional (default = `False`)
        Whether the rows of A and B are of the same seeds, which are then drawn together.
    """
    num_a, num_b = len(scores.right_a), len(scores.right_b)
    if same_seeds and num_a != num_b:
        raise ValueError(f"Expected as many seeds of A as of B, found {num_a} and {num_b}.")
    rows = numpy.vstack([scores.right_a, scores.right_b, scores.sizes]).T
    types, first, counts = numpy.unique(rows, axis=0, return_index=True, return_counts=True)
    order = first.argsort()
    types, counts = types[order], counts[order]
    chunk = max(1, CHUNK_CELLS // len(types))
    # Shape: (num_samples, num_a + num_b + 1)
    sums = numpy.concatenate(
        [
            rng.multinomial(len(rows), counts / len(rows), min(chunk, num_samples - start)) @ types
            for start in range(0, num_samples, chunk)
        ]
    )
    seeds_a = rng.multinomial(num_a, numpy.full(num_a, 1 / num_a), num_samples) / num_a
    seeds_b = (
        seeds_a
        if same_seeds
        else rng.multinomial(num_b, numpy.full(num_b, 1 / num_b), num_samples) / num_b
    )
    right_a = (seeds_a * sums[:, :num_a]).sum(axis=1)
    right_b = (seeds_b * sums[:, num_a:-1]).sum(axis=1)
    resampled = (right_b - right_a) / sums[:, -1]
    return ConfidenceCurve.of_resamples(scores.difference, resampled)
