"""The tables of a study that is being trained are those that it will write."""

import json
import os
import shutil

import pandas
import pytest

from linspector_allennlp.report.page.study_tables import study_tables
from linspector_allennlp.run_folders.study_folder import PlannedRow, StudyFolder
from linspector_allennlp.suite.results import write_results
from tests.run_folders.made_runs import accuracy, made_study


def study_of(folder, values=(0.5, 0.7)):
    """Its plan has a run more than there are, of a task of its own."""
    runs = [({"task": "Case", "seed": n}, accuracy(value)) for n, value in enumerate(values)]
    made_study(folder, runs)
    study = StudyFolder(folder)
    study.write_plan({}, [*study.plan(), PlannedRow("gone", "0", {"task": "Number"})])
    return study


def scores(table):
    main = table[table["is_main"].fillna(False).astype(bool) & (table["split"] == "test")]
    return sorted(main["value"])


def test_a_study_without_its_tables(tmp_path):
    study = study_of(tmp_path)
    table, _, notes = study_tables(study)
    assert scores(table) == [0.5, 0.7]
    assert notes[0] == "The study is unfinished: 2 of 3 runs are here. There is none of Number."


def test_the_same_task_at_two_levels(tmp_path):
    """Case of words is there, Case of tokens is not."""
    made_study(tmp_path, [({"task": "Case", "level": "type", "seed": 1}, accuracy(0.5))])
    study = StudyFolder(tmp_path)
    gone = PlannedRow("gone", "0", {"task": "Case", "level": "token"})
    study.write_plan({}, [*study.plan(), gone])
    assert study_tables(study).notes[0].endswith("There is none of Case (token).")


def test_tables_are_those_that_are_written(tmp_path):
    study = study_of(tmp_path)
    before = study_tables(study).table
    write_results(study)
    after = study_tables(study).table
    assert list(before.columns) == list(after.columns)
    assert (
        before.astype(object)
        .where(before.notna(), None)
        .equals(after.astype(object).where(after.notna(), None))
    )


def test_old_tables_are_not_taken(tmp_path):
    """The table has one run, and the folder two."""
    study = study_of(tmp_path)
    write_results(study)
    table = study_tables(study).table
    first = table[table["run"] == table["run"].iloc[0]]
    (study.path / "results.parquet").unlink()
    first.to_csv(study.path / "results.csv", index=False)
    assert scores(study_tables(study).table) == [0.5, 0.7]


def test_runs_that_are_gone_are_not_scored(tmp_path):
    study = study_of(tmp_path, (0.5, 0.7, 0.9))
    write_results(study)
    shutil.rmtree(study.run_path("run0"))
    table, _, notes = study_tables(study)
    assert scores(table) == [0.7, 0.9] and set(table["run"]) == {"run1", "run2"}
    assert notes[0] == "The study is unfinished: 2 of 4 runs are here. There is none of Number."


def test_a_run_that_is_newer_than_the_table(tmp_path):
    study = study_of(tmp_path)
    write_results(study)
    path = study.run_path("run0") / "metrics.json"
    path.write_text(json.dumps({"test_accuracy": 0.6}))
    later = (study.path / "results.parquet").stat().st_mtime + 1
    os.utime(path, (later, later))
    assert scores(study_tables(study).table) == [0.6, 0.7]


@pytest.mark.parametrize("name", ["results.parquet", "predictions.parquet"])
@pytest.mark.parametrize("content", [b"PAR1xx", None])
def test_a_damaged_table_is_not_needed(tmp_path, name, content):
    study = study_of(tmp_path)
    write_results(study)
    if content is None:
        pandas.DataFrame({"task": ["a"]}).to_parquet(study.path / name)
    else:
        (study.path / name).write_bytes(content)
    table, _, notes = study_tables(study)
    assert scores(table) == [0.5, 0.7]
    assert any(note.startswith("Left out: ") and name in note for note in notes)
