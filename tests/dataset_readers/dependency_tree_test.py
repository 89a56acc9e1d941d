import pytest
import torch
from allennlp.data import Batch, Vocabulary
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.dataset_readers import DependencyTreeReader
from linspector_allennlp.fields import labels_of, metadata_of
from linspector_allennlp.treebanks import Sentence, Word
from tests.dataset_readers.small_treebank import write_conllu

# chased ─┬─ dog ── The        a path of five words: The dog chased cat big
#         ├─ cat ── big
#         └─ .
TREEBANK = """
    # sent_id = chase
    1 The the DET DT _ 2 det
    2 dog dog NOUN NN _ 3 nsubj:agent
    3 chased chase VERB VBD _ 0 root
    4 cat cat NOUN NN _ 3 obj
    5 big big ADJ JJ _ 4
    6 . . PUNCT . _ 3 punct

    1 Go go VERB VB _ 0 root
    2 on on ADP RP _ 1 compound:prt

    1 No no INTJ UH _ 0 root
"""
DISTANCES = [
    [0, 1, 2, 3, 4, 3],
    [1, 0, 1, 2, 3, 2],
    [2, 1, 0, 1, 2, 1],
    [3, 2, 1, 0, 1, 2],
    [4, 3, 2, 1, 0, 3],
    [3, 2, 1, 2, 3, 0],
]


@pytest.fixture
def path(tmp_path):
    return write_conllu(tmp_path / "x.conllu", TREEBANK)


def test_fields_by_hand(path):
    first, second = DependencyTreeReader().read(path)
    assert first["heads"].tensor.tolist() == [1, 2, -1, 2, 3, 2]
    assert first["distances"].tensor.tolist() == DISTANCES
    assert first["depths"].tensor.tolist() == [2, 1, 0, 1, 2, 1]
    assert first["punctuation"].tensor.tolist() == [False] * 5 + [True]
    assert first["relations"].labels == ["det", "nsubj:agent", "root", "obj", "_", "punct"]
    metadata = metadata_of(first)
    assert metadata["upos"] == ["DET", "NOUN", "VERB", "NOUN", "ADJ", "PUNCT"]
    assert metadata["xpos"] == ["DT", "NN", "VBD", "NN", "JJ", "."]
    assert labels_of(first) == ["1", "1", None, "-1", "-1", "-3"]
    assert second["distances"].tensor.tolist() == [[0, 1], [1, 0]]
    assert second["depths"].tensor.tolist() == [0, 1]


def test_relations_without_subtypes(path):
    first, second = DependencyTreeReader(coarse=True).read(path)
    assert first["relations"].labels == ["det", "nsubj", "root", "obj", "_", "punct"]
    assert second["relations"].labels == ["root", "compound"]


def test_a_sentence_of_one_word_is_left_out_by_default(path):
    reader = DependencyTreeReader()
    assert len(list(reader.read(path))) == 2
    assert reader.left_out == {"shorter than 2 words": 1}
    *_, last = DependencyTreeReader(min_length=1).read(path)
    assert last["heads"].tensor.tolist() == [-1] and last["distances"].tensor.tolist() == [[0]]


def test_punctuation_is_what_the_treebank_calls_so(tmp_path):
    text = "1 , , PUNCT . _ 2 punct\n2 . . SYM . _ 0 root\n3 a a X PUNCT _ 2 punct"
    (instance,) = DependencyTreeReader().read(write_conllu(tmp_path / "x", text))
    assert instance["punctuation"].tensor.tolist() == [True, False, False]


def test_trees_of_different_sizes_in_a_batch(path):
    instances = list(DependencyTreeReader(max_length=6).read(path))
    batch = Batch(instances)
    batch.index_instances(Vocabulary.from_instances(instances))
    tensors = batch.as_tensor_dict()
    assert tensors["distances"].shape == (2, 6, 6)
    assert tensors["distances"][1, :2, :2].tolist() == [[0, 1], [1, 0]]
    assert tensors["places"][1].tolist() == [0, 1, -1, -1, -1, -1]
    assert tensors["relations"].shape == tensors["depths"].shape == (2, 6)
    assert tensors["punctuation"].dtype == torch.bool


def test_relations_are_no_labels(path):
    vocab = Vocabulary.from_instances(DependencyTreeReader().read(path))
    assert vocab.get_vocab_size("relation_labels") == 7
    assert vocab.get_token_to_index_vocabulary("relation_labels").keys() == {
        "det", "nsubj:agent", "root", "obj", "_", "punct", "compound:prt"
    }  # fmt: skip


def test_the_task_for_the_record():
    assert DependencyTreeReader().task == {"level": "token", "target": "trees"}


@st.composite
def trees(draw):
    """Heads of a random tree, in a random order of its words."""
    n = draw(st.integers(1, 12))
    order = draw(st.permutations(range(n)))
    heads = [-1] * n
    for rank in range(1, n):
        heads[order[rank]] = order[draw(st.integers(0, rank - 1))]
    return heads


@given(trees())
def test_distances_are_those_of_a_search_over_edges(heads):
    n = len(heads)
    words = [Word(i + 1, "w", "", "", "", "", head + 1, "", i + 1) for i, head in enumerate(heads)]
    instance = DependencyTreeReader()._row_to_instance(Sentence("x", 1, "", words))
    neighbours = {i: [j for j in range(n) if heads[i] == j or heads[j] == i] for i in range(n)}
    for start in range(n):
        steps, reached = {start: 0}, [start]
        for here in reached:
            new = [word for word in neighbours[here] if word not in steps]
            steps.update(dict.fromkeys(new, steps[here] + 1))
            reached += new
        assert instance["distances"].tensor[start].tolist() == [steps[i] for i in range(n)]
        if heads[start] == -1:
            assert instance["depths"].tensor.tolist() == [steps[i] for i in range(n)]


@given(trees())
def test_every_tree_is_one(heads):
    words = [Word(i + 1, "w", "", "", "", "", head + 1, "", i + 1) for i, head in enumerate(heads)]
    assert DependencyTreeReader()._fault(Sentence("x", 1, "", words)) is None


@given(st.lists(st.integers(0, 7), min_size=1, max_size=7))
def test_heads_make_a_tree_or_are_refused(heads):
    """A tree has one root, and every word comes to it within as many steps as there are words."""
    n = len(heads)
    heads = [head % (n + 1) for head in heads]
    reaches = []
    for word in range(1, n + 1):
        for _ in range(n):
            word = heads[word - 1] if word else 0
        reaches.append(word == 0)
    is_tree = heads.count(0) == 1 and all(reaches)
    words = [Word(i + 1, "w", "", "", "", "", head, "", i + 1) for i, head in enumerate(heads)]
    assert (DependencyTreeReader()._fault(Sentence("x", 1, "", words)) is None) == is_tree


def test_nobody_asks_for_features_here(tmp_path):
    text = "1 a _ X _ Case=Nom 0 root\n2 b _ X _ Proper 1 dep"
    path = write_conllu(tmp_path / "odd.conllu", text)
    assert len(list(DependencyTreeReader().read(path))) == 1
