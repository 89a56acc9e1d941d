import pytest
import torch

from linspector_allennlp.modules import LinearHead, PieceAttentionHead, ProbeHead

NOTHING = 99.0
"""Where there is no piece it does not matter what is there."""


class Echo(ProbeHead):
    def forward(self, features):
        return features


def head_of(query, max_pieces=3, combination="x"):
    head = PieceAttentionHead(Echo(), len(query), max_pieces, combination)
    with torch.no_grad():
        head.query.copy_(torch.tensor(query))
    return head


def row(*pieces, max_pieces=3):
    """The features of a word."""
    missing = [[NOTHING] * len(pieces[0])] * (max_pieces - len(pieces))
    return [number for piece in [*pieces, *missing] for number in piece] + [len(pieces)]


def test_without_a_query_it_is_the_mean():
    features = torch.tensor([row([1.0, 2.0], [3.0, 6.0]), row([5.0, 1.0])])
    assert head_of([0.0, 0.0])(features).tolist() == [[2, 4], [5, 1]]


def test_as_plain_torch_has_it():
    torch.manual_seed(1)
    pieces = [torch.randn(n, 4) for n in (3, 1, 2)]
    query = torch.randn(4)
    features = torch.tensor([row(*each.tolist()) for each in pieces])
    expected = [torch.softmax(each @ query, dim=0) @ each for each in pieces]
    found = head_of(query.tolist())(features)
    assert torch.allclose(found, torch.stack(expected), atol=1e-6)


@pytest.mark.parametrize(
    "combination, expected",
    [("x,y", [2, 4, 5, 1]), ("x*y", [10, 4]), ("x-y", [-3, 3]), ("y", [5, 1])],
)
def test_pairs_are_combined_after_the_attention(combination, expected):
    x, y = row([1.0, 2.0], [3.0, 6.0]), row([5.0, 1.0])
    assert head_of([0.0, 0.0], combination=combination)(torch.tensor([x + y])).tolist() == [
        expected
    ]


def test_the_query_learns_which_piece_counts():
    """The label is in the piece that has a 1 at the end; the others are noise."""
    torch.manual_seed(0)
    head = PieceAttentionHead(LinearHead(3, 2), 3, 3, "x")
    labels = torch.arange(60) % 2
    pieces = torch.randn(60, 3, 3) * 2
    pieces[..., 2] = 0
    place = torch.arange(60) % 3
    marked = torch.stack([labels * 2.0 - 1, 1 - labels * 2.0, torch.ones(60)], dim=1)
    pieces[torch.arange(60), place] = marked
    features = torch.cat([pieces.flatten(1), torch.full((60, 1), 3.0)], dim=1)
    optimizer = torch.optim.Adam(head.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(head(features), labels)
        loss.backward()
        optimizer.step()
    assert loss < 0.1 and head.query[2] > 2
    assert {name.split(".")[0] for name, _ in head.named_parameters()} == {"query", "head"}


def test_no_rows():
    assert head_of([0.0, 0.0])(torch.empty(0, 7)).shape == (0, 2)
