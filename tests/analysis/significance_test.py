import itertools
import math
from fractions import Fraction

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_ind

from linspector_allennlp.analysis import significance
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.seed_error import seed_error
from linspector_allennlp.analysis.significance import (
    mcnemar,
    paired_difference,
    randomisation_curve,
)

counts = st.integers(0, 200)
rows = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 9)), min_size=1)


def rng(seed=1):
    return numpy.random.default_rng(seed)


@pytest.mark.parametrize(
    "only_a, only_b, p_value",
    [
        (10, 2, 2 * (1 + 12 + 66) / 2**12),
        (2, 10, 2 * (1 + 12 + 66) / 2**12),
        (0, 5, 2 / 2**5),
        (1, 0, 1.0),
        (4, 4, 1.0),
        (0, 0, 1.0),
    ],
)
def test_mcnemar_by_hand(only_a, only_b, p_value):
    assert mcnemar(only_a, only_b) == pytest.approx(p_value)


@given(counts, counts)
def test_mcnemar_is_the_sum_of_what_is_as_rare(only_a, only_b):
    n, few = only_a + only_b, min(only_a, only_b)
    as_rare = [k for k in range(n + 1) if math.comb(n, k) <= math.comb(n, few)]
    exact = Fraction(sum(math.comb(n, k) for k in as_rare), 2**n)
    assert mcnemar(only_a, only_b) == pytest.approx(float(exact))
    assert mcnemar(only_a, only_b) == mcnemar(only_b, only_a)
    if n:
        assert mcnemar(only_a, only_b) == pytest.approx(binomtest(only_a, n).pvalue)


def every_sample(gains, sizes, delta):
    """
    By how much B is ahead of A, less `delta` for each item, with the names on each cluster exchanged or
    not, in all ways.
    """
    rest = [Fraction(gain) - delta * size for gain, size in zip(gains, sizes)]
    for signs in itertools.product((1, -1), repeat=len(rest)):
        yield sum(sign * each for sign, each in zip(signs, rest))


def exact_p(gains, sizes, delta=Fraction(0)):
    found, *_ = samples = list(every_sample(gains, sizes, delta))
    return sum(abs(sample) >= abs(found) for sample in samples) / len(samples)


CASES = [
    # Clusters of several sizes.
    ([0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0], [1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1], list("aabbccdddef")),
    ([1, 1, 1, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 0, 0], [1, 1, 1, 2, 2, 3, 4, 5, 6]),
    # Items that are their own clusters.
    ([0] * 7 + [1, 1], [1] * 7 + [0, 1], range(9)),
    ([0] * 8, [1] * 7 + [0], range(8)),
]


@pytest.mark.parametrize("correct_a, correct_b, clusters", CASES)
def test_it_comes_near_to_exchanging_in_all_ways(correct_a, correct_b, clusters):
    found = paired_difference(correct_a, correct_b, clusters, rng(), 200_000)
    names = list(dict.fromkeys(clusters))
    gains, sizes = [0] * len(names), [0] * len(names)
    for a, b, cluster in zip(correct_a, correct_b, clusters):
        gains[names.index(cluster)] += b - a
        sizes[names.index(cluster)] += 1
    assert found.difference == pytest.approx(sum(gains) / sum(sizes))
    assert found.p_value == pytest.approx(exact_p(gains, sizes), abs=0.005)
    # A difference within the interval could be the true one, a difference outside of it could not.
    for end, outwards in ((found.low, -1), (found.high, 1)):
        end = Fraction(end).limit_denominator(100)
        if abs(end) < 1:
            assert exact_p(gains, sizes, end) >= 0.049
            assert exact_p(gains, sizes, end + outwards * Fraction(1, 1000)) < 0.051


@pytest.mark.parametrize("only_a, only_b", [(2, 10), (10, 2), (0, 7), (5, 25), (3, 9)])
def test_of_items_it_is_mcnemars_test(only_a, only_b):
    correct_a = [True] * only_a + [False] * only_b + [True] * 20
    correct_b = [False] * only_a + [True] * only_b + [True] * 20
    found = paired_difference(correct_a, correct_b, range(len(correct_a)), rng(), 100_000)
    assert found.p_value == pytest.approx(mcnemar(only_a, only_b), abs=0.003)


@settings(max_examples=300)
@given(rows, st.integers(100, 400), st.integers(0, 1000))
def test_the_interval_excludes_0_exactly_if_p_is_small(rows, num_samples, seed):
    a, b, clusters = zip(*rows)
    found = paired_difference(a, b, clusters, rng(seed), num_samples)
    assert (found.p_value < 0.05) == (found.low > 0 or found.high < 0)
    assert -1 <= found.low <= found.difference + 1e-12
    assert found.difference - 1e-12 <= found.high <= 1
    if len(set(clusters)) < 4:  # of four, one in a hundred draws of 100 samples could be otherwise
        assert (found.low, found.high) == (-1, 1) and found.p_value > 0.05


@pytest.mark.parametrize("num_clusters, p_value", [(1, 1), (3, 2 / 8), (5, 2 / 32), (6, 2 / 64)])
def test_few_clusters_know_how_few_they_are(num_clusters, p_value):
    """B has all right, A none: 2 of the 2ⁿ ways leave that."""
    found = paired_difference(
        [False] * num_clusters, [True] * num_clusters, range(num_clusters), rng()
    )
    assert found.p_value == pytest.approx(p_value, abs=0.01)
    # Of more than this share of clusters that A wins, six without one would be too rare.
    lost = 1 - 0.025 ** (1 / num_clusters)
    low = -1 if num_clusters < 6 else 1 - 2 * lost
    assert (found.low, found.high) == (pytest.approx(low), 1)


def test_many_independent_items_come_near_to_the_normal_distribution():
    correct_a = numpy.repeat([True, True, False, False], [5000, 330, 380, 4290])
    correct_b = numpy.repeat([True, False, True, False], [5000, 330, 380, 4290])
    found = paired_difference(correct_a, correct_b, range(10_000), rng(), 50_000)
    error = math.sqrt(710 - 50**2 / 10_000) / 10_000
    assert found.difference == pytest.approx(0.005)
    assert found.low == pytest.approx(0.005 - 1.96 * error, abs=0.05 * error)
    assert found.high == pytest.approx(0.005 + 1.96 * error, abs=0.05 * error)
    assert found.p_value == pytest.approx(math.erfc(0.005 / error / math.sqrt(2)), abs=0.01)


def test_words_of_one_sentence_count_as_one_draw():
    correct_a = numpy.tile([True, False, False, False], 25)
    correct_b = numpy.tile([False, True, True, False], 25)
    alone = paired_difference(correct_a, correct_b, range(100), rng())
    # The same hundred items, each ten times.
    sentences = numpy.repeat(numpy.arange(100), 10)
    together = paired_difference(correct_a.repeat(10), correct_b.repeat(10), sentences, rng())
    assert together == alone
    as_if_independent = paired_difference(
        correct_a.repeat(10), correct_b.repeat(10), range(1000), rng()
    )
    width = alone.high - alone.low
    assert as_if_independent.high - as_if_independent.low == pytest.approx(
        width / math.sqrt(10), rel=0.1
    )


@settings(max_examples=50)
@given(rows, st.integers(0, 1000))
def test_a_and_b_can_change_places(rows, seed):
    a, b, clusters = zip(*rows)
    found = paired_difference(a, b, clusters, rng(seed), 200)
    changed = paired_difference(b, a, clusters, rng(seed), 200)
    assert changed.p_value == found.p_value
    assert changed[:3] == pytest.approx((-found.difference, -found.high, -found.low))


@settings(max_examples=50)
@given(rows, st.integers(0, 1000))
def test_what_always_holds(rows, seed):
    a, b, clusters = zip(*rows)
    found = paired_difference(a, b, clusters, rng(seed), 200)
    assert found.difference == pytest.approx((sum(b) - sum(a)) / len(rows))
    assert 1 / 201 <= found.p_value <= 1
    assert found == paired_difference(a, b, clusters, rng(seed), 200), "the seed decides"
    names = [f"sentence {cluster}" for cluster in clusters]
    assert found == paired_difference(a, b, names, rng(seed), 200), "names do not"


@given(st.lists(st.booleans(), min_size=8))
def test_runs_that_are_alike(correct):
    found = paired_difference(correct, correct, range(len(correct)), rng(), 100)
    assert (found.difference, found.p_value) == (0, 1)
    # Agreement on these items does not prove it for others.
    differing = 1 if len(correct) < 6 else 1 - 0.025 ** (1 / len(correct))
    assert -found.low == found.high and differing - 1e-9 <= found.high <= 1


def test_p_is_never_0():
    found = paired_difference([False] * 50, [True] * 50, range(50), rng(), 999)
    assert found == (1.0, pytest.approx(2 * 0.025 ** (1 / 50) - 1), 1.0, 1 / 1000)


@pytest.mark.parametrize("cells", [1, 1000, 5000])
def test_chunks_change_nothing(monkeypatch, cells):
    draw = rng(3)
    clusters = numpy.arange(300) // 6
    correct = draw.random((2, 300)) < 0.5
    whole = paired_difference(*correct, clusters, rng(), 500)
    monkeypatch.setattr(significance, "CHUNK_CELLS", cells)
    assert paired_difference(*correct, clusters, rng(), 500) == whole


def test_other_numbers_of_items():
    with pytest.raises(ValueError, match="found 2, 1 and 2"):
        paired_difference([True, False], [True], [0, 1], rng())


def of_seeds(num_a, num_b, num_items=40, seed=4):
    """Both sides with several seeds, in sentences, B being better."""
    draw = rng(seed)
    sides = (draw.random((num, num_items)) < share for num, share in ((num_a, 0.5), (num_b, 0.7)))
    return *sides, numpy.arange(num_items) // 2


@pytest.mark.parametrize("num_seeds", [(3, 3), (2, 5), (1, 4)])
def test_of_several_seeds_by_its_definition(num_seeds):
    """A sample is as large as what was found, for any δ that is tested, with other coins and errors."""
    scores = PairedClusters.of_items(*of_seeds(*num_seeds))
    found = randomisation_curve(scores, rng(), 100_000)
    gains, sizes = scores.gains / scores.weights.sum(), scores.weights / scores.weights.sum()
    draw, num_samples = rng(7), 100_000
    coins = draw.choice([-1, 1], size=(num_samples, len(gains)))
    errors = seed_error(scores).draw(draw, num_samples)

    def p_value(delta):
        rest = gains - delta * sizes
        return (abs(coins @ rest + errors) >= abs(rest.sum()) - 1e-12).mean()

    assert float(found.p_value) == pytest.approx(p_value(0), abs=0.006)
    for one_in in (20, 100):
        low, high = found.interval(one_in)
        for end in (low, high):
            assert abs(end) == 1 or p_value(end) == pytest.approx(1 / one_in, abs=0.003)


def test_seeds_that_agree_are_one_run():
    a, b, clusters = of_seeds(1, 1)
    alone = paired_difference(a, b, clusters, rng(), 500)
    assert (
        paired_difference(a.repeat(3, axis=0), b.repeat(2, axis=0), clusters, rng(), 500) == alone
    )


def test_seeds_that_differ_widen_the_interval():
    """Of many items, what is left is Student's t of the seeds' means, by Welch."""
    accuracies = [0.50, 0.52, 0.51], [0.55, 0.58, 0.57]
    items = (numpy.arange(100_000) + 0.5) / 100_000
    a, b = (numpy.array([items < each for each in side]) for side in accuracies)
    found = paired_difference(a, b, range(100_000), rng(), 40_000)
    expected = ttest_ind(accuracies[1], accuracies[0], equal_var=False)
    assert found.p_value == pytest.approx(expected.pvalue, rel=0.15)
    low, high = expected.confidence_interval()
    assert (found.low, found.high) == (
        pytest.approx(low, abs=0.003),
        pytest.approx(high, abs=0.003),
    )
