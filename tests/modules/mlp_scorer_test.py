import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.modules import EdgeScorer, MlpScorer
from linspector_allennlp.modules.padding import mask_of


def build(settings, input_dim=4):
    torch.manual_seed(0)
    return Lazy(EdgeScorer, Params(settings)).construct(input_dim=input_dim).eval()


def test_by_hand():
    # One hidden unit: relu(h₁ − h₂ + 2·w₁ + 1), times 3, plus 0.5.
    scorer = build({"type": "mlp", "hidden_dims": [1]}, input_dim=2)
    with torch.no_grad():
        scorer.of_heads.weight.copy_(torch.tensor([[1.0, -1.0]]))
        scorer.of_words.weight.copy_(torch.tensor([[2.0, 0.0]]))
        scorer.of_words.bias.fill_(1.0)
        scorer.layers[-1].weight.fill_(3.0)
        scorer.layers[-1].bias.fill_(0.5)
    scores = scorer(torch.tensor([[1.0, 0.0], [0.0, 4.0]]), mask_of(torch.tensor([2])))
    # (w, h): (0, 0): 1 + 2 + 1 = 4; (0, 1): −4 + 2 + 1 < 0; (1, 0): 1 + 0 + 1 = 2; (1, 1): −4 + 1 < 0.
    assert scores.tolist() == [[[12.5, 0.5], [6.5, 0.5]]]


def on_concatenation(scorer, head, word):
    """The first layer as one matrix on [head; word], and then the others."""
    weight = torch.cat([scorer.of_heads.weight, scorer.of_words.weight], dim=1)
    hidden = torch.relu(weight @ torch.cat([head, word]) + scorer.of_words.bias)
    linear = [layer for layer in scorer.layers if isinstance(layer, torch.nn.Linear)]
    for layer in linear[:-1]:
        hidden = torch.relu(layer.weight @ hidden + layer.bias)
    return (linear[-1].weight @ hidden + linear[-1].bias).item()


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(any),
    st.sampled_from([[3], [5, 2], [2, 3, 4]]),
)
def test_it_is_a_plain_loop_over_pairs(lengths, hidden_dims):
    scorer = build({"type": "mlp", "hidden_dims": hidden_dims})
    linear = [layer for layer in scorer.layers if isinstance(layer, torch.nn.Linear)]
    assert len(linear) == len(hidden_dims)
    features = 3 * torch.randn(sum(lengths), 4)
    before = features.clone()
    scores = scorer(features, mask_of(torch.tensor(lengths)))
    assert scores.shape == (len(lengths), max(lengths), max(lengths))
    assert torch.equal(features, before)
    start = 0
    for sentence, length in enumerate(lengths):
        for word in range(length):
            for head in range(length):
                expected = on_concatenation(scorer, features[start + head], features[start + word])
                assert scores[sentence, word, head].item() == pytest.approx(expected, abs=1e-5)
        start += length


@pytest.mark.parametrize(
    "settings, num_weights",
    [
        ({"hidden_dims": [5]}, 8 * 5 + 5 + 5 + 1),
        ({"hidden_dims": [5, 3]}, 8 * 5 + 5 + 5 * 3 + 3 + 3 + 1),
        ({}, 8 * 1000 + 1000 + 1000 + 1),
    ],
)
def test_sizes_are_those_of_a_perceptron_on_two_vectors(settings, num_weights):
    scorer = build({"type": "mlp", **settings})
    assert sum(p.numel() for p in scorer.parameters()) == num_weights


def test_a_sentence_scores_the_same_alone_and_beside_longer_ones():
    scorer = build({"type": "mlp", "hidden_dims": [6]})
    features = torch.randn(9, 4)
    together = scorer(features, mask_of(torch.tensor([2, 7])))
    alone = scorer(features[:2], mask_of(torch.tensor([2])))
    assert torch.allclose(together[0, :2, :2], alone[0], atol=1e-6)


def test_gradients():
    scorer = build({"type": "mlp", "hidden_dims": [6, 5]}).double()
    features = torch.randn(5, 4, dtype=torch.double, requires_grad=True)
    mask = mask_of(torch.tensor([2, 3]))
    assert torch.autograd.gradcheck(lambda f: scorer(f, mask), (features,))
    scorer(features, mask).sum().backward()
    assert all(p.grad is not None and p.grad.any() for p in scorer.parameters())


def test_dropout_is_for_training_alone():
    features, mask = torch.ones(3, 4), mask_of(torch.tensor([3]))
    # Without its hidden layer, or without the vectors, a score is that of nothing.
    for hidden_dims in ([8], [8, 8]):
        scorer = MlpScorer(4, hidden_dims, dropout=1.0)
        assert torch.allclose(scorer(features, mask), scorer.layers[-1].bias)
        assert not torch.allclose(scorer.eval()(features, mask), scorer.layers[-1].bias)
    scorer = MlpScorer(4, [8], input_dropout=1.0)
    nothing = scorer.eval()(torch.zeros(3, 4), mask)
    assert torch.allclose(scorer.train()(features, mask), nothing)
    assert not torch.allclose(scorer.eval()(features, mask), nothing)


@pytest.mark.parametrize("hidden_dims", [[], [0], [5, -1]])
def test_hidden_layers_that_make_no_sense(hidden_dims):
    with pytest.raises(ConfigurationError, match="hidden_dims: expected the sizes"):
        build({"type": "mlp", "hidden_dims": hidden_dims})
