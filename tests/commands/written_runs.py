"""Run folders that are written by hand."""

import json

from linspector_allennlp.run_folders.run_record import RunRecord
from linspector_allennlp.run_folders.study_folder import PlannedRow, StudyFolder
from linspector_allennlp.run_folders.table_columns import PLAN_COLUMNS

DATA = {"path": "data/Case/finnish/test.txt", "sha256": "a" * 64, "items": 100}


def write_run(folder, predictions, split="test", seed=13, config="", metrics=None, **data):
    """A run folder with these predictions; its path."""
    folder.mkdir(parents=True)
    provenance = {"data": {split: {**DATA, **data}}, "warnings": []}
    RunRecord(
        kind="probe",
        task="Case",
        language="finnish",
        main_metric="accuracy",
        seed=seed,
        config=config,
        representation=[{"type": "word_vectors", "path": f"vectors/{folder.name}.vec"}],
        predictions=scored_by(predictions[0] if predictions else {}),
    ).write(folder)
    (folder / "metrics.json").write_text(json.dumps(metrics or {}))
    (folder / "provenance.json").write_text(json.dumps(provenance))
    lines = "".join(json.dumps(prediction) + "\n" for prediction in predictions)
    (folder / f"{split}_predictions.jsonl").write_text(lines)
    return str(folder)


def scored_by(prediction):
    """What the probe of such predictions would say in its record."""
    if "edges" in prediction:
        return {"kind": "edges", "cluster": "line"}
    if "root" in prediction:
        return {"kind": "root", "cluster": "line"}
    if "index" in prediction.get("input", {}):
        return {"kind": "label", "cluster": "input.sentence"}
    return {"kind": "label", "cluster": "sentence" if "sentence" in prediction else "line"}


def words(rights, gold="Nom", first=1, **more):
    """A prediction for each right (1) or wrong (0) answer."""
    return [
        {"line": line, "input": {"form": f"w{line}"}, "label": label, "gold": gold, **more}
        for line, label in enumerate((gold if right else "?" for right in rights), start=first)
    ]


def trees(rights_of_sentences):
    """A chain of words for each sentence, and which of its edges are right."""
    return [
        {
            "line": line,
            "words": [f"w{number}" for number in range(len(rights) + 1)],
            "gold_edges": [[number, number + 1] for number in range(len(rights))],
            "edges": [[number, number + 1] for number, right in enumerate(rights) if right],
        }
        for line, rights in enumerate(rights_of_sentences, start=1)
    ]


def write_study(folder, runs, unfinished=()):
    """
    A study with these runs, each a pair of columns and predictions, and one that is only planned for each
    columns in `unfinished`.
    """
    study = StudyFolder(folder)
    rows = []
    for number, (columns, predictions) in enumerate([*runs, *((c, None) for c in unfinished)]):
        name = f"run{number}"
        whole = {**dict.fromkeys(PLAN_COLUMNS), "settings": {}, "control": False, **columns}
        metrics = whole.pop("metrics", None)
        rows.append(PlannedRow(name, name, whole))
        if predictions is not None:
            write_run(
                study.run_path(name), predictions, seed=whole["seed"], config=name, metrics=metrics
            )
    study.write_plan({}, rows)
    return str(folder)
