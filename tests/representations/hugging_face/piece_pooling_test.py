import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.hugging_face.piece_pooling import POOLINGS, pool_pieces

VECTORS = torch.tensor([[1.0, 10.0], [2.0, 20.0], [6.0, 30.0], [5.0, 50.0]])
WORD_OF = torch.tensor([0, 1, 1, 2])


@pytest.mark.parametrize(
    "pool, second_word", [("mean", [4.0, 25.0]), ("first", [2.0, 20.0]), ("last", [6.0, 30.0])]
)
def test_by_hand(pool, second_word):
    pooled = pool_pieces(VECTORS, WORD_OF, 3, pool)
    assert pooled.tolist() == [[1.0, 10.0], second_word, [5.0, 50.0]]


@given(counts=st.lists(st.integers(1, 5), min_size=1, max_size=8), pool=st.sampled_from(POOLINGS))
def test_any_numbers_of_pieces(counts, pool):
    vectors = numpy.arange(3.0 * sum(counts), dtype=numpy.float32).reshape(-1, 3) ** 1.5
    word_of = numpy.repeat(numpy.arange(len(counts)), counts)
    of_words = numpy.split(vectors, numpy.cumsum(counts)[:-1])
    reduce = {"mean": lambda v: v.mean(axis=0), "first": lambda v: v[0], "last": lambda v: v[-1]}
    pooled = pool_pieces(torch.from_numpy(vectors), torch.from_numpy(word_of), len(counts), pool)
    assert pooled.numpy() == pytest.approx(numpy.stack(list(map(reduce[pool], of_words))))
