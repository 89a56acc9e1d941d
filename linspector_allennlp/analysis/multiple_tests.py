"""Several tests at once, of which none shall find a difference by chance."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from linspector_allennlp.analysis.confidence_curve import ONE_IN


class HolmDecision(NamedTuple):
    """
    # Parameters

    p_values : `list[Fraction]`
        The corrected ones, in the order of the tests.
    one_in : `int`
        The p-values of single tests that are below 1 / `one_in` are those that are below 0.05 when
        corrected. So the intervals of this level exclude 0 exactly where the correction finds a difference.
    """

    p_values: list[Fraction]
    one_in: int


def holm(p_values: Sequence[Fraction]) -> HolmDecision:
    """
    The correction of Holm (1979): the probability of any difference that is only chance is below 0.05,
    however the tests depend on each other. The smallest of m p-values is multiplied by m, the next one by
    m - 1, and so on; none becomes smaller than one before it.

    The first that is not below 0.05 has been multiplied by the number of all that are not, k. A single
    p-value is below 0.05 / k exactly if it comes before it: the smaller ones were below 0.05 divided by
    more than k, the others are not smaller than the first.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [Fraction(1)] * len(p_values)
    largest = Fraction(0)
    for place, number in enumerate(order):
        largest = max(largest, min(Fraction(1), (len(order) - place) * p_values[number]))
        corrected[number] = largest
    undecided = sum(p_value * ONE_IN >= 1 for p_value in corrected)
    return HolmDecision(corrected, ONE_IN * max(1, undecided))
