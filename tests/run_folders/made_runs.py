"""Run folders and studies made by hand, so that nothing is trained for them."""

import json

from linspector_allennlp.run_folders.run_record import Column, RunRecord
from linspector_allennlp.run_folders.study_folder import PlannedRow, StudyFolder

COLUMNS = [
    Column("test accuracy", "test_accuracy"),
    Column("95 % interval", "test_accuracy", "interval"),
    Column("majority", "baseline_majority"),
    Column("suffix", "baseline_suffix"),
    Column("unknown words", "oov_test"),
]
TREES = [Column("test UUAS", "test_uuas"), Column("DSpr", "test_dspr", "number")]

BASE = {"language": "fin", "task": "Case", "representation": "a", "probe": "linear", "seed": 0}


def made_run(folder, metrics=(), predictions=None, warnings=(), data=None, config=None, **record):
    """A finished run; `record` are fields of its record."""
    folder.mkdir(parents=True)
    fields = {
        "kind": "probe",
        "task": "Case",
        "language": "fin",
        "level": "type",
        "main_metric": "accuracy",
        "seed": 0,
        "config": folder.name,
        "head": "linear",
        "representation": [{"type": "char_ngrams"}],
        "columns": COLUMNS,
        "baselines": ["baseline_majority", "baseline_suffix"],
        "predictions": {"kind": "label", "cluster": "line"},
        **record,
    }
    data = data or {"train": {"path": "train.txt"}, "validation": {"path": "dev.txt"}}
    (folder / "metrics.json").write_text(json.dumps(dict(metrics)))
    (folder / "provenance.json").write_text(json.dumps({"data": data, "warnings": list(warnings)}))
    (folder / "config.json").write_text(json.dumps(config or {}))
    if predictions is not None:
        lines = [json.dumps({"item": n, **each}) + "\n" for n, each in enumerate(predictions)]
        (folder / "test_predictions.jsonl").write_text("".join(lines), encoding="utf-8")
    RunRecord(**fields).write(folder)
    return folder


def made_study(path, runs):
    """
    A study of such runs: for each the columns of the plan that are not as in `BASE`, and what `made_run`
    takes. A run of which that is nothing is planned and not there.
    """
    study, rows = StudyFolder(path), []
    for number, (columns, run) in enumerate(runs):
        name = f"run{number}"
        columns = {**BASE, "control": False, "settings": {}, **columns}
        rows.append(PlannedRow(name, name, columns))
        if run is not None:
            control = {"seed": 13} if columns["control"] else None
            run = {"control": control, "seed": columns["seed"], **run}
            made_run(study.runs / name, **run)
    study.write_plan({}, rows)
    return study


def accuracy(value, validation=None, **others):
    """The metrics of a run with this accuracy."""
    given = {"test_accuracy": value, "best_validation_accuracy": validation, **others}
    return {"metrics": {key: each for key, each in given.items() if each is not None}}
