from types import SimpleNamespace

import pytest

from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.runs.transfer import TEST_MAJORITY, most_frequent_label, transfer_of


def transfer(train, test, target=None, indexers=("words", "words")):
    splits = {
        name: SimpleNamespace(path=path, indexers=frozenset({of_split}))
        for name, path, of_split in zip(("train", "test"), (train, test), indexers)
        if path
    }
    return transfer_of({"level": "type", **({"target": target} if target else {})}, splits)


@pytest.mark.parametrize(
    "train, test, target, expected",
    [
        ("D/Case/finnish/train.txt", "D/Case/finnish/test.txt", None, None),
        ("D/Case/finnish/train.txt", "E/Case/finnish/test.txt", None, None),
        ("D/Case/finnish/train.txt", None, None, None),
        ("D/Case/finnish/train.txt", "D/Case/turkish/test.txt", None, ("Case", "turkish")),
        ("D/Case/finnish/train.txt", "D/News/finnish/test.txt", None, ("News", "finnish")),
        ("D/fi_tdt-ud-train.conllu", "D/fi_tdt-ud-test.conllu", "upos", None),
        ("D/fi_tdt-ud-train.conllu", "D/fi_ftb-ud-test.conllu", "upos", ("fi_ftb-ud", "finnish")),
        ("D/fi_tdt-ud-train.conllu", "D/en_ewt-ud-test.conllu", "upos", ("en_ewt-ud", "english")),
        ("D/de_hdt-ud-train-a-1.conllu", "D/de_hdt-ud-test.conllu", "trees", None),
        ("D/a*.conllu#train/8:1:1", "D/a*.conllu#test/8:1:1", "upos", None),
        ("D/fin.txt#tr", "D/fin.txt#te", None, None),
    ],
)
def test_where_the_test_data_are_from(train, test, target, expected):
    found = transfer(train, test, target)
    assert found == (expected and dict(zip(("task", "language"), expected)))


def test_texts_with_vectors_of_their_own():
    path = "D/Case/finnish/a.txt"
    found = transfer(path, path, indexers=("words", "test_words"))
    assert found is not None and found["language"] == "finnish"
    splits = {
        name: SimpleNamespace(path=f"{name}.txt", indexers=frozenset())
        for name in ("train", "test")
    }
    assert transfer_of(None, splits) is None  # a reader of somebody else's


def test_the_most_frequent_label_of_the_test_data():
    items = [Item([word], label) for word, label in ("aX", "bY", "cY", "dZ", "eY")]
    assert most_frequent_label(items) == {TEST_MAJORITY: 0.6}
