import torch

from linspector_allennlp.modules import BilinearScorer, EdgeScorer, LinearHead, ProbeHead
from linspector_allennlp.modules.edge_head import EdgeHead
from linspector_allennlp.modules.padding import mask_of

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
