import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.report.tree_arcs import Arc, arc_levels, arc_slots, compare_trees


def test_undirected_trees():
    pair = compare_trees(4, [[2, 1], [1, 3]], [[1, 2], [2, 3], [2, 4]], [True, True, True, False])
    assert pair.gold == [
        Arc(1, 2, "right", 1),
        Arc(2, 3, "missed", 1),
        Arc(2, 4, "unscored", 2),
    ]
    assert pair.predicted == [Arc(1, 2, "right", 1), Arc(1, 3, "wrong", 2)]
    assert (pair.hits, pair.total) == (1, 2)


def test_directed_trees_are_scored_by_word():
    heads = [(2, 1), (1, 2), (3, 3), (3, 4)]
    gold = [(2, 1), (0, 2), (2, 3), (3, 4)]
    pair = compare_trees(4, heads, gold, [True, True, False, True], directed=True)
    assert [arc.kind for arc in pair.gold] == ["right", "unscored", "unscored", "right"]
    assert [arc.kind for arc in pair.predicted] == ["right", "unscored", "unscored", "right"]
    assert (pair.hits, pair.total) == (2, 2)
    # Two arcs between the same words, and one to oneself.
    assert sorted(arc.level for arc in pair.predicted) == [0, 1, 1, 2]


def test_the_direction_counts():
    pair = compare_trees(2, [(1, 2), (1, 1)], [(0, 2), (2, 1)], directed=True)
    assert [arc.kind for arc in pair.gold] == ["unscored", "missed"]


def test_without_gold():
    pair = compare_trees(3, [[1, 2], [2, 3]])
    assert pair.gold is None and {arc.kind for arc in pair.predicted} == {"right"}
    assert (pair.hits, pair.total) == (0, 0)


def test_levels():
    assert arc_levels([(1, 2), (2, 3), (1, 3)]) == {(1, 2): 1, (2, 3): 1, (1, 3): 2}
    assert arc_levels([(1, 3), (2, 4)]) == {(1, 3): 1, (2, 4): 2}
    # The root's arrow ends above all that is at its word.
    assert arc_levels([(0, 2), (2, 1), (3, 1), (3, 4)])[0, 2] == 3
    assert arc_levels([(0, 1)]) == {(0, 1): 1}


def test_slots():
    arcs = compare_trees(4, [[1, 2], [2, 3], [2, 4], [1, 4]]).predicted
    offsets, sizes = arc_slots(arcs)
    assert sizes == {1: 2, 2: 3, 3: 1, 4: 2}
    assert offsets[0] == (0.5, -1.0)  # the low arc leaves the word outside, the high one inside
    assert [start for start, _ in offsets[1:3]] == [1.0, 0.0]
    assert offsets[3] == (-0.5, 0.5)


@given(st.sets(st.tuples(st.integers(1, 12), st.integers(1, 12)), max_size=20))
def test_no_two_arcs_coincide(edges):
    edges = [edge for edge in edges if edge[0] != edge[1]]
    arcs = compare_trees(12, edges, directed=True).predicted
    spans = [(min(arc[:2]), max(arc[:2]), arc.level) for arc in arcs]
    for number, (low, high, level) in enumerate(spans):
        for other_low, other_high, other_level in spans[:number]:
            if low < other_high and other_low < high:
                assert level != other_level
    ends = [
        (word, place)
        for arc, places in zip(arcs, arc_slots(arcs)[0])
        for word, place in zip(arc[:2], places)
    ]
    assert len(set(ends)) == len(ends)


@pytest.mark.parametrize(
    "edges, directed, message",
    [
        ([[1, 4]], False, r"predicted edges between words 1 to 3, found \[1, 4\]"),
        ([[0, 2]], False, r"found \[0, 2\]"),
        ([[2, 2]], False, "between two words"),
        ([[1, 2], [2, 1]], False, r"found \[2, 1\] twice"),
        ([[-1, 2]], True, "between words 0 to 3"),
        ([[2, 0]], True, r"found \[2, 0\]"),
    ],
)
def test_broken_trees(edges, directed, message):
    with pytest.raises(ValueError, match=message):
        compare_trees(3, edges, directed=directed)
    with pytest.raises(ValueError, match="gold edges"):
        compare_trees(3, [], edges, directed=directed)


def test_broken_scored():
    with pytest.raises(ValueError, match="3 words to be scored or not, found 2"):
        compare_trees(3, [], [], [True, True])
