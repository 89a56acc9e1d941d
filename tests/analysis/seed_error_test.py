import numpy
import pytest
from scipy import stats

from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.seed_error import SeedError, seed_error


def scores(a, b):
    return PairedClusters.of_items(a, b, range(len(a[0])))


def rng(seed=1):
    return numpy.random.default_rng(seed)


def first(*rights):
    """The first items right, of ten."""
    return [[place < right for place in range(10)] for right in rights]


def test_by_hand():
    """Accuracies .4 .5 .6 and .5 .9: variances of one seed .01 and .08."""
    error = seed_error(scores(first(4, 5, 6), first(5, 9)))
    of_a, of_b = 0.01 / 3, 0.08 / 2
    assert error.variance == pytest.approx(of_a + of_b)
    # Welch and Satterthwaite.
    assert error.degrees == pytest.approx((of_a + of_b) ** 2 / (of_a**2 / 2 + of_b**2 / 1))


def test_the_part_of_items_by_hand():
    """Two seeds, each with another half of ten items right: the seeds are equal, their items are not."""
    a = [[1] * 5 + [0] * 5, [1] * 4 + [0] * 5 + [1]]
    error = seed_error(scores(a, first(3, 4)))
    # Of A, two items differ: ± 1/2 for each seed; of B, one, which makes its mean differ by 1/20.
    of_a = 4 * 0.25 / 10**2 * 10 / 9 / 2
    of_b = (2 * (0.5 - 0.05) ** 2 + 9 * 2 * 0.05**2) / 10**2 * 10 / 9 / 2
    assert error.by_items == pytest.approx(of_a + of_b)


def test_agrees_with_an_analysis_of_variance():
    """The mean squares of seeds and of their interaction with items, in two ways with one item a cell."""
    right = rng().random((4, 50)) < rng(2).random((4, 1)) + 0.2
    grand, seeds, items = right.mean(), right.mean(axis=1), right.mean(axis=0)
    of_seeds = 50 * ((seeds - grand) ** 2).sum() / 3
    rest = right - seeds[:, None] - items + grand
    interaction = (rest**2).sum() / (3 * 49)
    error = seed_error(scores(right, right))
    assert error.variance == pytest.approx(2 * of_seeds / 50 / 4)
    assert error.by_items == pytest.approx(2 * interaction / 50 / 4)
    assert error.degrees == pytest.approx(6)


def test_seeds_that_are_equally_good_differ_by_their_items_only():
    """On average, both variances are the same then."""
    draw = rng()
    errors = []
    for _ in range(400):
        of_items = draw.random(60)
        errors.append(seed_error(scores(*(draw.random((2, 3, 60)) < of_items))))
    ratio = sum(e.variance for e in errors) / sum(e.by_items for e in errors)
    assert ratio == pytest.approx(1, abs=0.1)


def test_words_of_one_sentence_count_as_one_draw():
    """Each item ten times, in one sentence: nothing else is known than of each once."""
    a, b = rng().random((2, 3, 40)) < 0.6
    once = seed_error(scores(a, b))
    sentences = numpy.arange(40).repeat(10)
    ten = seed_error(PairedClusters.of_items(a.repeat(10, axis=1), b.repeat(10, axis=1), sentences))
    assert ten == pytest.approx(once)


@pytest.mark.parametrize(
    "a, b", [(first(5), first(7)), (first(5, 5, 5), first(7, 7)), (first(5), first(7, 7))]
)
def test_seeds_that_agree_make_no_error(a, b):
    assert seed_error(scores(a, b)).variance == 0


@pytest.mark.parametrize("one_is_a", [True, False])
def test_one_seed_varies_as_the_other_side_does(one_is_a):
    sides = first(5), first(4, 5, 6)
    error = seed_error(scores(*(sides if one_is_a else sides[::-1])))
    assert error.variance == pytest.approx(0.01 / 1 + 0.01 / 3) and error.degrees == 2


@pytest.mark.parametrize("degrees", [2, 4.5])
def test_without_the_part_of_items_it_is_students_t(degrees):
    drawn = SeedError(0.04, 0.0, degrees).draw(rng(), 200_000) / 0.2
    for share in (0.025, 0.2, 0.9, 0.975):
        found = (drawn < stats.t.ppf(share, degrees)).mean()
        assert found == pytest.approx(share, abs=0.003)


def test_what_items_tell_is_taken_off():
    """With many degrees of freedom the variance is known, and so is what is left."""
    drawn = SeedError(0.05, 0.01, 1e6).draw(rng(), 100_000)
    assert drawn.var() == pytest.approx(0.04, rel=0.02)
    assert not SeedError(0.05, 0.1, 1e6).draw(rng(), 1000).any()
