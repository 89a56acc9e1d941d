"""The records of each kind of probe, against the data by hand."""

from math import isclose
from pathlib import Path

import pandas
import pytest

from linspector_allennlp.run_folders.predictions import answer, place_of
from linspector_allennlp.run_folders.run_folder import RunFolder

CHOICE = ["label", "probability", "gold", "gold_probability", "correct"]
OF_SENTENCE = ["item", "line", "sentence", "sent_id"]

# The third record of each, but for what the probe answers: its place, and what is right.
RECORDS = {
    "single_form": {"item": 2, "line": 3, "form": "naisista", "gold": "Ablative+In"},
    "paired_forms": {"item": 2, "line": 3, "form1": "keskustellaan", "form2": "keskusteltiin"},
    "token_in_context": {
        "item": 2,
        "line": 3,
        "sentence": 1,
        "index": 2,
        "form": "suomalaisen",
        "gold": "Genitive",
        "input": {"sentence": "Te katselette suomalaisen peiliä .", "index": 2},
    },
    "paired_tokens": {
        "item": 2,
        "line": 3,
        "sentence1": 4,
        "sentence2": 2,
        "index1": 0,
        "index2": 2,
        "form1": "Museo",
        "form2": "museossa",
        "gold": "Case",
    },
    "tagging": {
        "item": 2,
        "line": 6,
        "sentence": 0,
        "sent_id": "test.1",
        "index": 2,
        "form": "junaan",
        "gold": "NOUN",
    },
    # The root, nousin, is no item; the head of the full stop is word 1.
    "edges": {
        "item": 2,
        "line": 7,
        "sentence": 0,
        "sent_id": "test.1",
        "index": 3,
        "form": ".",
        "gold": 1,
    },
    "distance": {
        "item": 2,
        "line": 16,
        "sentence": 2,
        "sent_id": "test.3",
        "forms": ["Hän", "istuu", "saleissa", "kellotta", "."],
        "scored": [True, True, True, True, False],
        "gold_edges": [[0, 1], [1, 2], [1, 3]],
        "input": {"sentence": "Hän istuu saleissa kellotta ."},
    },
    "depth": {
        "item": 2,
        "line": 16,
        "sentence": 2,
        "sent_id": "test.3",
        "gold_root": 1,
        "gold_depths": [1, 0, 1, 1, 1],
    },
}
KEYS = {
    "single_form": ["item", "line", "input", "form", *CHOICE, "probabilities", "known"],
    "paired_forms": ["item", "line", "input", "form1", "form2", *CHOICE, "probabilities", "known"],
    "token_in_context": ["item", "line", "sentence", "input", "index", "form", *CHOICE]
    + ["probabilities", "known"],
    "paired_tokens": ["item", "line", "sentence1", "sentence2", "input", "index1", "index2"]
    + ["form1", "form2", *CHOICE, "probabilities", "known"],
    "tagging": [*OF_SENTENCE, "index", "form", *CHOICE, "known"],
    "edges": [*OF_SENTENCE, "index", "form", *CHOICE, "known"],
    "distance": [*OF_SENTENCE, "input", "forms", "edges", "scored", "gold_edges"],
    "depth": [*OF_SENTENCE, "input", "forms", "root", "depths", "scored"]
    + ["gold_root", "gold_depths", "correct"],
}
METRIC = {"depth": "test_root_accuracy"}


@pytest.mark.parametrize("kind", RECORDS)
def test_one_schema(kind, train, environment, treebank, tmp_path):
    treebank()
    environment("OddFeat" if kind == "paired_forms" else "Case")
    if kind == "token_in_context":
        environment("Case", "token_level")
    if kind == "paired_tokens":
        environment("OddFeat", "token_level")
    metrics = train(kind, trainer={"num_epochs": 1})
    records = list(RunFolder.read(tmp_path / "run").predictions("test"))
    assert [record["item"] for record in records] == list(range(len(records)))
    assert {tuple(record) for record in records} == {tuple(KEYS[kind])}
    expected = RECORDS[kind]
    assert {key: records[2][key] for key in expected} == expected
    if "correct" in KEYS[kind]:
        right = sum(record["correct"] for record in records) / len(records)
        assert isclose(right, metrics[METRIC.get(kind, "test_accuracy")])
    for record in records if "probabilities" in KEYS[kind] else []:
        assert record["probability"] == record["probabilities"][record["label"]]
        assert record["gold_probability"] == record["probabilities"].get(record["gold"], 0.0)
    if kind == "single_form":
        _check_tables(tmp_path / "run")


def _check_tables(run: Path) -> None:
    """The label None of released data stays one where pandas is told so."""
    settings = {"sep": "\t", "keep_default_na": False, "quoting": 3}
    report = pandas.read_csv(run / "test_report.tsv", **settings)
    confusion = pandas.read_csv(run / "test_confusion.tsv", index_col=0, **settings)
    assert "None" in set(report["label"]) and "None" in confusion.index
    assert "None" in {row["label"] for row in RunFolder.read(run).label_report("test")}
    assert pandas.read_csv(run / "test_report.tsv", sep="\t")["label"].isna().any()


def test_what_a_reader_does_not_tell_is_left_out():
    assert place_of({}) == {}
    metadata = {"line": 4, "sent_id": "", "sentence": None, "input": {}}
    assert place_of(metadata) == {"line": 4}
    assert place_of({"sentence": 0, "sent_id": "a"}) == {"sentence": 0, "sent_id": "a"}


def test_an_answer():
    assert answer("Nom", 0.75, "Gen", 0.25) == {
        "label": "Nom", "probability": 0.75, "gold": "Gen", "gold_probability": 0.25,
        "correct": False,
    }  # fmt: skip
