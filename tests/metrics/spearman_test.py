import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from linspector_allennlp.metrics.spearman import row_correlations, sentence_correlations


def scipys(x, y):
    """One row after the other; a row that is all equal has no correlation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spearmanr(x, y).statistic


def test_by_hand():
    # Differences of the ranks 0, 1, −1, 0, 0: 1 − 6·(1 + 1) / (5·(25 − 1)) = 0.9.
    assert row_correlations(np.array([1, 2, 3, 4, 5]), np.array([1, 3, 2, 8, 9])) == pytest.approx(
        0.9
    )
    # Ties: ranks 1.5, 1.5, 3, 4 and 1, 2, 3, 4; from the mean −1, −1, .5, 1.5 and −1.5, −.5, .5, 1.5:
    # Σxy = 1.5 + .5 + .25 + 2.25 = 4.5, Σx² = 4.5, Σy² = 5.
    found = row_correlations(np.array([0, 0, 1, 7]), np.array([0, 1, 2, 3]))
    assert found == pytest.approx(4.5 / np.sqrt(4.5 * 5))


@pytest.mark.parametrize(
    "x, y", [([3, 3, 3], [1, 2, 3]), ([1, 2, 3], [3, 3, 3]), ([0, 0, 0], [0, 0, 0])]
)
def test_a_row_that_is_all_equal_has_none(x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = row_correlations(np.array([x, [1, 2, 3]]), np.array([y, [4, 5, 6]]))
    assert np.isnan(found[0]) and found[1] == pytest.approx(1)


numbers = st.one_of(st.integers(0, 3).map(float), st.floats(-100, 100))


@given(st.data(), st.integers(1, 4), st.integers(2, 8))
def test_it_is_scipys(data, num_rows, n):
    rows = st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=num_rows, max_size=num_rows)
    x, y = np.array(data.draw(rows)), np.array(data.draw(rows))
    expected = [scipys(*pair) for pair in zip(x, y)]
    assert row_correlations(x, y).tolist() == pytest.approx(expected, nan_ok=True)
    # Any number of axes before the last.
    assert row_correlations(x[None], y[None])[0].tolist() == pytest.approx(expected, nan_ok=True)


def test_sentences_by_hand():
    # Words with ρ = 1, 0.9, −1, none (a row that is all equal) and 1: together 1.9, of 4.
    x = np.array([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5], [0, 1, 2, 3, 4], [7] * 5, [4, 3, 2, 1, 0]])
    y = np.array(
        [[0, 1, 2, 3, 4], [1, 3, 2, 8, 9], [9, 8, 7, 6, 5], [0, 1, 2, 3, 4]] + [[4, 3, 2, 1, 0]]
    )
    sums, counts = sentence_correlations(x[None], y[None], np.array([5]))
    assert sums == pytest.approx([1.9]) and counts.tolist() == [4]


def test_lengths_from_5_to_50_are_reported_on():
    rng = np.random.default_rng(0)
    lengths = np.array([51, 4, 5, 50, 1, 60])
    x, y = rng.random((2, 6, 60))
    sums, counts = sentence_correlations(x, y, lengths)
    assert counts.tolist() == [0, 0, 1, 1, 0, 0]
    expected = [0, 0, scipys(x[2, :5], y[2, :5]), scipys(x[3, :50], y[3, :50]), 0, 0]
    assert sums == pytest.approx(expected)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 1000))
def test_sentences_of_all_lengths_are_told_apart(lengths, seed):
    """Whatever stands in the padding, and with a row for the sentence or one for each word."""
    rng = np.random.default_rng(seed)
    n = max(lengths)
    x, y = rng.integers(0, 4, size=(2, len(lengths), n, n)).astype(float)
    sums, counts = sentence_correlations(x, y, np.array(lengths))
    of_first, there = sentence_correlations(x[:, 0], y[:, 0], np.array(lengths))
    for number, length in enumerate(lengths):
        words = range(length if length >= 5 else 0)
        found = [scipys(x[number, word, :length], y[number, word, :length]) for word in words]
        known = [each for each in found if not np.isnan(each)]
        assert sums[number] == pytest.approx(sum(known)) and counts[number] == len(known)
        first = [each for each in found[:1] if not np.isnan(each)]
        assert of_first[number] == pytest.approx(sum(first)) and there[number] == len(first)
