import torch
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.encoders.segments import (
    distinct_rows,
    rows_of_sentences,
    segment_max,
    segment_mean,
    segment_min,
    sentence_groups,
    time_order,
)
from tests.encoders.word_rows import rows_of_words

lengths_of_some = st.lists(st.integers(1, 6), min_size=1, max_size=7)


@given(lengths_of_some)
def test_reduced_by_sentence(lengths):
    vectors = torch.randn(sum(lengths), 3)
    parts = vectors.split(lengths)
    for function, plain in [
        (segment_max, lambda part: part.amax(0)),
        (segment_min, lambda part: part.amin(0)),
        (segment_mean, lambda part: part.mean(0)),
    ]:
        expected = torch.stack([plain(part) for part in parts])
        torch.testing.assert_close(function(vectors, torch.tensor(lengths)), expected)


def test_time_by_hand():
    order = time_order(torch.tensor([1, 3, 2]))
    assert order.rows.tolist() == [1, 4, 0, 2, 5, 3]
    assert order.sentence_of.tolist() == [1, 2, 0, 1, 2, 1]
    assert order.batch_sizes.tolist() == [3, 2, 1]
    assert time_order(torch.tensor([1, 3, 2]), backwards=True).rows.tolist() == [3, 5, 0, 2, 4, 1]


@given(lengths_of_some, st.integers(1, 20))
def test_groups(lengths, most_words):
    groups = [group.tolist() for group in sentence_groups(torch.tensor(lengths), most_words)]
    assert sorted(number for group in groups for number in group) == list(range(len(lengths)))
    for group in groups:
        padded = len(group) * max(lengths[number] for number in group)
        assert padded <= most_words or len(group) == 1


def test_rows_of_some_sentences():
    rows = rows_of_words([("a",), ("b", "c"), ("d", "e", "f")], 2)
    some = rows_of_sentences(rows, torch.tensor([2, 0]))
    assert torch.equal(some.vectors, rows.vectors[[3, 4, 5, 0]])
    assert some.lengths.tolist() == [3, 1] and some.sentences == [("d", "e", "f"), ("a",)]


def test_the_same_word_with_the_same_vector_is_one():
    vectors = torch.tensor([[1.0], [2.0], [1.0], [3.0], [2.0]])
    distinct, number_of = distinct_rows(vectors, ["a", "b", "a", "a", "b"])
    assert distinct.flatten().tolist() == [1, 2, 3]
    assert torch.equal(distinct[number_of], vectors)
