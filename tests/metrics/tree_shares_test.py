import warnings

import networkx
import numpy as np
import pytest
from allennlp.data import Vocabulary
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from linspector_allennlp.dataset_readers import DependencyTreeReader
from linspector_allennlp.metrics import SentenceScores
from linspector_allennlp.metrics.tree_shares import (
    depth_shares,
    distance_shares,
    edge_shares,
    row_correlations,
    sentence_correlations,
)
from linspector_allennlp.models import DepthProbe, DistanceProbe
from linspector_allennlp.representations import CharNgramsEmbedder
from linspector_allennlp.trees import ROOT, path_lengths

# Word 2 is the root of 1, 4 and 5; 3 hangs on 4; 5 is a full stop. Edges, from 0: 01, 13, 23, 14.
HEADS = np.array([[1, ROOT, 3, 1, 1]])
WORDS = np.ones((1, 5), bool)
WITHOUT_STOP = np.array([[True, True, True, True, False]])


def symmetric(n, weights):
    """A matrix from the weights of the pairs (0, 1), (0, 2), …, (1, 2), …"""
    result = np.zeros((n, n))
    result[np.triu_indices(n, 1)] = weights
    return result + result.T


def random_trees(seed, lengths, padding=-5):
    """Heads, mask and random distances, with ties."""
    rng = np.random.default_rng(seed)
    n = max(lengths)
    heads = np.full((len(lengths), n), padding)
    for number, length in enumerate(lengths):
        order = rng.permutation(length)
        heads[number, order[0]] = ROOT
        for place in range(1, length):
            heads[number, order[place]] = order[rng.integers(place)]
    mask = np.arange(n) < np.array(lengths)[:, None]
    predicted = rng.integers(0, 6, size=(len(lengths), n, n)).astype(float)
    predicted = predicted + predicted.swapaxes(1, 2)
    predicted[:, range(n), range(n)] = 0
    return heads, mask, predicted, rng


def rho(x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spearmanr(x, y).statistic


def slow_mean(of_sentences):
    """From (length, correlations): by word, then by length from 5 to 50, then over the lengths."""
    of_length = {}
    for length, correlations in of_sentences:
        if 5 <= length <= 50:
            known = [each for each in correlations if not np.isnan(each)]
            of_length.setdefault(length, []).extend(known)
    means = [sum(each) / len(each) for each in of_length.values() if each]
    return {"mean": sum(means) / len(means)} if means else {}


def slow_paths(predicted, n):
    """Path lengths in the tree that Kruskal makes, by networkx."""
    tree = networkx.Graph()
    tree.add_nodes_from(range(n))
    pairs = sorted((predicted[i, j], i, j) for i in range(n) for j in range(i + 1, n))
    for _, i, j in pairs:
        if not networkx.has_path(tree, i, j):
            tree.add_edge(i, j)
    lengths = dict(networkx.all_pairs_shortest_path_length(tree))
    return np.array([[lengths[i][j] for j in range(n)] for i in range(n)])


@pytest.mark.parametrize("kept, found, of", [(WORDS, 2, 4), (WITHOUT_STOP, 2, 3)])
def test_uuas_by_hand(kept, found, of):
    # Weights: 01: 1, 02: 2, 03: 8, 04: 6, 12: 9, 13: 7, 14: 5, 23: 3, 24: 4, 34: 9.
    # Kruskal with the stop: 01, 02, 23, 24: 01 and 23 are right, of 4. Without it 01, 02, 23: of 3.
    predicted = symmetric(5, [1, 2, 8, 6, 9, 7, 5, 3, 4, 9])[None]
    (achieved,), (possible,) = edge_shares(predicted, HEADS, kept)["uuas"]
    assert (achieved, possible) == (found, of)


def test_without_punctuation_the_tree_spans_the_rest():
    # With the stop (word 4), everything hangs on it; without it, the tree is 01, 13, 23, all right.
    predicted = symmetric(5, [1, 9, 9, 0.1, 9, 1, 0.1, 1, 0.1, 0.1])[None]
    assert [part.tolist() for part in edge_shares(predicted, HEADS, WORDS)["uuas"]] == [[1], [4]]
    shares = edge_shares(predicted, HEADS, WITHOUT_STOP)["uuas"]
    assert [part.tolist() for part in shares] == [[3], [3]]


def test_punctuation_within_a_path_takes_its_edges_out_and_no_others_in():
    # 0 ← 1 ← 2 with 1 left out: the spanning tree is 02, but that is no edge of the gold tree.
    heads, kept = np.array([[1, 2, ROOT]]), np.array([[True, False, True]])
    shares = edge_shares(np.zeros((1, 3, 3)), heads, kept)["uuas"]
    assert [part.tolist() for part in shares] == [[0], [0]]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 10_000))
def test_uuas_in_sets(lengths, seed):
    heads, mask, predicted, rng = random_trees(seed, lengths)
    kept = mask & (rng.random(mask.shape) < 0.8)
    achieved, possible = edge_shares(predicted, heads, kept)["uuas"]
    for number, length in enumerate(lengths):
        words = np.flatnonzero(kept[number]).tolist()
        gold = {
            (min(word, head), max(word, head))
            for word, head in enumerate(heads[number, :length].tolist())
            if {word, head} <= set(words)
        }
        steps = slow_paths(predicted[number][np.ix_(words, words)], len(words))
        found = {
            (words[i], words[j]) for i, j in zip(*np.nonzero(np.atleast_2d(steps) == 1)) if i < j
        }
        assert (achieved[number], possible[number]) == (len(gold & found), len(gold))


def test_distance_correlations_by_hand():
    distances = path_lengths(HEADS, WORDS)
    # In the gold tree all is in order, and of the path lengths, too: 5 words with ρ = 1.
    for predicted in (distances, 3.0 * distances**2):
        shares = distance_shares(predicted, distances, WORDS)
        assert {name: [part.tolist() for part in share] for name, share in shares.items()} == {
            "dspr": [[pytest.approx(5)], [5]],
            "dspr_pfw": [[pytest.approx(5)], [5]],
        }


def test_the_distance_of_a_word_to_itself_is_in_the_list():
    # A star: word 0 has distances 0, 1, 1, 1, 1; without the 0 there would be nothing to correlate.
    heads = np.array([[ROOT, 0, 0, 0, 0]])
    distances = path_lengths(heads, WORDS)
    predicted = symmetric(5, [4, 1, 2, 3, 5, 6, 7, 8, 9, 10])[None]
    sums, counts = distance_shares(predicted, distances, WORDS)["dspr"]
    # Of word 0 the ranks are 1, 3.5 × 4 and 1, 5, 2, 3, 4; from the mean −2, .5, .5, .5, .5 and
    # −2, 2, −1, 0, 1: Σxy = 4 + 1 − .5 + 0 + .5 = 5, Σx² = 5, Σy² = 10: 5 / √50 = .7071.
    of_others = [rho(predicted[0, word], distances[0, word]) for word in range(1, 5)]
    assert sums[0] - sum(of_others) == pytest.approx(0.5**0.5) and counts[0] == 5


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 10_000))
def test_distance_correlations_are_those_of_a_slow_reference(lengths, seed):
    heads, mask, predicted, rng = random_trees(seed, lengths)
    # Some sentences have words at one place, some of which have no correlation.
    predicted[rng.random(len(lengths)) < 0.2] = 0
    distances = path_lengths(heads, mask)
    scores = SentenceScores(("dspr", "dspr_pfw"))
    scores(mask.sum(axis=1), distance_shares(predicted, distances, mask))
    of_distances, of_paths = [], []
    for number, n in enumerate(lengths):
        gold, found = distances[number, :n, :n], predicted[number, :n, :n]
        steps = slow_paths(found, n)
        of_distances.append((n, [rho(found[word], gold[word]) for word in range(n)]))
        of_paths.append((n, [rho(steps[word], gold[word]) for word in range(n)]))
    metrics = scores.get_metric()
    expected = {"dspr": slow_mean(of_distances), "dspr_pfw": slow_mean(of_paths)}
    assert metrics == {name: pytest.approx(mean["mean"]) for name, mean in expected.items() if mean}


def test_a_word_that_is_as_far_from_all_words_is_left_out():
    # All words at one place: no row has a correlation. The tree is then a star around the first word.
    heads = np.array([[ROOT, 0, 0, 0, 0]])
    shares = distance_shares(np.zeros((1, 5, 5)), path_lengths(heads, WORDS), WORDS)
    assert [part.tolist() for part in shares["dspr"]] == [[0], [0]]
    assert [part.tolist() for part in shares["dspr_pfw"]] == [[pytest.approx(5)], [5]]


def test_roots_and_depths_by_hand():
    heads = np.array([[1, ROOT, 3, 1, 1], [ROOT, 0, 1, 0, 0], [1, ROOT, 9, 9, 9]])
    mask = np.array([[True] * 5, [True] * 5, [True, True, False, False, False]])
    depths = np.array([[1, 0, 2, 1, 1], [0, 1, 2, 1, 1], [1, 0, 0, 0, 0]])
    predicted = np.array([[5, 1, 9, 6, 0], [3, 2, 4, 8, 9], [7, 1, 0, -1, -2]])
    shares = depth_shares(predicted, depths, heads, mask, mask)
    # The least: word 4 for 1; word 1 for 0; word 1 for 1 (what stands in the padding is not asked).
    assert [part.tolist() for part in shares["root_accuracy"]] == [[0, 0, 1], [1, 1, 1]]
    # Gold ranks 3, 1, 5, 3, 3 (of 1, 0, 2, 1, 1); predicted 3, 2, 5, 4, 1. From the mean 0, −2, 2, 0, 0
    # and 0, −1, 2, 1, −2: Σxy = 6, Σx² = 8, Σy² = 10: 6 / √80 = .6708.
    # Gold ranks 1, 3, 5, 3, 3; predicted 2, 1, 3, 4, 5. −2, 0, 2, 0, 0 and −1, −2, 0, 1, 2: 2 / √80.
    sums, counts = shares["nspr"]
    assert sums == pytest.approx([6 / 80**0.5, 2 / 80**0.5, 0]) and counts.tolist() == [1, 1, 0]


def test_punctuation_is_no_candidate_for_the_root_but_has_a_depth():
    depths, predicted = np.array([[1, 0, 2, 1, 1]]), np.array([[5, 1, 9, 6, 0]])
    shares = depth_shares(predicted, depths, HEADS, WORDS, WITHOUT_STOP)
    assert [part.tolist() for part in shares["root_accuracy"]] == [[1], [1]]
    assert shares["nspr"][0] == pytest.approx([6 / 80**0.5])


def test_a_root_that_is_punctuation_is_an_error():
    heads, mask = np.array([[ROOT], [ROOT]]), np.ones((2, 1), bool)
    zeros = np.zeros((2, 1))
    shares = depth_shares(zeros, zeros, heads, mask, np.array([[False], [True]]))
    assert [part.tolist() for part in shares["root_accuracy"]] == [[0, 1], [1, 1]]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 10_000))
def test_depth_correlations_are_those_of_a_slow_reference(lengths, seed):
    heads, mask, predicted, rng = random_trees(seed, lengths)
    kept = mask & (rng.random(mask.shape) < 0.8)
    predicted = predicted[:, 0]
    distances = path_lengths(heads, mask)
    roots = [row[:n].tolist().index(ROOT) for row, n in zip(heads, lengths)]
    depths = distances[np.arange(len(lengths)), roots]
    scores = SentenceScores(("nspr",))
    scores(mask.sum(axis=1), depth_shares(predicted, depths, heads, mask, kept))
    found = [(n, [rho(predicted[i, :n], depths[i, :n])]) for i, n in enumerate(lengths) if n > 1]
    right = 0
    for number, root in enumerate(roots):
        words = np.flatnonzero(kept[number]).tolist()
        best = min(words, key=lambda word: (predicted[number, word], word), default=None)
        right += best == root
    metrics = scores.get_metric()
    assert metrics.pop("root_accuracy") == pytest.approx(right / len(lengths))
    mean = slow_mean(found)
    assert metrics == ({"nspr": pytest.approx(mean["mean"])} if mean else {})


@pytest.mark.realdata
@pytest.mark.parametrize(
    "name, num_sentences, uuas, dspr, root, nspr",
    [
        ("en_ewt-ud-dev", 2001, "43.1", "0.569", "25.4", "0.347"),
        ("tr_imst-ud-test", 1100, "58.3", "0.546", "10.5", "-0.233"),
    ],
)
def test_words_that_hang_on_the_next_in_real_treebanks(
    real_data, name, num_sentences, uuas, dspr, root, nspr
):
    """The anchors that need no model: all sentences, without punctuation in UUAS and roots."""
    reader = DependencyTreeReader(min_length=1)
    instances = list(reader.read(str(real_data / f"ud/{name}.conllu")))
    assert len(instances) == num_sentences
    embedder = BasicTextFieldEmbedder({"words": CharNgramsEmbedder(4)})
    of_distances = DistanceProbe(Vocabulary(), embedder).baselines([], [], instances)
    of_depths = DepthProbe(Vocabulary(), embedder).baselines([], [], instances)
    assert f"{100 * of_distances['baseline_adjacent_uuas']:.1f}" == uuas
    assert f"{of_distances['baseline_adjacent_dspr']:.3f}" == dspr
    # The distances are path lengths of a tree already.
    assert of_distances["baseline_adjacent_dspr_pfw"] == pytest.approx(
        of_distances["baseline_adjacent_dspr"]
    )
    assert f"{100 * of_depths['baseline_first_root_accuracy']:.1f}" == root
    assert f"{of_depths['baseline_first_nspr']:.3f}" == nspr


def scipys(x, y):
    """One row after the other; a row that is all equal has no correlation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spearmanr(x, y).statistic


def test_by_hand():
    # Differences of the ranks 0, 1, −1, 0, 0: 1 − 6·(1 + 1) / (5·(25 − 1)) = 0.9.
    assert row_correlations(np.array([1, 2, 3, 4, 5]), np.array([1, 3, 2, 8, 9])) == pytest.approx(
        0.9
    )
    # Ties: ranks 1.5, 1.5, 3, 4 and 1, 2, 3, 4; from the mean −1, −1, .5, 1.5 and −1.5, −.5, .5, 1.5:
    # Σxy = 1.5 + .5 + .25 + 2.25 = 4.5, Σx² = 4.5, Σy² = 5.
    found = row_correlations(np.array([0, 0, 1, 7]), np.array([0, 1, 2, 3]))
    assert found == pytest.approx(4.5 / np.sqrt(4.5 * 5))


@pytest.mark.parametrize(
    "x, y", [([3, 3, 3], [1, 2, 3]), ([1, 2, 3], [3, 3, 3]), ([0, 0, 0], [0, 0, 0])]
)
def test_a_row_that_is_all_equal_has_none(x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = row_correlations(np.array([x, [1, 2, 3]]), np.array([y, [4, 5, 6]]))
    assert np.isnan(found[0]) and found[1] == pytest.approx(1)


numbers = st.one_of(st.integers(0, 3).map(float), st.floats(-100, 100))


@given(st.data(), st.integers(1, 4), st.integers(2, 8))
def test_it_is_scipys(data, num_rows, n):
    rows = st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=num_rows, max_size=num_rows)
    x, y = np.array(data.draw(rows)), np.array(data.draw(rows))
    expected = [scipys(*pair) for pair in zip(x, y)]
    assert row_correlations(x, y).tolist() == pytest.approx(expected, nan_ok=True)
    # Any number of axes before the last.
    assert row_correlations(x[None], y[None])[0].tolist() == pytest.approx(expected, nan_ok=True)


def test_sentences_by_hand():
    # Words with ρ = 1, 0.9, −1, none (a row that is all equal) and 1: together 1.9, of 4.
    x = np.array([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5], [0, 1, 2, 3, 4], [7] * 5, [4, 3, 2, 1, 0]])
    y = np.array(
        [[0, 1, 2, 3, 4], [1, 3, 2, 8, 9], [9, 8, 7, 6, 5], [0, 1, 2, 3, 4]] + [[4, 3, 2, 1, 0]]
    )
    sums, counts = sentence_correlations(x[None], y[None], np.array([5]))
    assert sums == pytest.approx([1.9]) and counts.tolist() == [4]


def test_lengths_from_5_to_50_are_reported_on():
    rng = np.random.default_rng(0)
    lengths = np.array([51, 4, 5, 50, 1, 60])
    x, y = rng.random((2, 6, 60))
    sums, counts = sentence_correlations(x, y, lengths)
    assert counts.tolist() == [0, 0, 1, 1, 0, 0]
    expected = [0, 0, scipys(x[2, :5], y[2, :5]), scipys(x[3, :50], y[3, :50]), 0, 0]
    assert sums == pytest.approx(expected)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 1000))
def test_sentences_of_all_lengths_are_told_apart(lengths, seed):
    """Whatever stands in the padding, and with a row for the sentence or one for each word."""
    rng = np.random.default_rng(seed)
    n = max(lengths)
    x, y = rng.integers(0, 4, size=(2, len(lengths), n, n)).astype(float)
    sums, counts = sentence_correlations(x, y, np.array(lengths))
    of_first, there = sentence_correlations(x[:, 0], y[:, 0], np.array(lengths))
    for number, length in enumerate(lengths):
        words = range(length if length >= 5 else 0)
        found = [scipys(x[number, word, :length], y[number, word, :length]) for word in words]
        known = [each for each in found if not np.isnan(each)]
        assert sums[number] == pytest.approx(sum(known)) and counts[number] == len(known)
        first = [each for each in found[:1] if not np.isnan(each)]
        assert of_first[number] == pytest.approx(sum(first)) and there[number] == len(first)
