import numpy
import pytest
from scipy.stats import binomtest

from linspector_allennlp.metrics.interval import SEED, bootstrap_interval, resampled_interval


@pytest.mark.parametrize("num_correct, num_items", [(800, 1000), (83, 100), (19, 20), (1, 7)])
def test_it_is_what_resampling_gives(num_correct, num_items):
    correct = numpy.arange(num_items) < num_correct
    rng = numpy.random.default_rng(1)
    means = rng.choice(correct, size=(20_000, num_items)).mean(axis=1)
    resampled = numpy.percentile(means, [2.5, 97.5])
    assert bootstrap_interval(num_correct, num_items) == pytest.approx(
        tuple(resampled), abs=1.5 / num_items
    )


def test_the_size_that_the_study_lacks():
    low, high = bootstrap_interval(800, 1000)
    assert (0.8 - low, high - 0.8) == pytest.approx((0.025, 0.025), abs=0.0015)


@pytest.mark.parametrize("num_items", [1, 30, 1000])
def test_without_errors_or_without_hits_it_is_the_exact_interval(num_items):
    for num_correct in (0, num_items):
        exact = binomtest(num_correct, num_items).proportion_ci(0.95, method="exact")
        assert bootstrap_interval(num_correct, num_items) == pytest.approx((exact.low, exact.high))


def ratio(achieved, possible):
    return achieved.sum(axis=1) / possible.sum(axis=1)


ACHIEVED = numpy.array([3.0, 0.0, 5.0, 1.0, 2.0, 4.0, 0.0, 7.0])
POSSIBLE = numpy.array([4.0, 3.0, 5.0, 6.0, 2.0, 9.0, 1.0, 8.0])


def test_resampled_sentences_are_those_of_a_plain_loop_with_the_same_draws():
    rng = numpy.random.default_rng(SEED)
    means = []
    for _ in range(2000):
        drawn = rng.multinomial(8, [1 / 8] * 8).tolist()
        assert sum(drawn) == 8
        achieved = sum(times * value for times, value in zip(drawn, ACHIEVED.tolist()))
        possible = sum(times * value for times, value in zip(drawn, POSSIBLE.tolist()))
        means.append(achieved / possible)
    means.sort()
    # The 2.5th percentile of 2000: 2.5 % of the way along their 1999 gaps, 49.975.
    low = means[49] + 0.975 * (means[50] - means[49])
    high = means[1949] + 0.025 * (means[1950] - means[1949])
    assert resampled_interval(ratio, ACHIEVED, POSSIBLE) == pytest.approx((low, high))


def test_resampling_sentences_of_one_item_each_is_the_interval_of_items():
    correct = (numpy.arange(200) < 150).astype(float)
    found = resampled_interval(ratio, correct, numpy.ones(200))
    assert found == pytest.approx(bootstrap_interval(150, 200), abs=0.011)


def test_sentences_that_stand_or_fall_as_one_leave_more_doubt():
    # 50 sentences of 10 items: all right, or all wrong. Items alone would say ± 0.04, sentences ± 0.12.
    achieved = numpy.where(numpy.arange(50) < 35, 10.0, 0.0)
    low, high = resampled_interval(ratio, achieved, numpy.full(50, 10.0))
    narrow = bootstrap_interval(350, 500)
    assert high - low > 2.5 * (narrow[1] - narrow[0])
    assert (low, high) == pytest.approx(bootstrap_interval(35, 50), abs=0.021)


def test_a_sample_that_cannot_be_scored_does_not_count():
    with numpy.errstate(invalid="ignore"):
        low, high = resampled_interval(ratio, numpy.array([0.5, 0.0]), numpy.array([1.0, 0.0]))
    assert (low, high) == (0.5, 0.5)


def test_confidence():
    wide, narrow = (
        resampled_interval(ratio, ACHIEVED, POSSIBLE, confidence=c) for c in (0.99, 0.5)
    )
    usual = resampled_interval(ratio, ACHIEVED, POSSIBLE)
    assert wide[0] < usual[0] < narrow[0] < narrow[1] < usual[1] < wide[1]
    assert usual == resampled_interval(ratio, ACHIEVED, POSSIBLE, confidence=0.95)


def test_within_strata():
    """Of two lengths with one sentence each nothing can be drawn but these; of four equal ones all."""
    achieved, possible = numpy.array([1.0, 0.0, 1.0, 0.0]), numpy.ones(4)
    apart = resampled_interval(ratio, achieved, possible, numpy.array([1, 2, 3, 4]))
    assert apart == (0.5, 0.5)
    pairs = resampled_interval(ratio, achieved, possible, numpy.array([1, 1, 2, 2]))
    together = resampled_interval(ratio, achieved, possible)
    assert pairs == together == (0.0, 1.0)
    within = resampled_interval(ratio, achieved, possible, numpy.array([1, 2, 1, 2]))
    assert within == (0.5, 0.5)  # 1 and 1 in the one, 0 and 0 in the other
