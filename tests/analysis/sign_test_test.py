from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from linspector_allennlp.analysis.sign_test import sign_test


@pytest.mark.parametrize(
    "differences, expected",
    [
        ([0.1] * 6, (0, 6, 0, Fraction(2, 64))),
        ([-0.1, 0.2, 0, 0.3, 1e-12], (1, 3, 1, Fraction(10, 16))),
        ([-1, 1], (1, 1, 0, Fraction(1))),
        ([0.0, 0.0], (0, 0, 2, Fraction(1))),
        ([], (0, 0, 0, Fraction(1))),
    ],
)
def test_by_hand(differences, expected):
    assert sign_test(differences) == expected


@given(st.lists(st.integers(-3, 3), max_size=60))
def test_it_is_the_binomial_test(differences):
    found = sign_test(differences)
    ahead = sum(each > 0 for each in differences)
    num = ahead + sum(each < 0 for each in differences)
    if num:
        assert float(found.p_value) == pytest.approx(binomtest(ahead, num).pvalue)
    turned = sign_test([-each for each in differences])
    assert turned == (found.ahead_b, found.ahead_a, found.ties, found.p_value)
