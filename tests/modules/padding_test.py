import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.modules.padding import mask_of, padded, pair_mask


def test_by_hand():
    mask = mask_of(torch.tensor([1, 3, 0]))
    assert mask.tolist() == [[True, False, False], [True, True, True], [False, False, False]]
    found = padded(torch.tensor([[1.0, 2], [3, 4], [5, 6], [7, 8]]), mask)
    assert found.tolist() == [
        [[1, 2], [0, 0], [0, 0]],
        [[3, 4], [5, 6], [7, 8]],
        [[0, 0], [0, 0], [0, 0]],
    ]
    assert pair_mask(torch.tensor([[True, False, True]])).tolist() == [
        [[True, False, True], [False, False, False], [True, False, True]]
    ]


def test_pairs_of_rows():
    # A sentence of one word with the distance 0, and one of two words, 5 apart.
    mask = pair_mask(mask_of(torch.tensor([1, 2])))
    found = padded(torch.tensor([9, 0, 5, 5, 0], dtype=torch.int16), mask)
    assert found.tolist() == [[[9, 0], [0, 0]], [[0, 5], [5, 0]]] and found.dtype == torch.int16


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any))
def test_padding_and_masking_is_doing_nothing(lengths):
    mask = mask_of(torch.tensor(lengths))
    assert mask.sum(dim=1).tolist() == lengths and mask.shape == (len(lengths), max(lengths))
    values = torch.arange(1, 2 * sum(lengths) + 1).view(-1, 2)
    found = padded(values, mask)
    assert torch.equal(found[mask], values) and not found[~mask].any()
    pairs = pair_mask(mask)
    numbers = torch.arange(1, int(pairs.sum()) + 1)
    assert torch.equal(padded(numbers, pairs)[pairs], numbers)
    for sentence, length in enumerate(lengths):
        assert pairs[sentence, :length, :length].all()
    assert pairs.sum() == sum(length**2 for length in lengths)


def test_gradients_reach_every_row():
    values = torch.ones(4, 2, requires_grad=True)
    weights = torch.arange(18.0).view(2, 3, 3)[..., :2]
    mask = mask_of(torch.tensor([1, 3]))
    (padded(values, mask) * weights).sum().backward()
    assert torch.equal(values.grad, weights[mask])


def test_rows_that_do_not_fit():
    with pytest.raises((ValueError, RuntimeError, IndexError)):
        padded(torch.ones(3, 2), mask_of(torch.tensor([1, 3])))
