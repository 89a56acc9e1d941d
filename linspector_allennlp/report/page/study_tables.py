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
    plan = study.plan()
    finished = {row.name for row in plan if study.is_finished(row)}
    damaged = []
    try:
        written = _written(study, finished)
    except ValueError as error:
        written, damaged = None, [f"Left out: {error} The runs are read."]
    table, predictions, notes = written or _of_runs(study)
    notes[:0] = damaged
    if len(finished) < len(plan):
        notes.insert(0, _unfinished(study, finished, len(plan)))
    if predictions is None or predictions.empty:
        notes.append("There are no predictions: nothing is said of single items.")
        predictions = None
    return StudyTables(table, predictions, notes)


def _written(study: StudyFolder, finished: set[str]) -> Optional[StudyTables]:
    """The files of a study, if they are of the runs that are there, and newer than they are."""
    name = next((name for name in (PARQUET, CSV) if (study.path / name).exists()), None)
    if name is None or _is_older(study, name, finished):
        return None
    table = read_results(study.path / name)
    if set(table["run"].dropna()) != finished or table["run"].isna().any():
        return None
    if not (study.path / PREDICTIONS).exists():
        return StudyTables(table, None, [])
    if _is_older(study, PREDICTIONS, finished):
        return None
    predictions = read_predictions(study.path)
    others = set(predictions["run"]) - finished
    return None if others else StudyTables(table, predictions, [])


def _is_older(study: StudyFolder, name: str, finished: set[str]) -> bool:
    """Whether a run has been made since the file was."""
    made = (study.path / name).stat().st_mtime_ns
    runs = (study.run_path(run) / "metrics.json" for run in finished)
    return any(run.stat().st_mtime_ns > made for run in runs)


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
