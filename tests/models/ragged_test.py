import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.metrics.sentence_scores import sums_by_sentence
from linspector_allennlp.models.ragged import Ragged

ROWS = [[7, 8], [], [9], [1, 2, 3]]


def test_by_hand():
    ragged = Ragged.of(ROWS)
    assert ragged.values.tolist() == [7, 8, 9, 1, 2, 3] and ragged.values.dtype == torch.long
    assert ragged.lengths.tolist() == [2, 0, 1, 3]
    assert ragged.rows_of(torch.tensor([3, 0, 1])).tolist() == [3, 4, 5, 0, 1]
    taken = ragged.take(torch.tensor([3, 1, 0, 3]))
    assert taken.values.tolist() == [1, 2, 3, 7, 8, 1, 2, 3]
    assert taken.lengths.tolist() == [3, 0, 2, 3]
    assert ragged.rows_of(torch.tensor([1])).tolist() == []
    assert ragged.rows_of(torch.tensor([], dtype=torch.long)).tolist() == []


def test_of_other_types():
    ragged = Ragged.of([[0.5], [1.5, 2.5]], dtype=torch.float)
    assert ragged.values.dtype == torch.float and ragged.values.tolist() == [0.5, 1.5, 2.5]


rows = st.lists(st.lists(st.integers(-5, 5), max_size=4), min_size=1, max_size=6)


@given(rows, st.data())
def test_taking_is_what_lists_do(lists, data):
    number = st.integers(0, len(lists) - 1)
    instances = data.draw(st.lists(number, min_size=1, max_size=8))
    taken = Ragged.of(lists).take(torch.tensor(instances))
    assert taken.values.tolist() == [value for i in instances for value in lists[i]]
    assert taken.lengths.tolist() == [len(lists[i]) for i in instances]


@given(rows, rows)
def test_joining_is_putting_one_after_the_other(first, second):
    joined, whole = Ragged.joined([Ragged.of(first), Ragged.of(second)]), Ragged.of(first + second)
    assert joined.values.tolist() == whole.values.tolist()
    assert joined.lengths.tolist() == whole.lengths.tolist()


def test_rows_may_be_vectors():
    ragged = Ragged(torch.arange(12).view(6, 2), torch.tensor([2, 0, 1, 3]))
    assert ragged.take(torch.tensor([2, 0])).values.tolist() == [[4, 5], [0, 1], [2, 3]]
    moved = ragged.to(torch.device("cpu"))
    assert torch.equal(moved.values, ragged.values) and torch.equal(moved.lengths, ragged.lengths)


@pytest.mark.parametrize(
    "words, lengths, sums",
    [
        ([True, False, True, True, False], [2, 0, 3], [1, 0, 2]),
        ([3, 4], [1, 1], [3, 4]),
        ([], [0, 0], [0, 0]),
    ],
)
def test_sums_by_sentence(words, lengths, sums):
    assert sums_by_sentence(torch.tensor(words), torch.tensor(lengths)).tolist() == sums
