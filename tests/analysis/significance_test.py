import itertools
import math
from fractions import Fraction

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from linspector_allennlp.analysis import significance
from linspector_allennlp.analysis.significance import mcnemar, paired_bootstrap

counts = st.integers(0, 200)
rows = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), min_size=2).filter(
    lambda rows: len({cluster for *_, cluster in rows}) > 1
)


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


def every_sample(correct_a, correct_b, clusters):
    """The exact differences of all samples that can be drawn, each as probable as any other."""
    items_of = {cluster: [] for cluster in clusters}
    for a, b, cluster in zip(correct_a, correct_b, clusters):
        items_of[cluster].append((a, b))
    for drawn in itertools.product(items_of.values(), repeat=len(items_of)):
        items = [item for cluster in drawn for item in cluster]
        yield Fraction(sum(b for _, b in items) - sum(a for a, _ in items), len(items))


@pytest.mark.parametrize(
    "correct_a, correct_b, clusters",
    [
        # Clusters of several sizes, with ties at |d* − d| = |d|.
        ([0, 0, 1, 1, 0, 1, 0, 0, 1], [1, 1, 1, 0, 1, 1, 1, 0, 0], list("aabbccddd")),
        ([1, 1, 1, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 0], [1, 1, 1, 2, 2, 3, 4, 5]),
        # Items that are their own clusters.
        ([0, 0, 1, 1, 0], [1, 1, 1, 0, 1], range(5)),
        ([1, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], range(6)),
    ],
)
def test_it_comes_near_to_drawing_everything(correct_a, correct_b, clusters):
    found = paired_bootstrap(correct_a, correct_b, clusters, rng(), 200_000)
    samples = list(every_sample(correct_a, correct_b, clusters))
    d = Fraction(sum(correct_b) - sum(correct_a), len(correct_a))
    assert found.difference == pytest.approx(float(d))
    p_value = sum(abs(sample - d) >= abs(d) for sample in samples) / len(samples)
    assert found.p_value == pytest.approx(p_value, abs=0.005)
    low, high = numpy.quantile(numpy.array(samples, dtype=float), [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.02)


def test_a_plain_loop_over_many_clusters():
    draw = rng(7)
    clusters = numpy.repeat(numpy.arange(120), draw.integers(1, 12, size=120))
    easy = draw.random(120)[clusters]
    correct_a = draw.random(len(clusters)) < easy
    correct_b = draw.random(len(clusters)) < easy + 0.03
    found = paired_bootstrap(correct_a, correct_b, clusters, rng(), 20_000)
    members = [numpy.flatnonzero(clusters == cluster) for cluster in range(120)]
    d = correct_b.mean() - correct_a.mean()
    samples = []
    for _ in range(4000):
        items = numpy.concatenate([members[cluster] for cluster in draw.integers(120, size=120)])
        samples.append(correct_b[items].mean() - correct_a[items].mean())
    samples = numpy.array(samples)
    assert found.difference == pytest.approx(d)
    reach = samples.std()
    assert found.low == pytest.approx(numpy.quantile(samples, 0.025), abs=0.15 * reach)
    assert found.high == pytest.approx(numpy.quantile(samples, 0.975), abs=0.15 * reach)
    assert found.p_value == pytest.approx((abs(samples - d) >= abs(d)).mean(), abs=0.03)
    assert 0.05 < found.p_value < 0.95, "a p-value that says nothing would test nothing"


def test_many_independent_items_come_near_to_the_normal_distribution():
    correct_a = numpy.repeat([True, True, False, False], [5000, 330, 380, 4290])
    correct_b = numpy.repeat([True, False, True, False], [5000, 330, 380, 4290])
    found = paired_bootstrap(correct_a, correct_b, range(10_000), rng(), 50_000)
    error = math.sqrt(710 - 50**2 / 10_000) / 10_000
    assert found.difference == pytest.approx(0.005)
    assert found.low == pytest.approx(0.005 - 1.96 * error, abs=0.05 * error)
    assert found.high == pytest.approx(0.005 + 1.96 * error, abs=0.05 * error)
    assert found.p_value == pytest.approx(math.erfc(0.005 / error / math.sqrt(2)), abs=0.01)


def test_words_of_one_sentence_count_as_one_draw():
    correct_a = numpy.tile([True, False, False, False], 25)
    correct_b = numpy.tile([False, True, True, False], 25)
    alone = paired_bootstrap(correct_a, correct_b, range(100), rng())
    # The same hundred items, each ten times.
    sentences = numpy.repeat(numpy.arange(100), 10)
    together = paired_bootstrap(correct_a.repeat(10), correct_b.repeat(10), sentences, rng())
    assert together == pytest.approx(alone)
    as_if_independent = paired_bootstrap(
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
    found = paired_bootstrap(a, b, clusters, rng(seed), 200)
    changed = paired_bootstrap(b, a, clusters, rng(seed), 200)
    assert changed.p_value == found.p_value
    assert changed[:3] == pytest.approx((-found.difference, -found.high, -found.low))


@settings(max_examples=50)
@given(rows, st.integers(0, 1000))
def test_what_always_holds(rows, seed):
    a, b, clusters = zip(*rows)
    found = paired_bootstrap(a, b, clusters, rng(seed), 200)
    assert found.difference == pytest.approx((sum(b) - sum(a)) / len(rows))
    assert -1 <= found.low <= found.high <= 1
    assert 1 / 201 <= found.p_value <= 1
    assert found == paired_bootstrap(a, b, clusters, rng(seed), 200), "the seed decides"
    names = [f"sentence {cluster}" for cluster in clusters]
    assert found == paired_bootstrap(a, b, names, rng(seed), 200), "names do not"


@given(st.lists(st.booleans(), min_size=2))
def test_runs_that_are_alike(correct):
    found = paired_bootstrap(correct, correct, range(len(correct)), rng(), 100)
    assert found == (0.0, 0.0, 0.0, 1.0)


def test_p_is_never_0():
    found = paired_bootstrap([False] * 50, [True] * 50, range(50), rng(), 999)
    assert found == (1.0, 1.0, 1.0, 1 / 1000)


@pytest.mark.parametrize("cells", [1, 1000, 5000])
def test_chunks_change_nothing(monkeypatch, cells):
    draw = rng(3)
    clusters = numpy.arange(300) // 6
    correct = draw.random((2, 300)) < 0.5
    whole = paired_bootstrap(*correct, clusters, rng(), 500)
    monkeypatch.setattr(significance, "CHUNK_CELLS", cells)
    assert paired_bootstrap(*correct, clusters, rng(), 500) == whole


def test_what_cannot_be_resampled():
    with pytest.raises(ValueError, match="at least two clusters .* found 1"):
        paired_bootstrap([True, False], [True, True], [0, 0], rng())
    with pytest.raises(ValueError, match="found 2, 1 and 2"):
        paired_bootstrap([True, False], [True], [0, 1], rng())
