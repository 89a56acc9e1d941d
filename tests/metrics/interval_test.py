import numpy
import pytest
from scipy.stats import binomtest, t

from linspector_allennlp.metrics.interval import (
    bootstrap_interval,
    jackknife_error,
    length_mean_interval,
    share_interval,
)


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


def test_the_jackknife_of_a_mean_is_its_usual_error():
    values = numpy.array([1.0, 4.0, 4.0, 7.0])
    without = (values.sum() - values) / 3
    # The variance of the four is 6, that of their mean 6 / 4.
    assert jackknife_error(without) == pytest.approx(1.5**0.5)
    assert jackknife_error(numpy.full(3, 0.1)) == 0


def test_a_share_by_hand():
    """
    1 of 2 and 3 of 4 are 4 of 6. Without either: 3/4 and 1/2, whose mean is 5/8; each is 1/8 away, so
    the error is √(1/2 · 2 · 1/64) = 1/8. The quantile of t for one degree is 12.706, 161.4 squared.
    """
    low, high = share_interval(numpy.array([1.0, 3.0]), numpy.array([2.0, 4.0]))
    items = (2 / 3 * 1 / 3) / (1 / 64)  # 14.22 independent ones vary as much
    spread = 161.448 / items
    width = 12.7062 * (1 / 64 + 161.448 / (4 * items**2)) ** 0.5
    centre = 2 / 3 + spread / 2
    assert low == pytest.approx((centre - width) / (1 + spread), abs=1e-5)
    assert high == pytest.approx((centre + width) / (1 + spread), abs=1e-5)
    assert 0 < low < 2 / 3 < high < 1


def test_a_share_of_sentences_of_one_item_each_is_wilsons_interval_but_for_t():
    correct = (numpy.arange(200) < 150).astype(float)
    wilson = binomtest(150, 200).proportion_ci(0.95, method="wilson")
    found = share_interval(correct, numpy.ones(200))
    assert found == pytest.approx((wilson.low, wilson.high), abs=0.001)


def test_sentences_that_stand_or_fall_as_one_leave_more_doubt():
    # 50 sentences of 10 items: all right, or all wrong. Items alone would say ± 0.04, sentences ± 0.12.
    achieved = numpy.where(numpy.arange(50) < 35, 10.0, 0.0)
    low, high = share_interval(achieved, numpy.full(50, 10.0))
    narrow = bootstrap_interval(350, 500)
    assert high - low > 2.5 * (narrow[1] - narrow[0])
    assert (low, high) == pytest.approx(bootstrap_interval(35, 50), abs=0.03)


def test_sentences_without_anything_to_score_do_not_count():
    achieved, possible = numpy.array([3.0, 0.0, 5.0, 0.0]), numpy.array([4.0, 0.0, 9.0, 0.0])
    assert share_interval(achieved, possible) == share_interval(achieved[::2], possible[::2])
    lengths = numpy.array([5, 6, 7, 7])
    assert length_mean_interval(achieved, possible, lengths) == length_mean_interval(
        achieved[::2], possible[::2], lengths[::2]
    )


@pytest.mark.parametrize("achieved", [[3.0], [3.0, 3.0], [1.0, 1.0, 1.0]])
def test_there_is_none_where_nothing_varies(achieved):
    possible = numpy.full(len(achieved), 7.0)
    assert share_interval(numpy.array(achieved), possible) is None
    lengths = numpy.arange(5, 5 + len(achieved))
    assert length_mean_interval(numpy.array(achieved), possible, lengths) is None


def test_a_mean_over_lengths_by_hand():
    """
    Lengths 5 (0.2 and 0.4), 6 (0.5) and 7 (0.7): the mean is (0.3 + 0.5 + 0.7) / 3 = 0.5. Without each
    sentence: (0.4 + 1.2) / 3, (0.2 + 1.2) / 3, (0.3 + 0.7) / 2, (0.3 + 0.5) / 2.
    """
    scores, lengths = numpy.array([0.2, 0.4, 0.5, 0.7]), numpy.array([5, 5, 6, 7])
    without = [1.6 / 3, 1.4 / 3, 1.0 / 2, 0.8 / 2]
    middle = sum(without) / 4
    error = (3 / 4 * sum((each - middle) ** 2 for each in without)) ** 0.5
    # Two groups give the variance, the sentences of length 5 and those that are alone, with one degree
    # of freedom each.
    first, second = (
        sum((each - middle) ** 2 for each in part) for part in (without[:2], without[2:])
    )
    freedom = (first + second) ** 2 / (first**2 + second**2)
    assert freedom == pytest.approx(1.849, abs=1e-3)
    reach = t.ppf(0.975, freedom) * error
    low, high = length_mean_interval(scores, numpy.ones(4), lengths)
    assert (low, high) == pytest.approx((0.5 - reach, 0.5 + reach), abs=1e-5)


def test_a_length_with_two_sentences_is_not_as_certain_as_one_with_many():
    """By simulation: of 400 sentences of one length and two of another, most of the variance is the two's."""
    rng, lengths = numpy.random.default_rng(1), numpy.array([10] * 400 + [11] * 2)
    held = 0
    for _ in range(400):
        scores = 0.3 + 0.1 * rng.standard_normal(402)
        low, high = length_mean_interval(scores, numpy.ones(402), lengths)
        held += low <= 0.3 <= high
    assert held >= 0.9 * 400


def test_sentences_of_one_length_have_the_interval_of_their_mean():
    values = numpy.array([0.1, 0.3, 0.4, 0.2, 0.5])
    reach = 2.776445 * values.std(ddof=1) / 5**0.5
    found = length_mean_interval(values * 8, numpy.full(5, 8.0), numpy.full(5, 8))
    assert found == pytest.approx((0.3 - reach, 0.3 + reach), abs=1e-6)


def test_ten_sentences_are_never_almost_certain():
    """Only two share a length, and have nearly the same score; the others say how little is known."""
    scores = numpy.array([0.4282, 0.4295, 0.31, 0.62, 0.55, 0.28, 0.47, 0.39, 0.51, 0.30])
    lengths = numpy.array([12, 12, 5, 7, 8, 15, 19, 23, 30, 41])
    low, high = length_mean_interval(scores, numpy.ones(10), lengths)
    assert low < 0.36 and high > 0.50
    # About as wide as that of the mean of ten plain numbers.
    usual = 2.262 * scores.std(ddof=1) / 10**0.5
    assert usual < (high - low) / 2 < 1.25 * usual


def test_correlations_stay_between_their_bounds():
    low, high = length_mean_interval(numpy.array([1.0, -0.5]), numpy.ones(2), numpy.array([5, 6]))
    assert (low, high) == (-1, 1)


@pytest.mark.parametrize("interval", [share_interval, length_mean_interval])
def test_confidence(interval):
    achieved = numpy.array([3.0, 0.0, 5.0, 1.0, 2.0, 4.0, 0.0, 7.0])
    possible = numpy.array([4.0, 3.0, 6.0, 6.0, 2.0, 9.0, 1.0, 8.0])
    lengths = [numpy.array([5, 5, 5, 5, 6, 6, 6, 6])] if interval is length_mean_interval else []
    wide, usual, narrow = (
        interval(achieved, possible, *lengths, confidence=share) for share in (0.99, 0.95, 0.5)
    )
    assert wide[0] < usual[0] < narrow[0] < narrow[1] < usual[1] < wide[1]
    assert usual == interval(achieved, possible, *lengths)
