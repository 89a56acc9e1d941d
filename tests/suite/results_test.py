"""The tables of a study, against rows by hand; and what is written is what is read."""

import csv
import json
import re
import sys

import pandas
import pyarrow.parquet
import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.run_folders.table_columns import PREDICTION_COLUMNS, RESULT_COLUMNS
from linspector_allennlp.suite import results
from linspector_allennlp.suite.planned_run import COLUMNS
from linspector_allennlp.suite.results import read_predictions, read_results, write_results
from tests.run_folders.made_runs import accuracy, made_run, made_study

WEIRD = [
    "None",
    "NA",
    "nan",
    "null",
    "a,b",
    'say "x"',
    "two\nlines",
    "a\rb",
    "🙂",
    " x ",
    "0",
    "true",
]


def answer(label, gold, **others):
    return {"label": label, "gold": gold, "correct": label == gold, **others}


def test_the_rows_of_a_run(tmp_path):
    metrics = {
        "training_accuracy": 0.9, "training_loss": 0.2, "training_steps": 7, "training_duration": "0:01",
        "validation_accuracy": 0.7, "validation_loss": 1, "best_validation_accuracy": 0.8,
        "best_epoch": 3, "test_accuracy": 0.5, "test_accuracy_low": 0.4, "test_accuracy_high": 0.6,
        "test_macro_f1": 0.45, "num_labels": 4, "num_train": 10, "num_test": 5, "oov_test": 0.25,
        "oov_train": None, "overlap_test_sentences": 0.1, "layer_weights": [1],
        "baseline_majority": 0.3, "baseline_majority_macro_f1": 0.1, "baseline_suffix": 0.35,
    }  # fmt: skip
    columns = {"layer": 3, "settings": {"rank": 2, "name": "ä"}, "grid": "", "train_share": 0.5}
    study = made_study(tmp_path, [(columns, {"metrics": metrics, "seconds": {"a": 1, "b": 2.5}})])
    write_results(study)
    frame = read_results(tmp_path).set_index(["split", "metric"])
    assert set(frame.index) == {
        ("train", "accuracy"), ("train", "loss"), ("run", "training_steps"), ("validation", "accuracy"),
        ("run", "best_epoch"), ("test", "accuracy"), ("test", "macro_f1"), ("run", "num_labels"),
        ("train", "num"), ("test", "num"), ("test", "oov"), ("test", "overlap_sentences"),
        ("run", "baseline_majority"), ("run", "baseline_majority_macro_f1"), ("run", "baseline_suffix"),
    }  # fmt: skip
    row = frame.loc[("test", "accuracy")]
    shown = {name: value for name, value in row.items() if not pandas.isna(value)}
    assert shown == {
        "language": "fin", "task": "Case", "representation": "a", "layer": 3, "probe": "linear",
        "settings": '{"rank": 2, "name": "ä"}', "train_share": 0.5, "control": False, "seed": 0,
        "chosen": True, "run": "run0", "config": "run0", "tested_on": "test", "source": "44479931da48",
        "labels": 4, "seconds": 3.5, "is_main": True, "value": 0.5, "low": 0.4, "high": 0.6, "items": 5,
        "oov": 0.25, "majority": 0.3, "suffix": 0.35,
    }  # fmt: skip
    of_f1 = frame.loc[("test", "macro_f1")]
    assert of_f1.majority == 0.1 and pandas.isna(of_f1.suffix) and not of_f1.is_main
    assert pandas.isna(frame.loc[("validation", "accuracy")].majority), "baselines are of test data"
    assert frame.loc[("train", "accuracy")]["items"] == 10


def test_a_run_alone_has_the_same_columns(tmp_path):
    study = made_study(tmp_path / "study", [({}, accuracy(0.5))])
    write_results(study)
    alone = RunFolder.read(study.run_path("run0")).scores()
    assert list(alone) == list(RESULT_COLUMNS) == list(read_results(tmp_path / "study"))
    assert tuple(RESULT_COLUMNS)[: len(COLUMNS)] == COLUMNS
    layers = [{"type": "transformer_layer", "model": "o/bert", "layer": 4}]
    deep = made_run(
        tmp_path / "deep", metrics={"a": 1}, representation=layers, task="fi", target="upos"
    )
    row = RunFolder.read(deep).scores().iloc[0]
    assert (row.representation, row.layer) == ("transformer_layer bert", 4)
    assert (row.task, row.language, row.probe, row.split) == ("upos", "fi", "linear", "run")


@pytest.mark.parametrize("name", ["results.csv", "results.parquet"])
def test_odd_names_stay_what_they_are(tmp_path, name):
    odd = [({"task": text, "language": text, "search": None}, accuracy(0.5)) for text in WEIRD]
    write_results(made_study(tmp_path, [*odd, ({"task": ""}, accuracy(0.5))]))
    frame = read_results(tmp_path / name)
    assert frame.task.tolist()[:-1] == WEIRD and frame.language.tolist()[:-1] == WEIRD
    assert pandas.isna(frame.task.iloc[-1]) and frame.search.isna().all()


def test_both_files_say_the_same_to_everybody(tmp_path):
    layers = [
        ({"layer": n, "seed": n, "task": text}, accuracy(0.1 + n / 70))
        for n, text in enumerate(WEIRD)
    ]
    write_results(made_study(tmp_path, [*layers, ({"layer": "mix"}, accuracy(0.5))]))
    ours = read_results(tmp_path / "results.csv")
    pandas.testing.assert_frame_equal(ours, read_results(tmp_path / "results.parquet"))
    assert ours.layer.tolist()[:-1] == list(range(len(WEIRD))) and pandas.isna(ours.layer.iloc[-1])
    assert ours.representation.iloc[-1] == "a, layer mix"
    # As docs/formats.md says it, without our reader.
    settings = {"keep_default_na": False, "na_values": [""], "float_precision": "round_trip"}
    theirs = pandas.read_csv(tmp_path / "results.csv", dtype={"task": str}, **settings)
    assert theirs.task.tolist() == ours.task.tolist() and theirs.value[:3].tolist() == [
        0.1,
        0.1 + 1 / 70,
        0.1 + 2 / 70,
    ]
    assert pandas.read_parquet(tmp_path / "results.parquet").task.tolist() == ours.task.tolist()


def test_the_predictions(tmp_path):
    labels = [answer(text, gold, line=n + 1, form=text, probability=0.5, gold_probability=0.5)
              for n, (text, gold) in enumerate(zip([*WEIRD, ""], ["", *WEIRD]))]  # fmt: skip
    pairs = [answer("x", "x", line=4, form1="a", form2="b", sentence=0, file="f", probability=None,
                    known=True)]  # fmt: skip
    heads = [answer(0, 2, line=1, sentence=7, form="w")]
    trees = [{"line": 5, "edges": [[1, 0], [1, 2]], "gold_edges": [[0, 1], [0, 2]]}]
    roots = [{"line": 1, "root": None, "gold_root": None}, {"line": 9, "root": 1, "gold_root": 1}]
    kinds = [("label", "line", labels), ("label", "sentence", pairs), ("label", "sentence", heads),
             ("edges", "line", trees), ("root", "line", roots), ("other", None, [{"tags": []}])]  # fmt: skip
    runs = [
        ({"seed": seed}, {**accuracy(0.5), "predictions": lines})
        for seed, (_, _, lines) in enumerate(kinds)
    ]
    study = made_study(tmp_path, [*runs, ({"seed": 9}, accuracy(0.5))])
    for number, (kind, cluster, _) in enumerate(kinds):
        path = study.run_path(f"run{number}") / "run.json"
        record = {**json.loads(path.read_text()), "predictions": {"kind": kind, "cluster": cluster}}
        path.write_text(json.dumps(record))
    write_results(study)
    frame = read_predictions(tmp_path)
    assert list(frame) == list(PREDICTION_COLUMNS) and set(frame.split) == {"test"}
    of_labels = frame[frame.run == "run0"]
    assert of_labels.label.tolist() == [*WEIRD, ""] and of_labels.gold.tolist() == ["", *WEIRD]
    assert of_labels.cluster.tolist() == [str(n + 1) for n in range(len(labels))]
    plain = pandas.read_parquet(tmp_path / "predictions.parquet")
    assert plain[plain.run == "run0"].label.tolist() == [*WEIRD, ""]
    shown = frame.drop(columns=["run", "split", "gold_probability"]).astype(object)
    rest = shown[frame.run != "run0"].where(lambda cells: cells.notna(), None).values.tolist()
    assert rest == [
        [0, 4, "f:0", "a", "b", "x", "x", None, True, True],
        [0, 1, "7", "w", None, "0", "2", None, False, None],
        [0, 5, "5", None, None, None, "0–1", None, True, None],
        [0, 5, "5", None, None, None, "0–2", None, False, None],
        [1, 9, "9", None, None, "1", "1", None, True, None],
    ]


def test_what_cannot_be_read_is_said_and_left_out(tmp_path, caplog):
    lines = [answer("x", "y", line=1)]
    runs = [({"seed": n}, {**accuracy(n / 10), "predictions": lines}) for n in range(7)]
    study = made_study(tmp_path, [*runs, ({"seed": 7}, None)])
    (study.run_path("run1") / "run.json").write_text("{")
    (study.run_path("run2") / "metrics.json").write_text("[]")
    (study.run_path("run3") / "test_predictions.jsonl").write_text('{"item": 0}\n')
    record = json.loads((study.run_path("run4") / "run.json").read_text())
    (study.run_path("run4") / "run.json").write_text(json.dumps({**record, "config": "other"}))
    (study.run_path("run5") / "metrics.json").unlink()
    (study.run_path("run6") / "metrics.json").write_text('{"test_accuracy": 1, "num_test": "x"}')
    made_run(study.runs / "foreign", metrics={"test_accuracy": 1})
    write_results(study)
    assert set(read_results(tmp_path).run) == {"run0", "run3"}
    assert set(read_predictions(tmp_path).run) == {"run0", "run6"}
    said = caplog.text
    assert all(f"run{n}" in said for n in (1, 2, 3, 4, 5, 6)) and "foreign" not in said
    assert "another config" in said


INFINITE = float("inf")
IMPOSSIBLE = [
    ({}, {"metrics": {"test_accuracy": 0.5, "num_test": INFINITE}}, "expected a number, found num_test: inf"),
    ({}, {"metrics": {"test_accuracy": 10**400}}, "test_accuracy: 1000"),
    ({}, {"metrics": {"test_accuracy": 0.5, "test_f1": 10**400}}, "value: expected a number, found 1000"),
    ({}, {"metrics": {"test_accuracy": 0.5, "num_labels": 1e30}}, "labels: expected a whole number"),
    ({}, {"metrics": {"test_accuracy": 0.5, "baseline_length": "x"}}, "length: expected a number, found 'x'"),
    ({}, {"metrics": {"test_accuracy": 0.5, "best_validation_accuracy": "x"}}, "accuracy: 'x'"),
    ({}, {**accuracy(0.5), "seconds": {"a": 1.0, "b": 10**400}}, "OverflowError"),
    ({"seed": 10**30}, {**accuracy(0.5), "seed": 0}, "seed: expected a whole number"),
    ({"layer": 2**70}, accuracy(0.5), "layer: expected a whole number"),
    ({"search": 5}, accuracy(0.5), "search: expected text, found 5"),
    ({"task": "\ud800"}, accuracy(0.5), r"task: expected text, found '\ud800'"),
    ({"settings": {"\udfff": 1}}, accuracy(0.5), "settings: expected text"),
]  # fmt: skip


def test_what_no_table_can_have_is_said_and_left_out(tmp_path, caplog):
    lines = [answer("x", "y", line=1)]
    answers = [{"item": 1e300}, {"line": 2**70}, {"label": "\udc80"}, {"probability": "p"}]
    runs = [
        *[(columns, run) for columns, run, _ in IMPOSSIBLE],
        *[({}, {**accuracy(0.5), "predictions": [{**lines[0], **each}]}) for each in answers],
        ({}, {**accuracy(0.5, num_labels=3.0, test_loss=2**60), "predictions": lines}),
    ]
    write_plan_as_others_do(tmp_path, runs)
    write_results(StudyFolder(tmp_path))
    of_predictions = [f"run{len(IMPOSSIBLE) + number}" for number in range(len(answers))]
    whole = f"run{len(runs) - 1}"
    for name in ("results.csv", "results.parquet"):
        frame = read_results(tmp_path / name)
        assert set(frame.run) == {*of_predictions, whole}
        assert set(frame[frame.run == whole].labels) == {3} and 2**60 in set(frame.value)
    assert read_predictions(tmp_path).run.tolist() == [whole]
    for number, (_, _, message) in enumerate(IMPOSSIBLE):
        said = [text for text in caplog.messages if f"runs/run{number}" in text.replace("\\", "/")]
        assert any(message in text.replace("\\\\", "\\") for text in said), (message, said)
    assert all(any(name in text for text in caplog.messages) for name in of_predictions)
    assert whole not in caplog.text


def write_plan_as_others_do(path, runs):
    """As `made_study`, with half characters: ours would not write them."""
    study = made_study(path, [({}, run) for _, run in runs])
    content = json.loads((path / "suite.json").read_text())
    for row, (columns, _) in zip(content["runs"], runs):
        row["columns"].update(columns)
    (path / "suite.json").write_text(json.dumps(content))
    return study


def test_a_failure_leaves_the_old_tables(tmp_path, monkeypatch):
    study = made_study(tmp_path, [({"seed": n}, accuracy(0.5)) for n in range(3)])
    write_results(study)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.*")}
    monkeypatch.setattr(results, "prediction_rows", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_results(study)
    assert {path: path.read_bytes() for path in tmp_path.glob("*.*")} == before
    assert not list(tmp_path.glob(".*"))


def test_a_study_without_a_finished_run(tmp_path):
    write_results(made_study(tmp_path, [({}, None)]))
    assert len(read_results(tmp_path)) == len(read_predictions(tmp_path)) == 0
    assert list(read_results(tmp_path / "results.csv")) == list(RESULT_COLUMNS)


def test_it_is_written_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "ROWS_IN_MEMORY", 4)
    metrics = {f"test_{name}": 0.5 for name in "abcde"}
    write_results(made_study(tmp_path, [({"seed": n}, {"metrics": metrics}) for n in range(3)]))
    assert pyarrow.parquet.ParquetFile(tmp_path / "results.parquet").num_row_groups == 4
    assert read_results(tmp_path).seed.tolist() == [n for n in range(3) for _ in "abcde"]


def test_without_pyarrow_there_is_the_csv_file(tmp_path, monkeypatch):
    study = made_study(tmp_path, [({}, accuracy(0.5))])
    write_results(study)
    before = (tmp_path / "results.csv").read_bytes()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ConfigurationError, match="pip install 'pandas>=2' 'pyarrow>=15'"):
        results.check_packages()
    with pytest.raises(ConfigurationError, match="pip install"):
        write_results(study)
    assert (tmp_path / "results.csv").read_bytes() == before
    assert not list(tmp_path.glob("*.parquet")), "they would be older than the CSV file"
    assert len(read_results(tmp_path)) == 1


def test_the_choice_of_a_search_is_in_the_table(tmp_path):
    tried = [
        ({"settings": {"rank": rank}, "seed": seed, "search": "accuracy"}, accuracy(0.5, value))
        for rank, values in ((1, (0.6, 0.8)), (2, (0.9, 0.6)))
        for seed, value in enumerate(values)
    ]
    write_results(made_study(tmp_path, [*tried, ({}, accuracy(0.5))]))
    frame = read_results(tmp_path)
    chosen = frame[frame.metric.eq("accuracy") & frame.split.eq("test")].chosen
    assert chosen.tolist() == [False, False, True, True, True]


@pytest.mark.parametrize("heading, columns", [
    ("results.csv", RESULT_COLUMNS), ("predictions.parquet", PREDICTION_COLUMNS),
])  # fmt: skip
def test_every_column_is_documented(root, heading, columns):
    text = (root / "docs/formats.md").read_text(encoding="utf-8")
    (section,) = [part for part in re.split(r"\n##+ ", text) if part.startswith(f"`{heading}`")]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    names = {int: "whole number", float: "number", str: "text", bool: "truth"}
    assert [row[0].strip("| `") for row in rows] == list(columns)
    assert [row[1] for row in rows] == [names[of_type] for of_type in columns.values()]


def test_csv_is_csv(tmp_path):
    """Python's own reader agrees with ours."""
    write_results(made_study(tmp_path, [({"task": text}, accuracy(0.5)) for text in WEIRD]))
    with open(tmp_path / "results.csv", encoding="utf-8", newline="") as file:
        assert [row["task"] for row in csv.DictReader(file)] == WEIRD
