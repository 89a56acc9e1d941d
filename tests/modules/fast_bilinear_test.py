import copy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.modules import fast_bilinear
from linspector_allennlp.modules.fast_bilinear import FastBilinear, with_fast_bilinear

sizes = st.integers(1, 5)


@settings(max_examples=40, deadline=None)
@given(
    left=sizes,
    right=sizes,
    labels=sizes,
    bias=st.booleans(),
    shape=st.lists(sizes, min_size=1, max_size=3),
)
def test_the_same_sums_and_gradients(left, right, labels, bias, shape):
    torch.manual_seed(left + 7 * right)
    slow = torch.nn.Bilinear(left, right, labels, bias=bias).double()
    fast = FastBilinear.of(copy.deepcopy(slow))
    inputs = torch.randn(*shape, left).double(), torch.randn(*shape, right).double()
    results = []
    for layer in (slow, fast):
        given = [x.clone().requires_grad_() for x in inputs]
        out = layer(*given)
        out.pow(2).sum().backward()
        results.append([out, *(x.grad for x in given), *(p.grad for p in layer.parameters())])
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other)


def test_in_parts(monkeypatch):
    layer = FastBilinear(3, 2, 4)
    left, right = torch.randn(7, 3), torch.randn(7, 2)
    whole = layer(left, right)
    monkeypatch.setattr(fast_bilinear, "ROWS", 3)
    torch.testing.assert_close(layer(left, right), whole)
    torch.testing.assert_close(
        layer(left, right)[5, 2], left[5] @ layer.weight[2] @ right[5] + layer.bias[2]
    )


def test_within_a_model():
    model = torch.nn.Module()
    model.inner = torch.nn.ModuleList([torch.nn.Bilinear(2, 3, 4)]).eval()
    weights, state = model.inner[0].weight, torch.get_rng_state()
    assert with_fast_bilinear(model) is model
    assert type(model.inner[0]) is FastBilinear and model.inner[0].weight is weights
    assert list(model.state_dict()) == ["inner.0.weight", "inner.0.bias"]
    assert not model.inner[0].training
    assert torch.equal(torch.get_rng_state(), state), "no random number was drawn"


@settings(max_examples=40, deadline=None)
@given(
    left=sizes,
    right=sizes,
    labels=sizes,
    sentences=sizes,
    words=sizes,
    others=sizes,
    copied=st.booleans(),
)
def test_all_pairs_of_words(left, right, labels, sentences, words, others, copied):
    torch.manual_seed(words + 7 * labels)
    slow = torch.nn.Bilinear(left, right, labels).double()
    heads = torch.randn(sentences, words, left).double()
    children = torch.randn(sentences, others, right).double()
    pairs = [
        heads.unsqueeze(2).expand(-1, -1, others, -1),
        children.unsqueeze(1).expand(-1, words, -1, -1),
    ]
    pairs = [x.contiguous() for x in pairs] if copied else pairs
    fast = FastBilinear.of(slow)
    torch.testing.assert_close(fast(*pairs), slow(*pairs))
    # Nothing is taken for pairs that is none: one number differs.
    changed = pairs[0].clone()
    changed[-1, -1, -1, -1] += 1
    torch.testing.assert_close(fast(changed, pairs[1]), slow(changed, pairs[1]))
    changed = pairs[1].clone()
    changed[-1, -1, -1, -1] += 1
    torch.testing.assert_close(fast(pairs[0], changed), slow(pairs[0], changed))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (0, 3, 3), (2, 0, 0), (2, 3, 0)])
def test_one_row_and_none(shape):
    slow = torch.nn.Bilinear(2, 3, 4)
    inputs = torch.randn(*shape, 2), torch.randn(*shape, 3)
    torch.testing.assert_close(FastBilinear.of(slow)(*inputs), slow(*inputs))


def test_gradients_of_rows_that_are_merely_equal():
    slow = torch.nn.Bilinear(2, 3, 4)
    gradients = []
    for layer in (slow, FastBilinear.of(slow)):
        inputs = [torch.ones(2, 3, 3, size, requires_grad=True) for size in (2, 3)]
        layer(*inputs)[:, 1, 2].sum().backward()
        gradients.append([each.grad for each in inputs])
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize(
    "left, right", [((5, 3), (5, 3)), ((5, 2), (1, 3)), ((6, 2), (2, 3, 3)), ((0, 2), (4, 3))]
)
def test_wrong_sizes_raise(left, right):
    with pytest.raises(RuntimeError):
        FastBilinear(2, 3, 4)(torch.randn(*left), torch.randn(*right))
