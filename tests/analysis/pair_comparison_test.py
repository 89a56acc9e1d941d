import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.analysis.pair_comparison import (
    METHODS,
    Contest,
    compare_pairs,
    enough_samples,
    mean_and_sd,
)
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.significance import paired_difference


def draw_scores(draw):
    """Both sides on some items, with any number of seeds, and differences of any size."""
    num_clusters, size = draw.integers(1, 60), draw.integers(1, 4)
    clusters = numpy.arange(num_clusters).repeat(size)
    shares = draw.choice([0, 0.3, 0.5, 0.6, 0.9, 1], size=2)
    sides = [draw.random((draw.integers(1, 5), len(clusters))) < share for share in shares]
    return PairedClusters.of_items(*sides, clusters)


def contest(scores):
    return Contest(scores, same_seeds=False)


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(100, 1000), st.sampled_from(METHODS))
def test_p_interval_and_verdict_agree(seed, num_pairs, num_samples, method):
    """Corrected or not."""
    draw = numpy.random.default_rng(seed)
    contests = [contest(draw_scores(draw)) for _ in range(num_pairs)]
    for (scores, _), found in zip(contests, compare_pairs(contests, num_samples, seed, method)):
        assert found.difference == pytest.approx(
            numpy.mean(found.scores_b) - numpy.mean(found.scores_a)
        )
        assert found.scores_a == pytest.approx(scores.right_a.sum(axis=1) / scores.sizes.sum())
        assert (found.p_value < 0.05) == (found.low > 0 or found.high < 0)
        assert (found.holm_p_value < 0.05) == (found.holm_low > 0 or found.holm_high < 0)
        assert (found.better is not None) == (found.holm_p_value < 0.05)
        if found.better:
            assert (found.better == "b") == (found.difference > 0)
        assert found.p_value <= found.holm_p_value <= 1
        assert -1 <= found.holm_low <= found.low <= found.high <= found.holm_high <= 1
        assert 0.95 <= found.confidence <= 1 - 0.05 / num_pairs + 1e-12


@settings(max_examples=100)
@given(st.integers(0, 10_000))
def test_a_and_b_can_change_places(seed):
    scores = draw_scores(numpy.random.default_rng(seed))
    turned = scores._replace(right_a=scores.right_b, right_b=scores.right_a)
    if not scores.gains.any():
        return  # then nothing says which way round they are
    (found,), (other,) = (compare_pairs([contest(each)], 200, seed) for each in (scores, turned))
    assert other.p_value == found.p_value
    assert (other.difference, other.low, other.high) == pytest.approx(
        (-found.difference, -found.high, -found.low)
    )
    assert other.better == {None: None, "a": "b", "b": "a"}[found.better]


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_items_and_seeds_does_not_matter(method):
    """But for the samples."""
    draw = numpy.random.default_rng(2)
    a, b = draw.random((2, 3, 300)) < numpy.array([0.6, 0.65])[:, None, None]
    clusters = draw.integers(0, 80, 300)
    order = draw.permutation(300)
    (found,), (other,) = (
        compare_pairs([contest(PairedClusters.of_items(*each))], 20_000, 1, method)
        for each in ((a, b, clusters), (a[::-1][:, order], b[::-1][:, order], clusters[order]))
    )
    assert other.difference == pytest.approx(found.difference)
    assert other.p_value == pytest.approx(found.p_value, abs=0.01)
    assert (other.low, other.high) == pytest.approx((found.low, found.high), abs=0.005)


def test_of_one_seed_it_is_the_test_of_two_runs():
    draw = numpy.random.default_rng(3)
    a, b = draw.random((2, 200)) < 0.5
    clusters = numpy.arange(200) // 3
    (found,) = compare_pairs([contest(PairedClusters.of_items(a, b, clusters))], 500, 13)
    expected = paired_difference(a, b, clusters, numpy.random.default_rng(13), 500)
    assert (found.difference, found.low, found.high, found.p_value) == expected


@pytest.mark.parametrize("num_pairs", [1, 66, 2000])
def test_many_pairs_get_enough_samples(num_pairs):
    """Ten may be as large as what was found, and it is still a difference after the correction."""
    assert num_pairs * 10 / (enough_samples(num_pairs) + 1) < 0.05


def test_one_seed_has_no_deviation():
    assert mean_and_sd([0.5]) == (0.5, None)
    assert mean_and_sd([0.5, 0.7]) == (pytest.approx(0.6), pytest.approx(0.1414, abs=1e-4))
