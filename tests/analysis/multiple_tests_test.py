from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.analysis.multiple_tests import holm

p_values = st.lists(st.integers(1, 1000).map(lambda n: Fraction(n, 1000)), min_size=1, max_size=30)


def test_by_hand():
    found = holm([Fraction(n, 1000) for n in (10, 40, 30, 5)])
    assert found.p_values == [Fraction(n, 1000) for n in (30, 60, 60, 20)]
    # Two are left: 0.03 and 0.04 are not below 0.05 / 2.
    assert found.one_in == 40


def test_a_p_value_at_the_level_is_not_below_it():
    assert holm([Fraction(1, 40)] * 2) == ([Fraction(1, 20)] * 2, 40)


def test_one_test_is_not_corrected():
    assert holm([Fraction(3, 100)]) == ([Fraction(3, 100)], 20)
    assert holm([]) == ([], 20)


@given(p_values)
def test_it_decides_as_holm_says(p_values):
    """Step by step, from the smallest: each at 0.05 by the number that is left, until one fails."""
    left = sorted(p_values)
    while left and left[0] < Fraction(1, 20 * len(left)):
        left.pop(0)
    found = holm(p_values)
    for p_value, corrected in zip(p_values, found.p_values):
        rejected = not left or p_value < left[0]
        assert (corrected < Fraction(1, 20)) == rejected
        assert (p_value < Fraction(1, found.one_in)) == rejected
        assert p_value <= corrected <= 1


@given(p_values, st.randoms())
def test_the_order_does_not_matter(p_values, random):
    order = list(range(len(p_values)))
    random.shuffle(order)
    found, shuffled = holm(p_values), holm([p_values[place] for place in order])
    assert shuffled == ([found.p_values[place] for place in order], found.one_in)
