import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import shortest_path

from linspector_allennlp.trees import (
    ROOT,
    BadTree,
    Edges,
    check_tree,
    path_lengths,
    rooted_heads,
    spanning_trees,
    tree_edges,
)


@st.composite
def trees(draw, max_size=9):
    """Heads of a random tree: every word hangs on an earlier one of a random order."""
    order = draw(st.permutations(range(draw(st.integers(1, max_size)))))
    heads = [ROOT] * len(order)
    for position, word in enumerate(order[1:], start=1):
        heads[word] = order[draw(st.integers(0, position - 1))]
    return heads


def beside_each_other(rows, padding=0):
    """The rows in one array, and its mask."""
    n = max(map(len, rows))
    values = np.array([row + [padding] * (n - len(row)) for row in rows])
    mask = np.array([[place < len(row) for place in range(n)] for row in rows])
    return values, mask


def listed(edges, sentence=0):
    """The edges of a sentence, sorted."""
    return sorted((i, j) for s, i, j in zip(*(part.tolist() for part in edges)) if s == sentence)


def symmetric(n, weights):
    """A matrix from the weights of the pairs (0, 1), (0, 2), …, (1, 2), …"""
    result = np.zeros((n, n))
    result[np.triu_indices(n, 1)] = weights
    return result + result.T


def graph_of(weights, words):
    graph = networkx.Graph()
    graph.add_nodes_from(words)
    graph.add_weighted_edges_from(
        (i, j, weights[i, j]) for i in words for j in words if i < j
    )  # in the order of the pairs
    return graph


@pytest.mark.parametrize(
    "heads",
    [
        [ROOT],
        [1, ROOT],
        [ROOT, 0, 1, 2],
        [3, 3, 3, ROOT],
        [1, 2, 3, 4, ROOT],
        [2, 0, 4, 2, ROOT],
    ],
)
def test_trees_are_trees(heads):
    check_tree(heads)


@pytest.mark.parametrize(
    "heads, word, expected, found",
    [
        ([1, 1, ROOT], 1, "the id of another word (1 to 3) or 0 as head", "itself"),
        ([0], 0, "the id of another word (1 to 1) or 0 as head", "itself"),
        # Head 4 in a file is word 3 here.
        ([ROOT, 3, 0], 1, "the id of another word (1 to 3) or 0 as head", "4"),
        ([ROOT, 0, -2], 2, "the id of another word (1 to 3) or 0 as head", "-1"),
        ([1, ROOT, 1, ROOT, ROOT], 3, "one root", "3: words 2, 4, 5"),
        ([ROOT, ROOT], 1, "one root", "2: words 1, 2"),
        # No root: then some words go round in a circle.
        ([1, 0], 0, "a path from every word to the root", "a cycle: 1 → 2 → 1"),
        ([1, 2, 0], 0, "a path from every word to the root", "a cycle: 1 → 2 → 3 → 1"),
        # A root, and a circle beside it, which is entered from a word outside of it.
        ([2, ROOT, 3, 2], 2, "a path from every word to the root", "a cycle: 3 → 4 → 3"),
        ([ROOT, 0, 4, 2, 3], 2, "a path from every word to the root", "a cycle: 3 → 5 → 4 → 3"),
    ],
)
def test_what_is_no_tree(heads, word, expected, found):
    with pytest.raises(BadTree) as caught:
        check_tree(heads)
    assert (caught.value.word, caught.value.expected, caught.value.found) == (word, expected, found)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value) == f"expected {expected}, found {found}"


def is_tree(heads):
    """By networkx: the words and a node above them are an arborescence, with one root."""
    graph = networkx.DiGraph([(head, word) for word, head in enumerate(heads)])
    graph.add_nodes_from(range(len(heads)))
    return (
        set(graph) == {ROOT, *range(len(heads))}
        and networkx.is_arborescence(graph)
        and graph.out_degree(ROOT) == 1
    )


@given(st.lists(st.integers(-2, 6), min_size=1, max_size=6))
def test_any_heads_are_told_as_networkx_tells_them(heads):
    try:
        check_tree(heads)
    except BadTree as error:
        assert not is_tree(heads) and 0 <= error.word < len(heads)
    else:
        assert is_tree(heads)


@given(trees())
def test_every_tree_is_one(heads):
    check_tree(heads)


def test_path_lengths_by_hand():
    #  1 ← 2 → 4 → 3 and 4 → 5; one array with the chain 1 ← 2 ← 3 ← 4.
    heads, mask = beside_each_other([[1, ROOT, 3, 1, 3], [1, 2, 3, ROOT]], padding=-7)
    lengths = path_lengths(heads, mask)
    assert lengths.dtype == np.int16
    assert lengths.tolist() == [
        [
            [0, 1, 3, 2, 3],
            [1, 0, 2, 1, 2],
            [3, 2, 0, 1, 2],
            [2, 1, 1, 0, 1],
            [3, 2, 2, 1, 0],
        ],
        [
            [0, 1, 2, 3, 0],
            [1, 0, 1, 2, 0],
            [2, 1, 0, 1, 0],
            [3, 2, 1, 0, 0],
            [0, 0, 0, 0, 0],
        ],
    ]


@given(st.lists(trees(), min_size=1, max_size=4), st.integers(-3, 3))
def test_path_lengths_are_shortest_paths(all_heads, padding):
    heads, mask = beside_each_other(all_heads, padding)
    lengths = path_lengths(heads, mask)
    for row, found in zip(all_heads, lengths):
        n = len(row)
        graph = np.zeros((n, n))
        for word, head in enumerate(row):
            if head != ROOT:
                graph[word, head] = 1
        expected = shortest_path(graph, directed=False, unweighted=True)
        assert found[:n, :n].tolist() == expected.tolist()
        assert not found[n:].any() and not found[:, n:].any()


@given(trees())
def test_from_the_root_they_are_depths(heads):
    depths = []
    for word in range(len(heads)):
        depth = 0
        while heads[word] != ROOT:
            word, depth = heads[word], depth + 1
        depths.append(depth)
    (lengths,) = path_lengths(*beside_each_other([heads]))
    assert lengths[heads.index(ROOT)].tolist() == depths


def test_a_long_chain():
    heads = np.arange(-1, 299)[None]
    (lengths,) = path_lengths(heads, np.ones_like(heads, dtype=bool))
    places = np.arange(300)
    assert (lengths == np.abs(places[:, None] - places)).all()


@pytest.mark.parametrize("heads", [[1, 0], [1, 2, 0], [ROOT, 2, 3, 1], [0]])
def test_a_cycle_has_no_path_lengths(heads):
    with pytest.raises(ValueError, match="expected trees, found a cycle among the heads"):
        path_lengths(*beside_each_other([[1, 2, ROOT], heads]))


def test_nobody_has_no_paths():
    assert path_lengths(np.zeros((2, 0), int), np.zeros((2, 0), bool)).shape == (2, 0, 0)
    assert not path_lengths(np.zeros((2, 3), int), np.zeros((2, 3), bool)).any()


def test_edges_by_hand_and_with_words_left_out():
    heads, mask = beside_each_other([[1, ROOT, 3, 1, 3], [1, 2, ROOT]])
    edges = tree_edges(heads, mask)
    assert listed(edges) == [(0, 1), (1, 3), (2, 3), (3, 4)]
    assert listed(edges, 1) == [(0, 1), (1, 2)]
    # Without word 3 of the first, its three edges are gone, and no others come in their place.
    mask[0, 3] = mask[1, 0] = False
    edges = tree_edges(heads, mask)
    assert listed(edges) == [(0, 1)] and listed(edges, 1) == [(1, 2)]
    mask[0, 1] = False
    assert listed(tree_edges(heads, mask)) == []


def test_the_matrix_of_edges():
    edges = Edges(np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([2, 1, 2]))
    assert edges.matrix((2, 3, 3)).astype(int).tolist() == [
        [[0, 0, 1], [0, 0, 0], [0, 0, 0]],
        [[0, 1, 0], [0, 0, 1], [0, 0, 0]],
    ]


@given(trees())
def test_a_tree_has_an_edge_for_every_word_but_the_root(heads):
    edges = tree_edges(*beside_each_other([heads]))
    expected = {frozenset((word, head)) for word, head in enumerate(heads) if head != ROOT}
    assert len(edges.first) == len(heads) - 1
    assert set(map(frozenset, listed(edges))) == expected
    assert (edges.first < edges.second).all()


def test_a_spanning_tree_by_hand():
    # 01: 5, 02: 1, 03: 9, 12: 4, 13: 2, 23: 3. Kruskal: 02 (1), 13 (2), 23 (3) — and all are joined.
    weights = symmetric(4, [5, 1, 9, 4, 2, 3])
    edges = spanning_trees(weights[None], np.ones((1, 4), bool))
    assert listed(edges) == [(0, 2), (1, 3), (2, 3)]
    assert (edges.first < edges.second).all()


def test_sentences_of_different_lengths_with_holes_and_without_words():
    weights = np.stack([symmetric(4, [5, 1, 9, 4, 2, 3])] * 5)
    mask = np.array(
        [
            [True, True, True, True],
            [True, False, True, True],  # left are 02: 1, 03: 9, 23: 3
            [False, False, False, False],
            [False, False, True, False],
            [True, True, False, False],
        ]
    )
    edges = spanning_trees(weights, mask)
    assert [listed(edges, sentence) for sentence in range(5)] == [
        [(0, 2), (1, 3), (2, 3)],
        [(0, 2), (2, 3)],
        [],
        [],
        [(0, 1)],
    ]


@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (1, 4)])
def test_sentences_without_pairs(shape):
    mask = np.zeros(shape, bool)
    if shape == (1, 1):
        mask[:] = True
    edges = spanning_trees(np.zeros((*shape, shape[1])), mask)
    assert [len(part) for part in edges] == [0, 0, 0]
    assert rooted_heads(edges, mask).tolist() == np.full(shape, ROOT).tolist()


def test_words_with_the_same_vector_are_joined_by_edges_without_weight():
    # Words 0 and 2 have one vector, and so have 1 and 3: 02 and 13 weigh 0, the other pairs 1.
    weights = symmetric(4, [1, 0, 1, 1, 0, 1])
    edges = spanning_trees(weights[None], np.ones((1, 4), bool))
    assert listed(edges) == [(0, 1), (0, 2), (1, 3)]


@pytest.mark.parametrize("weight", [0, 1, -2.5])
def test_of_equal_weights_the_first_pair_goes_first(weight):
    # Kruskal takes 01, 02, 03, …: all hang on the first word.
    edges = spanning_trees(np.full((2, 5, 5), weight), np.ones((2, 5), bool))
    for sentence in range(2):
        assert listed(edges, sentence) == [(0, 1), (0, 2), (0, 3), (0, 4)]
    # 12 and 23 before the ties among the others, of which 01 is the first.
    weights = symmetric(4, [1, 1, 1, 0.5, 1, 0.5])
    edges = spanning_trees(weights[None], np.ones((1, 4), bool))
    assert listed(edges) == [(0, 1), (1, 2), (2, 3)]


def kruskal(weights, words):
    """The edges of the lightest tree, in the order of weights and then of pairs."""
    group = {word: {word} for word in words}
    tree = []
    pairs = [(weights[i, j], i, j) for i in words for j in words if i < j]
    for _, i, j in sorted(pairs):
        if j not in group[i]:
            tree.append((i, j))
            union = group[i] | group[j]
            group.update(dict.fromkeys(union, union))
    return sorted(tree)


@st.composite
def weighted_sentences(draw, weights):
    batch, n = draw(st.integers(1, 3)), draw(st.integers(1, 7))
    size = batch * n * n
    values = draw(st.lists(weights, min_size=size, max_size=size))
    places = draw(st.lists(st.booleans(), min_size=batch * n, max_size=batch * n))
    return np.array(values, dtype=float).reshape(batch, n, n), np.reshape(places, (batch, n))


@given(weighted_sentences(st.integers(0, 3)))
def test_ties_are_broken_as_by_kruskal_in_the_order_of_pairs(sentences):
    weights, mask = sentences
    edges = spanning_trees(weights, mask)
    for sentence, (each, words) in enumerate(zip(weights, mask)):
        assert listed(edges, sentence) == kruskal(each, np.flatnonzero(words).tolist())


@given(weighted_sentences(st.floats(-1e6, 1e6)))
def test_no_spanning_tree_is_lighter_by_networkx(sentences):
    weights, mask = sentences
    edges = spanning_trees(weights, mask)
    for sentence, (each, words) in enumerate(zip(weights, mask)):
        words = np.flatnonzero(words).tolist()
        found = listed(edges, sentence)
        graph = graph_of(each, words)
        lightest = networkx.minimum_spanning_tree(graph).edges(data="weight")
        assert sorted(each[i, j] for i, j in found) == sorted(weight for *_, weight in lightest)
        spanned = networkx.Graph(found)
        spanned.add_nodes_from(words)
        assert not words or networkx.is_tree(spanned)


def test_only_what_is_above_the_diagonal_counts():
    weights = symmetric(4, [5, 1, 9, 4, 2, 3])
    for below in (-100.0, 0.0, 100.0):
        changed = np.where(np.tri(4, dtype=bool), below, weights)
        edges = spanning_trees(changed[None], np.ones((1, 4), bool))
        assert listed(edges) == [(0, 2), (1, 3), (2, 3)]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0, 1), (0, 2, 3), (1, 1, 2)])
def test_weights_must_be_finite(value, place):
    weights = np.stack([symmetric(4, [5, 1, 9, 4, 2, 3])] * 2)
    mask = np.array([[True, True, True, True], [True, True, True, False]])
    weights[place] = value
    with pytest.raises(ValueError, match="expected finite distances between words"):
        spanning_trees(weights, mask)


def test_where_there_is_no_pair_of_words_anything_may_stand():
    weights = np.stack([symmetric(4, [5, 1, 9, 4, 2, 3])] * 2)
    mask = np.array([[True, True, True, True], [True, True, True, False]])
    weights[1, 3, :] = weights[1, :, 3] = np.nan
    weights[:, np.tri(4, dtype=bool)] = np.nan
    edges = spanning_trees(weights, mask)
    assert listed(edges) == [(0, 2), (1, 3), (2, 3)] and listed(edges, 1) == [(0, 2), (1, 2)]


def test_heads_from_the_first_word_on_by_hand():
    # 0 – 2 – 3 – 1 in the first; in the second, without word 0, 1 – 3 and 2 – 3; nothing; one word.
    edges = Edges(np.array([0, 0, 0, 1, 1]), np.array([0, 1, 2, 1, 2]), np.array([2, 3, 3, 3, 3]))
    mask = np.array(
        [
            [True, True, True, True],
            [False, True, True, True],
            [False, False, False, False],
            [False, False, True, False],
        ]
    )
    assert rooted_heads(edges, mask).tolist() == [
        [ROOT, 3, 0, 2],
        [ROOT, ROOT, 3, 1],
        [ROOT, ROOT, ROOT, ROOT],
        [ROOT, ROOT, ROOT, ROOT],
    ]


@given(weighted_sentences(st.floats(0, 100)))
def test_paths_in_spanning_trees_by_networkx(sentences):
    weights, mask = sentences
    edges = spanning_trees(weights, mask)
    heads = rooted_heads(edges, mask)
    lengths = path_lengths(heads, mask)
    for sentence, words in enumerate(map(np.flatnonzero, mask)):
        graph = networkx.Graph(listed(edges, sentence))
        graph.add_nodes_from(words.tolist())
        expected = dict(networkx.all_pairs_shortest_path_length(graph))
        for i in range(mask.shape[1]):
            for j in range(mask.shape[1]):
                assert lengths[sentence, i, j] == expected.get(i, {}).get(j, 0)
        if len(words):
            assert heads[sentence, words[0]] == ROOT
            # With a word for each place, as check_tree wants them.
            numbers = {word: number for number, word in enumerate(words.tolist())}
            check_tree([numbers.get(heads[sentence, word], ROOT) for word in words.tolist()])


@given(st.lists(trees(), min_size=1, max_size=4))
def test_a_tree_is_the_spanning_tree_of_its_own_distances(all_heads):
    heads, mask = beside_each_other(all_heads)
    lengths = path_lengths(heads, mask)
    edges = spanning_trees(lengths, mask)
    gold = tree_edges(heads, mask)
    for sentence in range(len(all_heads)):
        assert listed(edges, sentence) == listed(gold, sentence)
    assert (path_lengths(rooted_heads(edges, mask), mask) == lengths).all()
