"""Which predictions are about words that the representation knows."""

import json
from types import SimpleNamespace

import pytest

from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.table_rows import prediction_rows
from linspector_allennlp.runs.known_items import mark_known
from tests.runs.known_words_test import FORMS, words_of_row, write_vectors


@pytest.mark.parametrize("kind", ["single_form", "paired_forms", "paired_tokens", "sentence"])
def test_known_are_the_words_of_the_vector_file(kind, fixtures, environment, train, tmp_path):
    source = fixtures / FORMS[kind][0] / "finnish/test.txt"
    rows = source.read_text(encoding="utf-8").splitlines()
    asked = [words_of_row(kind, row) for row in rows]
    vectors = tmp_path / "some.vec"
    train_rows = source.with_name("train.txt").read_text(encoding="utf-8").splitlines()
    of_train = [word for row in train_rows for word in words_of_row(kind, row)]
    known = write_vectors(vectors, [*of_train, *(word for words in asked for word in words)])
    level, name = FORMS[kind][0].split("/")
    environment(name, level, f"word_vectors:{vectors}:unk=zeros")
    metrics = train(kind, trainer={"num_epochs": 1})
    lines = (tmp_path / "run/test_predictions.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line).get("known") for line in lines]
    if kind == "sentence":
        assert set(found) == {None}
        return
    assert found == [all(word in known for word in words) for words in asked]
    if kind == "single_form":
        assert metrics["oov_test"] == pytest.approx(found.count(False) / len(found))
    table = [row["known"] for row in prediction_rows(RunFolder.read(tmp_path / "run"), "run")]
    assert table == found and 0 < sum(found) < len(found)


def test_tagged_words(treebank, train, tmp_path):
    """n-grams compose any word."""
    treebank()
    metrics = train("tagging", trainer={"num_epochs": 1})
    lines = (tmp_path / "run/test_predictions.jsonl").read_text(encoding="utf-8").splitlines()
    assert metrics["oov_test"] == 0 and all(json.loads(line)["known"] for line in lines)


def test_who_cannot_say():
    records = [{"form": "a"}, {"sentence": "a b"}]
    shared = SimpleNamespace(of_representation=lambda what, make: {})
    mark_known(records, SimpleNamespace(name="test", words=["a"]), None, shared)
    assert records == [{"form": "a"}, {"sentence": "a b"}]
