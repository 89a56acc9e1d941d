"""The best run of each task, by its validation score."""

from collections.abc import Iterable
from typing import Any

from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite.planned_run import PlannedRun

TASK_COLUMNS = ("level", "language", "task", "test", "train_share")


def best_runs(study: StudyFolder, runs: Iterable[PlannedRun]) -> list[PlannedRun]:
    """
    Of finished runs the best of each task and language, whatever its representation, layer, probe and seed;
    control tasks have none. Equal ones: the first of the suite.
    """
    best: dict[tuple[Any, ...], tuple[float, PlannedRun]] = {}
    for run in runs:
        if run.columns.get("control"):
            continue
        found = RunFolder.read(study.run_path(run.name))
        score = found.metrics.get(f"best_validation_{found.record.main_metric}")
        key = tuple(run.columns.get(column) for column in TASK_COLUMNS)
        if score is not None and (key not in best or score > best[key][0]):
            best[key] = (score, run)
    return [run for _, run in best.values()]
