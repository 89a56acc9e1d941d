import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.modules import (
    BilinearScorer,
    EdgeHead,
    EdgeScorer,
    LinearHead,
    MlpScorer,
    ProbeHead,
)
from linspector_allennlp.modules.padding import mask_of


def build(settings, input_dim=4):
    torch.manual_seed(0)
    return Lazy(EdgeScorer, Params(settings)).construct(input_dim=input_dim).eval()


# The bilinear scorer


def test_bilinear_by_hand():
    # hᵀ A w with A = (1 2 / 0 −1), rows for the head: of w = (1, 0) it is h₁, of w = (0, 1) 2h₁ − h₂.
    scorer = build({"type": "bilinear"}, input_dim=2)
    with torch.no_grad():
        scorer.of_words.weight.copy_(torch.tensor([[1.0, 2.0], [0.0, -1.0]]))
    scores = scorer(torch.tensor([[1.0, 0.0], [0.0, 1.0], [3.0, 5.0]]), mask_of(torch.tensor([3])))
    # w = (3, 5): A w = (13, −5).
    assert scores.tolist() == [[[1, 0, 3], [2, -1, 1], [13, -5, 14]]]


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(any),
    st.sampled_from([None, 1, 2, 9]),
)
def test_bilinear_is_a_plain_loop_over_pairs(lengths, rank):
    scorer = build({"type": "bilinear", "rank": rank} if rank else {"type": "bilinear"})
    features = torch.randn(sum(lengths), 4)
    scores = scorer(features, mask_of(torch.tensor(lengths)))
    matrix = scorer.of_words.weight
    if rank:
        matrix = scorer.of_heads.weight.T @ matrix
    assert scores.shape == (len(lengths), max(lengths), max(lengths))
    start = 0
    for sentence, length in enumerate(lengths):
        for word in range(length):
            for head in range(length):
                expected = features[start + head] @ matrix @ features[start + word]
                assert scores[sentence, word, head].item() == pytest.approx(
                    expected.item(), abs=1e-5
                )
        start += length


@pytest.mark.parametrize("rank, num_weights", [(None, 36), (2, 24), (6, 72)])
def test_sizes_of_bilinear_are_derived(rank, num_weights):
    scorer = BilinearScorer(6, rank=rank)
    assert sum(p.numel() for p in scorer.parameters()) == num_weights


def test_a_low_rank_is_low():
    scorer = BilinearScorer(20, rank=3).eval()
    # With the unit vectors as words, the scores are the matrix.
    (scores,) = scorer(torch.eye(20), mask_of(torch.tensor([20])))
    assert torch.linalg.matrix_rank(scores.detach(), tol=1e-6) == 3
    (scores,) = BilinearScorer(20).eval()(torch.eye(20), mask_of(torch.tensor([20])))
    assert torch.linalg.matrix_rank(scores.detach(), tol=1e-6) == 20


def test_bilinear_scores_a_sentence_the_same_alone_and_beside_longer_ones():
    scorer = build({"type": "bilinear", "rank": 2})
    features = torch.randn(9, 4)
    together = scorer(features, mask_of(torch.tensor([2, 7])))
    alone = scorer(features[:2], mask_of(torch.tensor([2])))
    assert torch.allclose(together[0, :2, :2], alone[0], atol=1e-6)


def test_dropout_of_bilinear_is_on_the_vectors_and_for_training_alone():
    scorer = BilinearScorer(4, dropout=1.0)
    features, mask = torch.ones(3, 4), mask_of(torch.tensor([3]))
    assert not scorer(features, mask).any()
    assert scorer.eval()(features, mask).any()


def test_gradients_of_bilinear():
    scorer = build({"type": "bilinear", "rank": 2}).double()
    features = torch.randn(5, 4, dtype=torch.double, requires_grad=True)
    mask = mask_of(torch.tensor([2, 3]))
    assert torch.autograd.gradcheck(lambda f: scorer(f, mask), (features,))


def test_bilinear_is_the_default():
    assert EdgeScorer.default_implementation == "bilinear"
    assert EdgeScorer.by_name("bilinear") is BilinearScorer
    assert isinstance(build({}), BilinearScorer)


@pytest.mark.parametrize(
    "settings",
    [{"type": "bilinear", "rank": 0}, {"type": "bilinear", "rank": -1}, {"type": "biaffine"}]
    + [{"type": "bilinear", "hidden_dims": [3]}],
)
def test_broken_settings_of_bilinear(settings):
    with pytest.raises(ConfigurationError):
        build(settings)


# The perceptron


def test_mlp_by_hand():
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
def test_mlp_is_a_plain_loop_over_pairs(lengths, hidden_dims):
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
def test_sizes_of_mlp_are_those_of_a_perceptron_on_two_vectors(settings, num_weights):
    scorer = build({"type": "mlp", **settings})
    assert sum(p.numel() for p in scorer.parameters()) == num_weights


def test_mlp_scores_a_sentence_the_same_alone_and_beside_longer_ones():
    scorer = build({"type": "mlp", "hidden_dims": [6]})
    features = torch.randn(9, 4)
    together = scorer(features, mask_of(torch.tensor([2, 7])))
    alone = scorer(features[:2], mask_of(torch.tensor([2])))
    assert torch.allclose(together[0, :2, :2], alone[0], atol=1e-6)


def test_gradients_of_mlp():
    scorer = build({"type": "mlp", "hidden_dims": [6, 5]}).double()
    features = torch.randn(5, 4, dtype=torch.double, requires_grad=True)
    mask = mask_of(torch.tensor([2, 3]))
    assert torch.autograd.gradcheck(lambda f: scorer(f, mask), (features,))
    scorer(features, mask).sum().backward()
    assert all(p.grad is not None and p.grad.any() for p in scorer.parameters())


def test_dropout_of_mlp_is_for_training_alone():
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


# The head of a probe of edges

FEATURES = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0]])
MASK = mask_of(torch.tensor([2, 3]))


class Unchanged(ProbeHead):
    """Shows what the head of relations is given."""

    def forward(self, features):
        return features


class Given(EdgeScorer):
    """Gives the scores that it has."""

    def __init__(self, scores):
        super().__init__()
        self.scores = torch.tensor(scores)

    def forward(self, features, mask):
        return self.scores


def test_without_relations_there_are_only_scores():
    scorer = BilinearScorer(2)
    scores, relations = EdgeHead(scorer, None)(FEATURES, MASK, torch.zeros(2, 3).long())
    assert relations is None and torch.equal(scores, scorer(FEATURES, MASK))


def test_relations_are_told_from_the_word_and_its_gold_head():
    # First sentence: 1 ← 0. Second: 0 ← 1, 2 ← 1; the root (−1) gets the first word instead.
    heads = torch.tensor([[-1, 0, 0], [1, -1, 1]])
    _, relations = EdgeHead(BilinearScorer(2), Unchanged())(FEATURES, MASK, heads)
    assert relations[MASK].tolist() == [
        [1, 2, 1, 2],
        [3, 4, 1, 2],
        [5, 6, 7, 8],
        [7, 8, 5, 6],
        [9, 10, 7, 8],
    ]


def test_without_gold_heads_the_best_words_are_the_heads():
    # For each word (row) the scores of the words; those of padding do not count, however good.
    scores = [
        [[1.0, 2.0, 9.0], [-1.0, -3.0, 9.0], [0.0, 0.0, 0.0]],
        [[0.0, 0.0, 1.0], [2.0, 1.0, 1.0], [0.0, 5.0, 1.0]],
    ]
    _, relations = EdgeHead(Given(scores), Unchanged())(FEATURES, MASK)
    assert relations[MASK].tolist() == [
        [1, 2, 3, 4],
        [3, 4, 1, 2],
        [5, 6, 9, 10],
        [7, 8, 5, 6],
        [9, 10, 7, 8],
    ]


def test_relations_of_a_sentence_do_not_depend_on_its_neighbours():
    torch.manual_seed(0)
    head = EdgeHead(BilinearScorer(2), LinearHead(4, 6)).eval()
    scores, relations = head(FEATURES, MASK)
    alone_scores, alone = head(FEATURES[:2], mask_of(torch.tensor([2])))
    assert relations.shape == (2, 3, 6)
    assert torch.allclose(scores[0, :2, :2], alone_scores[0])
    assert torch.allclose(relations[0, :2], alone[0])


def test_both_are_trained():
    head = EdgeHead(BilinearScorer(2), LinearHead(4, 3))
    scores, relations = head(FEATURES, MASK, torch.tensor([[-1, 0, 0], [1, -1, 1]]))
    (scores.sum() + relations[MASK].square().sum()).backward()
    assert all(p.grad is not None and p.grad.any() for p in head.parameters())
