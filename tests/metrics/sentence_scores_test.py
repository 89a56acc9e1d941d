import numpy as np
import pytest
from allennlp.training.metrics import Metric
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from linspector_allennlp.metrics import SentenceScores
from linspector_allennlp.metrics.interval import length_mean_interval, share_interval


def scored(rows, by_length=(), name="score", batch_size=2):
    """`rows`: the length of a sentence, what it achieved, of how much."""
    scores = SentenceScores(by_length)
    for start in range(0, len(rows), batch_size):
        lengths, achieved, possible = map(np.array, zip(*rows[start : start + batch_size]))
        scores(lengths, {name: (achieved, possible)})
    return scores


ROWS = [(5, 4, 4), (5, 1, 4), (5, 0, 2), (7, 3, 6), (9, 8, 8), (3, 0, 2), (60, 0, 59)]


def test_all_sentences_count_together():
    # 4 + 1 + 0 + 3 + 8 + 0 + 0 = 16 of 4 + 4 + 2 + 6 + 8 + 2 + 59 = 85.
    assert scored(ROWS).get_metric() == {"score": pytest.approx(16 / 85)}


def test_by_length_every_length_from_5_to_50_counts_the_same():
    # Length 5: (4 + 1 + 0) / (4 + 4 + 2); 7: 3 / 6; 9: 8 / 8; 3 and 60 are out.
    metric = scored(ROWS, ("score",)).get_metric()
    assert metric == {"score": pytest.approx((0.5 + 0.5 + 1) / 3)}
    edges = [(4, 1, 1), (5, 1, 2), (50, 0, 1), (51, 1, 1)]
    assert scored(edges, ("score",)).get_metric() == {"score": pytest.approx(0.25)}


def test_a_length_without_anything_to_score_does_not_count():
    rows = [(5, 1, 2), (6, 0, 0), (7, 0.25, 1)]
    assert scored(rows, ("score",)).get_metric() == {"score": pytest.approx(0.375)}


def test_what_cannot_be_said_is_left_out():
    scores = SentenceScores(("late",))
    none = np.zeros(2)
    scores(np.array([3, 4]), {"late": (none, none), "empty": (none, none), "all": (none, none + 1)})
    assert scores.get_metric() == {"all": 0.0}
    assert set(scores.intervals()) == {"all"}


@given(
    st.lists(
        st.tuples(st.integers(1, 60), st.floats(0, 1), st.integers(0, 9)), min_size=1, max_size=12
    ),
    st.integers(1, 5),
    st.booleans(),
)
def test_batches_do_not_matter_and_the_mean_is_a_plain_one(drawn, batch_size, by_length):
    rows = [(length, share * possible, possible) for length, share, possible in drawn]
    found = scored(rows, ("score",) if by_length else (), batch_size=batch_size).get_metric()
    groups = {}
    for length, achieved, possible in rows:
        if not by_length or 5 <= length <= 50:
            groups.setdefault(length if by_length else 0, []).append((achieved, possible))
    sums = [tuple(map(sum, zip(*group))) for group in groups.values()]
    means = [achieved / possible for achieved, possible in sums if possible]
    assert found == ({"score": pytest.approx(sum(means) / len(means))} if means else {})


def test_a_reset_forgets():
    scores = scored([(5, 1, 2)])
    assert scores.get_metric(reset=False) == scores.get_metric(reset=True) == {"score": 0.5}
    assert scores.get_metric() == {}
    scores(np.array([5]), {"other": (np.array([1]), np.array([1]))})
    assert scores.get_metric() == {"other": 1.0}


def test_the_table_of_lengths():
    scores = SentenceScores(("mean",))
    scores(
        np.array([7, 3, 7]),
        {
            "share": (np.array([1, 2, 2]), np.array([6, 2, 6])),
            "mean": (np.array([2.0, 0, -0.5]), np.array([7, 0, 2])),
        },
    )
    scores(
        np.array([12]),
        {"share": (np.array([0]), np.array([11])), "mean": (np.array([3]), np.array([12]))},
    )
    assert scores.table() == [
        ["length", "sentences", "share", "mean"],
        [3, 1, "1.0000", ""],
        [7, 2, "0.2500", "0.1667"],  # 3 of 12; 1.5 / 9
        [12, 1, "0.0000", "0.2500"],
    ]


@pytest.mark.parametrize("right", [True, False])
def test_all_right_or_all_wrong_is_the_exact_interval_of_the_sentences(right):
    # Of five sentences two have nothing to score: 3 of 3, or 0 of 3.
    rows = [(5, 4 * right, 4), (6, 3 * right, 3), (1, 0, 0), (7, right, 1), (1, 0, 0)]
    exact = binomtest(3 * right, 3).proportion_ci(0.95, method="exact")
    low, high = scored(rows).intervals()["score"]
    assert (low, high) == pytest.approx((exact.low, exact.high))
    # 0.025 to the third root, by hand: 0.2924.
    assert (low if right else 1 - high) == pytest.approx(0.2924, abs=1e-4)


def test_correlations_that_sum_to_0_have_an_interval():
    rows = [(5, 5.0, 5), (5, -5.0, 5), (6, 3.0, 6), (6, -3.0, 6)]
    low, high = scored(rows, ("score",)).intervals()["score"]
    assert -1 <= low < -0.5 and 0.5 < high <= 1
    # All the same: an interval without width would be a lie.
    assert scored([(5, 5, 5), (6, 6, 6)], ("score",)).intervals() == {}


@pytest.mark.parametrize("by_length", [(), ("score",)])
def test_one_sentence_has_no_interval(by_length):
    assert scored([(8, 3, 7)], by_length).intervals() == {}


def test_sentences_of_other_lengths_do_not_count():
    rows = [(5, 4, 4), (5, 1, 4), (7, 3, 6)]
    found = scored([*rows, (4, 0, 9), (51, 9, 9)], ("score",)).intervals()
    assert found == scored(rows, ("score",)).intervals()


def test_the_interval_is_always_the_same_and_knows_the_order_of_no_batches():
    rows = ROWS * 3
    first = scored(rows, ("score",)).intervals()
    assert scored(rows, ("score",)).intervals() == first
    assert scored(rows, ("score",), batch_size=21).intervals() == first
    backwards = scored(rows[::-1], ("score",)).intervals()
    assert backwards["score"] == pytest.approx(first["score"])


def test_each_metric_has_the_interval_of_its_own_numbers():
    scores = SentenceScores(("second",))
    lengths = np.array([5, 5, 6, 6])
    first = np.array([1, 2, 3, 4]), np.array([4, 4, 4, 4])
    second = np.array([0.5, 0.1, 0.9, 0.3]), np.array([1, 1, 1, 1])
    scores(lengths, {"first": first, "second": second})
    assert scores.intervals() == {
        "first": share_interval(*first),
        "second": length_mean_interval(*second, lengths),
    }


def test_it_is_registered():
    assert Metric.by_name("sentence_scores") is SentenceScores
