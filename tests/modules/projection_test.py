import pytest
import torch
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.modules import Projection
from linspector_allennlp.modules.projection import INITIAL_RANGE, squared_distances


def explicit(vectors):
    """‖x − y‖² from the differences. Shape: (batch, n, dim) → (batch, n, n)"""
    return (vectors.unsqueeze(2) - vectors.unsqueeze(1)).square().sum(dim=3)


def test_by_hand():
    # (0, 0), (3, 4), (3, 0): 25, 9 and 16 apart.
    vectors = torch.tensor([[[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]]])
    assert squared_distances(vectors).tolist() == [[[0, 25, 9], [25, 0, 16], [9, 16, 0]]]


@given(st.integers(0, 1000), st.integers(1, 4), st.integers(1, 12), st.integers(1, 8))
def test_they_are_the_squares_of_differences(seed, batch, n, dim):
    torch.manual_seed(seed)
    vectors = torch.randn(batch, n, dim)
    found = squared_distances(vectors)
    assert torch.allclose(found, explicit(vectors), atol=1e-4)
    assert torch.allclose(found, found.transpose(1, 2), atol=1e-4)
    assert (found >= 0).all() and not found.diagonal(dim1=1, dim2=2).any()


@given(st.integers(0, 1000), st.integers(2, 40), st.integers(1, 300))
def test_words_with_one_vector_are_never_less_than_nothing_apart(seed, n, dim):
    torch.manual_seed(seed)
    vectors = (10 * torch.randn(1, 1, dim)).expand(2, n, dim).contiguous()
    found = squared_distances(vectors)
    # What rounding leaves, relative to ‖x‖² ≈ 100·dim.
    assert (found >= 0).all() and found.max() <= 1e-6 * 100 * dim * 4


def test_gradients_of_squared_and_plain_distances():
    torch.manual_seed(0)
    vectors = torch.randn(2, 4, 3, dtype=torch.double, requires_grad=True)
    upper = torch.ones(4, 4).triu(1).bool()
    assert torch.autograd.gradcheck(lambda v: squared_distances(v)[:, upper], (vectors,))
    assert torch.autograd.gradcheck(lambda v: squared_distances(v)[:, upper].sqrt(), (vectors,))


def test_the_gradient_of_a_square_by_hand():
    # Of ‖x − y‖² by x it is 2(x − y) = (−6, −8).
    vectors = torch.tensor([[[0.0, 0.0], [3.0, 4.0]]], requires_grad=True)
    squared_distances(vectors)[0, 0, 1].backward()
    assert vectors.grad.tolist() == [[[-6, -8], [6, 8]]]


def test_a_projection_is_one_matrix_without_bias():
    projection = Projection(4, rank=2)
    (weight,) = projection.parameters()
    assert weight.shape == (2, 4)
    assert weight.abs().max() <= INITIAL_RANGE == 0.05 and (weight > 0).any() and (weight < 0).any()
    with torch.no_grad():
        weight.copy_(torch.tensor([[1.0, 0, 0, 2], [0, -1, 0, 0]]))
    assert projection(torch.tensor([[5.0, 6, 7, 8], [0, 0, 9, 0]])).tolist() == [[21, -6], [0, 0]]


def test_the_default_rank_is_the_dimension_of_the_vectors():
    assert Projection(7).weight.shape == (7, 7)


def test_the_rank_is_that_of_what_comes_out():
    torch.manual_seed(0)
    found = Projection(20, rank=3)(torch.randn(50, 20)).detach()
    assert found.shape == (50, 3) and torch.linalg.matrix_rank(found) == 3


def test_dropout_is_on_the_vectors_and_for_training_alone():
    torch.manual_seed(0)
    projection = Projection(1000, rank=1000, dropout=0.5)
    with torch.no_grad():
        projection.weight.copy_(torch.eye(1000))
    ones = torch.ones(1, 1000)
    dropped = projection(ones)
    assert set(dropped.flatten().tolist()) == {0, 2} and 400 < (dropped == 0).sum() < 600
    assert torch.equal(projection.eval()(ones), ones.double())


@pytest.mark.parametrize("rank", [0, -3])
def test_a_rank_that_makes_no_sense(rank):
    with pytest.raises(ConfigurationError, match=f"rank: expected at least 1, found {rank}"):
        Projection(4, rank=rank)
