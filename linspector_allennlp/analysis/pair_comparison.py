"""Several comparisons at once, each with its verdict."""

from collections.abc import Iterable
from fractions import Fraction
from statistics import fmean, stdev
from typing import NamedTuple, Optional

import numpy

from linspector_allennlp.analysis.confidence_curve import LEVEL, ConfidenceCurve
from linspector_allennlp.analysis.hierarchical_bootstrap import bootstrap_curve
from linspector_allennlp.analysis.multiple_tests import holm
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.significance import randomisation_curve

METHODS = ("randomisation", "bootstrap")

FEWEST_SAMPLES = 10_000
SAMPLES_A_PAIR = 200
"""So that ten samples are as rare as the correction of all pairs may ask for."""


class Contest(NamedTuple):
    """
    # Parameters

    scores : `PairedClusters`
    same_seeds : `bool`
        Whether the runs of both sides have the same seeds, in the same order; only the bootstrap asks.
    """

    scores: PairedClusters
    same_seeds: bool


class PairComparison(NamedTuple):
    """
    # Parameters

    scores_a, scores_b : `list[float]`
        The accuracy of each seed.
    difference, low, high, p_value : `float`
        Of this comparison alone: that of the means, B minus A, and its 95 % interval.
    holm_p_value : `float`
        Corrected for all comparisons (`holm`).
    holm_low, holm_high : `float`
        The interval of the level that all corrected intervals have, `confidence`: it excludes 0 exactly
        if `holm_p_value` is below 0.05. It is never narrower than the 95 % interval.
    confidence : `float`
    """

    scores_a: list[float]
    scores_b: list[float]
    difference: float
    low: float
    high: float
    p_value: float
    holm_p_value: float
    holm_low: float
    holm_high: float
    confidence: float

    @property
    def better(self) -> Optional[str]:
        """`a`, `b`, or nothing where the difference is within what chance would give."""
        if self.holm_p_value >= LEVEL:
            return None
        return "b" if self.holm_low > 0 else "a"


def enough_samples(num_pairs: int) -> int:
    return max(FEWEST_SAMPLES, SAMPLES_A_PAIR * num_pairs)


def compare_pairs(
    contests: Iterable[Contest], num_samples: int, seed: int, method: str = METHODS[0]
) -> list[PairComparison]:
    """
    All comparisons, corrected for their number. Each has the same random numbers, so that it does not
    depend on the others before it is corrected.

    # Parameters

    contests : `Iterable[Contest]`
        Read one at a time.
    method : `str`, optional (default = `"randomisation"`)
        Or `bootstrap`.
    """
    curves: list[ConfidenceCurve] = []
    scores: list[tuple[list[float], list[float]]] = []
    for paired, same_seeds in contests:
        rng = numpy.random.default_rng(seed)
        if method == "bootstrap":
            curves.append(bootstrap_curve(paired, rng, num_samples, same_seeds))
        else:
            curves.append(randomisation_curve(paired, rng, num_samples))
        sides = (paired.right_a, paired.right_b)
        a, b = ((right.sum(axis=1) / paired.sizes.sum()).tolist() for right in sides)
        scores.append((a, b))
    decision = holm([curve.p_value for curve in curves])
    return [
        _compare(curve, of_seeds, p_value, decision.one_in)
        for curve, of_seeds, p_value in zip(curves, scores, decision.p_values)
    ]


def _compare(
    curve: ConfidenceCurve, scores: tuple[list[float], list[float]], p_value: Fraction, one_in: int
) -> PairComparison:
    alone, (holm_low, holm_high) = curve.at_95(), curve.interval(one_in)
    return PairComparison(
        *scores, *alone, float(p_value), holm_low, holm_high, confidence=1 - 1 / one_in
    )


def mean_and_sd(scores: list[float]) -> tuple[float, Optional[float]]:
    """Of one seed there is no standard deviation."""
    return fmean(scores), stdev(scores) if len(scores) > 1 else None
