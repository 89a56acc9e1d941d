"""The tables of a study as its folder has them, or, where runs are newer than they are, as its runs do."""

from typing import NamedTuple, Optional

import pandas

from linspector_allennlp.analysis.chosen_settings import ChosenSettings
from linspector_allennlp.analysis.wording import count, some
from linspector_allennlp.run_folders.data_frames import typed_frame
from linspector_allennlp.run_folders.found_runs import readable_rows, study_runs
from linspector_allennlp.run_folders.results_file import (
    CSV,
    PARQUET,
    PREDICTIONS,
    read_predictions,
    read_results,
)
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.run_folders.table_columns import PREDICTION_COLUMNS, RESULT_COLUMNS
from linspector_allennlp.run_folders.table_rows import prediction_rows, score_rows


class StudyTables(NamedTuple):
    """
    # Parameters

    table : `pandas.DataFrame`
    predictions : `Optional[pandas.DataFrame]`
        Nothing where no run has any.
    notes : `List[str]`
        What a reader must know of how they were read.
    """

    table: pandas.DataFrame
    predictions: Optional[pandas.DataFrame]
    notes: list[str]


def study_tables(study: StudyFolder) -> StudyTables:
    """Those of a study that is being trained, too."""
    finished = [row.name for row in study.plan() if study.is_finished(row)]
    has_table = any((study.path / name).exists() for name in (PARQUET, CSV))
    table = read_results(study.path) if has_table else typed_frame([], RESULT_COLUMNS)
    notes: list[str] = []
    if set(finished) - set(table["run"]):
        table, predictions, notes = _of_runs(study)
    elif (study.path / PREDICTIONS).exists():
        predictions = read_predictions(study.path)
    else:
        predictions = None
    if len(finished) < (planned := len(study.plan())):
        notes.insert(0, _unfinished(study, set(finished), planned))
    if predictions is None or predictions.empty:
        notes.append("There are no predictions: nothing is said of single items.")
        predictions = None
    return StudyTables(table, predictions, notes)


def _unfinished(study: StudyFolder, finished: set[str], planned: int) -> str:
    """How far it is, and of which tasks nothing is there."""
    planned_tasks = {
        row.name: (row.columns.get("level"), str(row.columns["task"]))
        for row in study.plan()
        if row.columns.get("task") is not None
    }
    begun = {task for name, task in planned_tasks.items() if name in finished}
    several = len({level for level, _ in planned_tasks.values()}) > 1
    none = [
        f"{task} ({level})" if several and level else task
        for level, task in dict.fromkeys(planned_tasks.values())
        if (level, task) not in begun
    ]
    without = f" There is none of {some(none, ', ')}." if none else ""
    return f"The study is unfinished: {len(finished)} of {count(range(planned), 'run')} are here.{without}"


def _of_runs(study: StudyFolder) -> StudyTables:
    """What `probe-suite` would write now, run by run, so that not all rows are in memory as such."""
    searched = any(row.columns.get("search") is not None for row in study.plan())
    chosen = ChosenSettings(study_runs(study, lambda sentence: None) if searched else ())
    notes: list[str] = list(chosen.notes)
    tables: list[pandas.DataFrame] = []
    answers: list[pandas.DataFrame] = []
    for found in study_runs(study, notes.append):
        scores = score_rows(found.run, found.columns, found.name, chosen.has(found))
        rows = readable_rows(found, "scores", scores, notes.append)
        tables.append(typed_frame(rows, RESULT_COLUMNS))
        items = prediction_rows(found.run, found.name)
        rows = readable_rows(found, "predictions", items, notes.append)
        answers.append(typed_frame(rows, PREDICTION_COLUMNS))
    table = pandas.concat(tables or [typed_frame([], RESULT_COLUMNS)], ignore_index=True)
    predictions = pandas.concat(answers, ignore_index=True) if answers else None
    return StudyTables(table, predictions, notes)
