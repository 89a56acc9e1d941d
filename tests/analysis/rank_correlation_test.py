import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, permutation_test, spearmanr

from linspector_allennlp.analysis.rank_correlation import correlate, p_by_t, rank_p_values


@given(
    st.integers(3, 12).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 6), min_size=n, max_size=n)] * 2)
    )
)
def test_it_is_that_of_scipy(points):
    x, y = (numpy.array(side, dtype=float) for side in points)
    if numpy.ptp(x) == 0 or numpy.ptp(y) == 0:
        assert math.isnan(correlate(x, y).rho)
        return
    for method, theirs in (("spearman", spearmanr), ("pearson", pearsonr)):
        ours, expected = correlate(x, y, method), theirs(x, y)
        assert ours.rho == pytest.approx(expected.statistic, abs=1e-9)
        assert ours.p_t == pytest.approx(expected.pvalue, abs=1e-6)


@pytest.mark.parametrize("method", ["spearman", "pearson"])
@pytest.mark.parametrize("y", [[2, 1, 4, 3, 6], [1, 1, 2, 5, 2]])
def test_exact_p_values_are_those_of_scipy(method, y):
    x = numpy.array([1.0, 3.0, 2.0, 5.0, 4.0])

    def statistic(first):
        return correlate(first, numpy.array(y, float), method).rho

    expected = permutation_test(
        (x,), statistic, permutation_type="pairings", vectorized=False, n_resamples=math.inf
    )
    found = correlate(x, numpy.array(y, float), method)
    as_large = (abs(expected.null_distribution) >= abs(found.rho) - 1e-9).mean()
    assert found.p_exact == pytest.approx(as_large)


def test_five_points_as_the_paper_has_them():
    """With five embeddings ρ .9, .8 and .7 have p .04, .10 and .19 by t, but .08, .13 and .23 exactly."""
    orders = {
        0.9: [1, 2, 3, 5, 4],
        0.8: [1, 3, 2, 5, 4],
        0.7: [2, 3, 1, 4, 5],
        1.0: [1, 2, 3, 4, 5],
    }
    found = {
        rho: correlate(numpy.arange(5.0), numpy.array(order, float))
        for rho, order in orders.items()
    }
    assert all(each.rho == pytest.approx(rho) for rho, each in found.items())
    by_t = [round(found[rho].p_t, 2) for rho in (0.9, 0.8, 0.7, 1.0)]
    assert by_t == [0.04, 0.10, 0.19, 0]
    exact = [round(found[rho].p_exact, 2) for rho in (0.9, 0.8, 0.7, 1.0)]
    assert exact == [0.08, 0.13, 0.23, 0.02]


# The order is avg, p-means, SIF, GEM, hier, BOREP, BiLSTM, InferSent, QT, sent2vec, BERT, LASER.
IMBALANCED = [8, 6, 7, 5, 12, 9, 11, 1, 3, 4, 9, 2]
BALANCED = [8, 7, 6, 5, 11, 9, 10, 2, 4, 1, 12, 3]
TUNED = [7, 8, 4, 4, 11, 10, 9, 2, 6, 1, 12, 3]
BALANCED_30K = [6, 6, 5, 8, 11, 10, 9, 2, 4, 1, 12, 3]
BALANCED_60K = [7, 5, 5, 9, 11, 10, 8, 1, 4, 1, 12, 3]


@pytest.mark.parametrize(
    "a, b, thesis, corrected",
    [
        (IMBALANCED, BALANCED, 0.91, 0.92),
        (BALANCED, TUNED, 0.95, 0.96),
        (BALANCED, BALANCED_30K, 0.94, 0.95),
        (BALANCED_30K, BALANCED_60K, 0.98, 0.99),
    ],
)
def test_the_thesis_does_not_correct_for_ties(a, b, thesis, corrected):
    a, b = -numpy.array(a, float), -numpy.array(b, float)
    by_hand = 1 - 6 * sum((a - b) ** 2) / (12 * (12**2 - 1))
    found = correlate(a, b, "spearman_min")
    assert found.rho == pytest.approx(by_hand) and round(found.rho, 2) == thesis
    assert round(correlate(a, b).rho, 2) == corrected
    assert math.isnan(found.p_exact) and found.n == 12


def test_ties_get_the_best_of_their_ranks():
    """3 3 1 has the ranks 1 1 3, and 3 2 1 the ranks 1 2 3."""
    x, y = numpy.array([3.0, 3.0, 1.0]), numpy.array([3.0, 2.0, 1.0])
    assert correlate(x, y, "spearman_min").rho == pytest.approx(1 - 6 * 1 / 24)


def test_too_little_to_correlate():
    two, flat = numpy.array([1.0, 2.0]), numpy.ones(4)
    assert math.isnan(correlate(two, two).rho) and correlate(two, two).n == 2
    assert math.isnan(correlate(flat, numpy.arange(4.0)).p_exact)
    with pytest.raises(
        ValueError, match="Expected one of spearman, spearman_min, pearson, found kendall"
    ):
        correlate(numpy.arange(3.0), numpy.arange(3.0), "kendall")


def test_p_values_of_ranks():
    """Three points have six orders: ρ is 1, .5 (twice), -.5 (twice) and -1."""
    assert rank_p_values(3) == pytest.approx({0.5: 1, 1.0: 2 / 6})
    five = rank_p_values(5)
    assert five[1.0] == pytest.approx(2 / 120) and five[0.9] == pytest.approx(10 / 120)
    assert p_by_t(1.0, 5) == 0
