"""The p-values of all differences that there might be, from the samples of one test."""

from fractions import Fraction
from typing import NamedTuple, Optional

import numpy

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


class ConfidenceCurve(NamedTuple):
    """
    Whatever the level, `p_value` is below it exactly where 0 is outside of the interval of that level:
    both are read from the same samples, and where all clusters agree, from the same exact test besides.

    # Parameters

    difference : `float`
        The accuracy of B minus that of A.
    num_as_large : `int`
        How many samples are as large as what was found, which is one of them.
    num_samples : `int`
    lows, highs : `numpy.ndarray`
        The ends, from the outermost on, between which a difference must be for a sample to be as large
        as what was found; only those that `interval` needs.
    unanimous : `int`, optional
        The number of clusters, if they all say that the difference is -1, 0 or 1.
    """

    difference: float
    num_as_large: int
    num_samples: int
    lows: numpy.ndarray
    highs: numpy.ndarray
    unanimous: Optional[int] = None

    @classmethod
    def of_bounds(
        cls, difference: float, bounds: numpy.ndarray, unanimous: Optional[int] = None
    ) -> "ConfidenceCurve":
        """
        # Parameters

        bounds : `numpy.ndarray`
            The two ends of each sample. Shape: (2, num_samples)
        """
        num_samples = bounds.shape[1]
        num_as_large = 1 + int(((bounds[0] <= 0) & (bounds[1] >= 0)).sum())
        num_kept = _num_rare(num_samples, ONE_IN)
        lows = numpy.sort(bounds[0])[:num_kept]
        highs = numpy.sort(bounds[1])[::-1][:num_kept]
        return cls(difference, num_as_large, num_samples, lows.copy(), highs.copy(), unanimous)

    @classmethod
    def of_resamples(cls, difference: float, resampled: numpy.ndarray) -> "ConfidenceCurve":
        """
        The percentile interval: at 95 %, 2.5 % of the resampled differences are beyond either end.

        # Parameters

        resampled : `numpy.ndarray`
            Shape: (num_samples,)
        """
        num_samples = len(resampled)
        fewer = min(int((resampled <= 0).sum()), int((resampled >= 0).sum()))
        # Each counts for both sides, as does what was found.
        twice = numpy.sort(resampled).repeat(2)
        num_kept = _num_rare(num_samples, ONE_IN)
        lows = numpy.concatenate([[-1.0], twice[:num_kept]])
        highs = numpy.concatenate([[1.0], twice[::-1][:num_kept]])
        return cls(difference, min(num_samples + 1, 2 + 2 * fewer), num_samples, lows, highs)

    @property
    def p_value(self) -> Fraction:
        """How probable so large a difference, of either sign, would be if there were none."""
        found = Fraction(self.num_as_large, self.num_samples + 1)
        if self.unanimous is None or self.difference == 0:
            return found
        # So few clusters are the same by chance more often than a few samples may say; see `interval`.
        return max(found, Fraction(2, 2**self.unanimous))

    def interval(self, one_in: int = ONE_IN) -> tuple[float, float]:
        """
        The differences with a p-value of 1 / `one_in` or more.

        # Parameters

        one_in : `int`, optional (default = `20`)
            20 for a confidence of 95 %; not less.
        """
        rare = _num_rare(self.num_samples, one_in)
        if not rare:
            return -1.0, 1.0
        low, high = max(-1.0, self.lows[rare - 1]), min(1.0, self.highs[rare - 1])
        if self.unanimous is not None:
            # No sample tells how far others would be from what all clusters say. This is the exact
            # interval of the share of clusters that may differ (Clopper & Pearson 1934).
            differing = 1 - (1 / one_in / 2) ** (1 / self.unanimous)
            if self.difference == 0:
                ends = [-differing, differing]
            else:
                ends = sorted((self.difference, self.difference * (1 - 2 * differing)))
            low, high = min(ends[0], low), max(ends[1], high)
        return float(low), float(high)

    def at_95(self) -> PairedDifference:
        return PairedDifference(self.difference, *self.interval(), float(self.p_value))


def _num_rare(num_samples: int, one_in: int) -> int:
    """So many samples, what was found being one of them, are rarer than one in `one_in`."""
    return -(-(num_samples + 1) // one_in) - 1
