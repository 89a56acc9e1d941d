"""Which of two is ahead in more settings, as tasks, than coins would give."""

from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import NamedTuple


class SignTest(NamedTuple):
    """
    # Parameters

    ahead_a, ahead_b, ties : `int`
        In how many settings A is ahead, B is, and neither.
    p_value : `Fraction`
        How probable so uneven a count would be, to either side, if coins decided; ties are dropped.
    """

    ahead_a: int
    ahead_b: int
    ties: int
    p_value: Fraction


def sign_test(differences: Iterable[float]) -> SignTest:
    """
    The exact two-sided sign test over settings (Köhn 2016), which must be independent.

    # Parameters

    differences : `Iterable[float]`
        The score of B minus that of A, in each setting.
    """
    signs = [(difference > 0) - (difference < 0) for difference in differences]
    ahead_a, ahead_b = signs.count(-1), signs.count(1)
    num = ahead_a + ahead_b
    as_uneven = 2 * sum(comb(num, few) for few in range(min(ahead_a, ahead_b) + 1))
    p_value = min(Fraction(1), Fraction(as_uneven, 2**num))
    return SignTest(ahead_a, ahead_b, signs.count(0), p_value)
