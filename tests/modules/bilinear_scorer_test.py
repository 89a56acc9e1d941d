import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.modules import BilinearScorer, EdgeScorer
from linspector_allennlp.modules.padding import mask_of


def build(settings, input_dim=4):
    torch.manual_seed(0)
    return Lazy(EdgeScorer, Params(settings)).construct(input_dim=input_dim).eval()


def test_by_hand():
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
def test_it_is_a_plain_loop_over_pairs(lengths, rank):
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
def test_sizes_are_derived(rank, num_weights):
    scorer = BilinearScorer(6, rank=rank)
    assert sum(p.numel() for p in scorer.parameters()) == num_weights


def test_a_low_rank_is_low():
    scorer = BilinearScorer(20, rank=3).eval()
    # With the unit vectors as words, the scores are the matrix.
    (scores,) = scorer(torch.eye(20), mask_of(torch.tensor([20])))
    assert torch.linalg.matrix_rank(scores.detach(), tol=1e-6) == 3
    (scores,) = BilinearScorer(20).eval()(torch.eye(20), mask_of(torch.tensor([20])))
    assert torch.linalg.matrix_rank(scores.detach(), tol=1e-6) == 20


def test_a_sentence_scores_the_same_alone_and_beside_longer_ones():
    scorer = build({"type": "bilinear", "rank": 2})
    features = torch.randn(9, 4)
    together = scorer(features, mask_of(torch.tensor([2, 7])))
    alone = scorer(features[:2], mask_of(torch.tensor([2])))
    assert torch.allclose(together[0, :2, :2], alone[0], atol=1e-6)


def test_dropout_is_on_the_vectors_and_for_training_alone():
    scorer = BilinearScorer(4, dropout=1.0)
    features, mask = torch.ones(3, 4), mask_of(torch.tensor([3]))
    assert not scorer(features, mask).any()
    assert scorer.eval()(features, mask).any()


def test_gradients():
    scorer = build({"type": "bilinear", "rank": 2}).double()
    features = torch.randn(5, 4, dtype=torch.double, requires_grad=True)
    mask = mask_of(torch.tensor([2, 3]))
    assert torch.autograd.gradcheck(lambda f: scorer(f, mask), (features,))


def test_it_is_the_default():
    assert EdgeScorer.default_implementation == "bilinear"
    assert EdgeScorer.by_name("bilinear") is BilinearScorer
    assert isinstance(build({}), BilinearScorer)


@pytest.mark.parametrize(
    "settings",
    [{"type": "bilinear", "rank": 0}, {"type": "bilinear", "rank": -1}, {"type": "biaffine"}]
    + [{"type": "bilinear", "hidden_dims": [3]}],
)
def test_broken_settings(settings):
    with pytest.raises(ConfigurationError):
        build(settings)
