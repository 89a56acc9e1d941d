"""How far other seeds might have taken a difference of two sides."""

from typing import NamedTuple

import numpy

from linspector_allennlp.analysis.paired_clusters import PairedClusters


class SeedError(NamedTuple):
    """
    Seeds differ in two ways: some are better than others, and each has other items right. Seeds and
    items are crossed, so the second is also in what items tell of their error, and must not be counted
    twice.

    A draw is a fiducial one, as in generalised confidence intervals (Weerahandi 1993): the variance of
    the mean of few seeds is uncertain, and is drawn, by χ², from those that could have given what was
    found; less what items tell already, and never negative; then the error is drawn from a normal
    distribution. Without the second part this would be Student's t.

    # Parameters

    variance : `float`
        Of the difference of the means over seeds.
    by_items : `float`
        The part of it that is expected because each seed has other items right.
    degrees : `float`
        The degrees of freedom of `variance`.
    """

    variance: float
    by_items: float
    degrees: float

    def draw(self, rng: numpy.random.Generator, num_samples: int) -> numpy.ndarray:
        """Errors of the difference. Shape: (num_samples,)"""
        # Never 0, also where χ² of few degrees is too small for a number.
        chi = numpy.maximum(rng.chisquare(self.degrees, num_samples), 1e-300)
        variances = numpy.maximum(self.variance * self.degrees / chi - self.by_items, 0)
        return rng.standard_normal(num_samples) * numpy.sqrt(variances)


def seed_error(scores: PairedClusters) -> SeedError:
    """
    The error of both sides, their seeds being independent, with the degrees of freedom of Welch (1947).

    The same seed on both sides does not make them one draw: it gives other vectors other weights. If it
    does take both in the same direction, the error is smaller than this. A side with one seed is taken to
    vary as the other does; if neither has more, there is no error.
    """
    sides = [_error_of_side(right, scores.sizes) for right in (scores.right_a, scores.right_b)]
    known = [side for side in sides if side.degrees]
    if not any(side.variance for side in known):
        return SeedError(0.0, 0.0, 1.0)
    if len(known) == 1:
        # The same variance of one seed, divided by another number of seeds.
        (side,) = known
        factor = 1 + (side.degrees + 1)
        return SeedError(factor * side.variance, factor * side.by_items, side.degrees)
    variance = sum(side.variance for side in sides)
    degrees = variance**2 / sum(side.variance**2 / side.degrees for side in sides)
    return SeedError(variance, sum(side.by_items for side in sides), degrees)


def _error_of_side(right: numpy.ndarray, sizes: numpy.ndarray) -> SeedError:
    """The error of the mean accuracy of some seeds."""
    num_seeds, num_clusters = right.shape
    if num_seeds == 1:
        return SeedError(0.0, 0.0, 0.0)
    num_items = int(sizes.sum())
    totals = [int(total) for total in right.sum(axis=1)]
    # In whole numbers, so that seeds which agree have no variance at all.
    squares = num_seeds * sum(total**2 for total in totals) - sum(totals) ** 2
    variance = squares / (num_seeds * (num_seeds - 1)) / num_items**2 / num_seeds
    # Shape: (num_seeds, num_clusters)
    rest = right / num_items - numpy.outer(totals, sizes) / num_items**2
    rest -= rest.mean(axis=0)
    pairs = num_seeds * (num_seeds - 1) * max(1, num_clusters - 1)
    return SeedError(variance, float((rest**2).sum()) * num_clusters / pairs, num_seeds - 1.0)
