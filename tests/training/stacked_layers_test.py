import copy

import pytest
import torch
from allennlp.nn import Activation

from linspector_allennlp.modules import LinearHead, LowRankHead, MlpHead
from linspector_allennlp.training import stacked_layers
from linspector_allennlp.training.stacked_layers import (
    Batches,
    StackedLayers,
    bernoulli_is_uniform,
    dropout_masks,
    shape_of,
)

ROWS, DIM, LABELS, HEADS = 5, 8, 4, 3


def mlp(**settings):
    return MlpHead(DIM, LABELS, hidden_dims=[7, 6], **settings)


MAKERS = {
    "linear": lambda: LinearHead(DIM, LABELS, dropout=0.3),
    "low rank": lambda: LowRankHead(DIM, LABELS, rank=2),
    "mlp": lambda: mlp(dropout=0.5, input_dropout=0.2),
    "sigmoid": lambda: mlp(activation=Activation.by_name("sigmoid")()),
    "gelu": lambda: mlp(dropout=0.1, activation=Activation.by_name("gelu")()),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_answers_and_gradients_are_those_of_each_head(kind):
    """Against torch's own layers, dropout and autograd; the stack has a free place and one at work alone."""
    torch.manual_seed(1)
    heads = [MAKERS[kind]() for _ in range(HEADS)]
    references = copy.deepcopy(heads)
    x = torch.randn(HEADS, ROWS, DIM)
    upwards = torch.randn(HEADS, ROWS, LABELS)
    stack = StackedLayers(HEADS + 1, heads[0].layers)
    for place, head in enumerate(heads):
        stack.enter(place, head.layers)
    generators = [torch.Generator().manual_seed(seed) for seed in range(HEADS)]
    layers = [head.layers for head in heads]
    with torch.no_grad():
        answers = stack.forward(x, Batches(0, layers, generators))
        stack.backward(upwards)
    for place, reference in enumerate(references):
        torch.manual_seed(place)
        expected = reference.train()(x[place])
        assert torch.allclose(answers[place], expected, atol=1e-6)
        expected.backward(upwards[place])
        for ours, theirs in zip(heads[place].parameters(), reference.parameters()):
            assert torch.equal(ours, theirs)
            assert torch.allclose(ours.grad, theirs.grad, atol=1e-5)
    with torch.no_grad():
        generators[1].manual_seed(1)
        alone = stack.forward(x[1:2], Batches(1, layers[1:2], generators[1:2]))
    assert torch.allclose(alone[0], answers[1], atol=1e-6)


def test_a_head_that_leaves_has_weights_of_its_own():
    heads = [mlp(), mlp()]
    before = copy.deepcopy(heads[0].state_dict())
    stack = StackedLayers(1, heads[0].layers)
    stack.enter(0, heads[0].layers)
    with torch.no_grad():
        heads[0].layers[0].weight += 1
    stack.leave(heads[0].layers)
    stack.enter(0, heads[1].layers)
    after = heads[0].state_dict()
    assert torch.equal(after["layers.0.weight"], before["layers.0.weight"] + 1)
    assert torch.equal(after["layers.3.bias"], before["layers.3.bias"])


def test_gradients_are_cut_off_in_these_places_only():
    heads = [LinearHead(DIM, LABELS) for _ in range(2)]
    stack = StackedLayers(2, heads[0].layers)
    for place, head in enumerate(heads):
        stack.enter(place, head.layers)
        for parameter in head.parameters():
            parameter.grad.fill_(-3.0)
    stack.clip_gradients(slice(1, 2), 0.5)
    assert [set(p.grad.flatten().tolist()) for h in heads for p in h.parameters()] == [
        {-3.0}, {-3.0}, {-0.5}, {-0.5}
    ]  # fmt: skip


@pytest.mark.parametrize("uniform", [True, False])
def test_masks_are_what_dropout_draws(uniform, monkeypatch):
    """Three batches in a row; a head without dropout draws nothing."""
    if uniform and not bernoulli_is_uniform():
        pytest.skip("not on this processor")
    monkeypatch.setattr(stacked_layers, "bernoulli_is_uniform", lambda: uniform)
    rates = [0.5, 0.0, 0.3]
    generators = [torch.Generator().manual_seed(seed) for seed in range(3)]
    masks = [
        dropout_masks((3, rows, DIM), [1 - rate for rate in rates], generators)
        for rows in (7, 7, 2)
    ]
    for place, rate in enumerate(rates):
        torch.manual_seed(place)
        for mask in masks:
            expected = torch.nn.functional.dropout(torch.ones_like(mask[place]), rate)
            assert torch.equal(mask[place], expected)


def test_what_has_no_place_in_a_stack():
    assert shape_of(mlp().layers) == shape_of(mlp(dropout=0.4).layers)
    assert shape_of(mlp().layers) != shape_of(mlp(input_dropout=0.4).layers)
    assert shape_of(mlp().layers) != shape_of(mlp(activation=torch.nn.Tanh()).layers)
    assert shape_of(mlp(activation=torch.nn.PReLU()).layers) is None
    assert shape_of(mlp(dropout=1.0).layers) is None
