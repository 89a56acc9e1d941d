import numpy
import pytest
from scipy.stats import binomtest

from linspector_allennlp.metrics.interval import bootstrap_interval


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
