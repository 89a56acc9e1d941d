from fractions import Fraction

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.analysis.confidence_curve import ConfidenceCurve

seeds = st.integers(0, 10_000)


def curve_of(kind, seed, num_samples, difference):
    """A curve of random samples, many of which may be equal, or exactly 0."""
    draw = numpy.random.default_rng(seed)
    if kind == "resamples":
        resampled = difference + draw.integers(-20, 21, num_samples) / 40
        return ConfidenceCurve.of_resamples(difference, resampled)
    # What was found is in all intervals of the test.
    outwards = draw.integers(0, 21, size=(2, num_samples)) / 40
    bounds = difference + numpy.array([[-1], [1]]) * outwards
    return ConfidenceCurve.of_bounds(difference, bounds)


@settings(max_examples=300)
@given(
    st.sampled_from(["bounds", "resamples"]),
    seeds,
    st.integers(1, 2000),
    st.integers(-20, 20),
    st.integers(1, 30),
)
def test_p_is_small_exactly_where_0_is_outside(kind, seed, num_samples, difference, factor):
    """At any level, with any number of samples."""
    curve = curve_of(kind, seed, num_samples, difference / 40)
    one_in = 20 * factor
    low, high = curve.interval(one_in)
    assert (curve.p_value < Fraction(1, one_in)) == (low > 0 or high < 0)
    wider = curve.interval(one_in + 20)
    assert wider[0] <= low and high <= wider[1]


def test_resamples_by_hand():
    """Of 99, one or two at either end are rarer than 5 %, and the fourth is the last of 2 · 4 < 10."""
    resampled = numpy.arange(-9, 90) / 100
    curve = ConfidenceCurve.of_resamples(0.4, resampled)
    assert curve.interval() == (pytest.approx(-0.08), pytest.approx(0.88))
    assert curve.p_value == Fraction(2 * (10 + 1), 100)
    assert curve.interval(50) == (-1.0, 1.0), "one is as rare as 2 / 100, which is not below"


def test_bounds_by_hand():
    bounds = numpy.array([numpy.arange(99) / 100 - 0.02, numpy.full(99, 1.0)])
    curve = ConfidenceCurve.of_bounds(0.98, bounds)
    # -0.02, -0.01 and 0 are not above 0: with what was found these are 4 of 100.
    assert curve.p_value == Fraction(4, 100)
    # The fourth: 5 of 100 are not below it.
    assert curve.interval() == (pytest.approx(0.01), 1.0)
    assert curve.interval(25) == (pytest.approx(0.0), 1.0)
    assert curve.at_95() == (0.98, pytest.approx(0.01), 1.0, 0.04)


@pytest.mark.parametrize("one_in", [20, 20 * 66])
def test_what_all_clusters_say(one_in):
    """The exact interval of a share of which 30 of 30 were seen, at the level that is asked for."""
    curve = ConfidenceCurve.of_bounds(1.0, numpy.ones((2, 30_000)), unanimous=30)
    low, high = curve.interval(one_in)
    # So small a share would have been right 30 times with half that probability.
    assert ((low + 1) / 2) ** 30 == pytest.approx(1 / one_in / 2) and high == 1
