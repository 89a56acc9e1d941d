"""The training of what a study lacks."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple, Optional, Union

from allennlp.common.plugins import discover_plugins

from linspector_allennlp.io.files import replacing_text
from linspector_allennlp.io.locks import refusing_others
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import worker
from linspector_allennlp.suite.best_runs import best_runs
from linspector_allennlp.suite.execution import Execution
from linspector_allennlp.suite.executors import Workers, open_workers
from linspector_allennlp.suite.planned_run import PlannedRun
from linspector_allennlp.suite.study_progress import Observer, StudyProgress

ARCHIVES = ("none", "best", "all")

ARCHIVE = "model.tar.gz"

OTHERS, CHANGED = "others.txt", "changed.txt"

OURS = "linspector_allennlp"

MOST_MEMORY_GB = 2.0


class Means(NamedTuple):
    """
    With what a study is trained.

    # Parameters

    executor : `Union[str, Executor]`, optional (default = `"processes"`)
        `processes` on this machine, `dask`, or an executor of Python's.
    workers : `int`, optional
        How many groups of runs are trained at a time; by default as many as there are cores, or two for
        each worker of a scheduler.
    scheduler : `str`, optional
        The address of Dask's; without one, `dask` starts workers on this machine.
    packages : `Sequence[str]`, optional
        Packages with classes of the user's, which the workers import, too.
    """

    executor: Union[str, Executor] = "processes"
    workers: Optional[int] = None
    scheduler: Optional[str] = None
    packages: Sequence[str] = ()


def train_study(
    study: StudyFolder,
    suite: Mapping[str, Any],
    runs: Sequence[PlannedRun],
    wanted: Sequence[PlannedRun],
    means: Means,
    archives: str,
    observe: Observer,
) -> StudyProgress:
    """
    Writes the plan of a study, and trains those of the wanted runs that are not finished.

    # Parameters

    suite : `Mapping[str, Any]`
        As it was evaluated.
    runs, wanted : `Sequence[PlannedRun]`
        All of the plan, and those to train now.
    """
    study.check()
    with refusing_others(study.path, "suite"):
        rows = [run.row for run in runs]
        study.write_plan(suite, rows)
        study.sweep(rows)
        missing = [run for run in wanted if not study.is_finished(run.row)]
        progress = StudyProgress(total=len(wanted), done=len(wanted) - len(missing))
        unarchived = _without_archive(study, wanted, archives)
        if not missing and not unarchived:
            return progress
        try:
            with open_workers(means.executor, means.workers, means.scheduler, study.log) as workers:
                number = workers.number()
                common = worker.Surroundings(os.getcwd(), _packages(means), _memory_gb(number))
                Execution(
                    study, missing, workers, common, archives == "all", progress, observe
                ).run()
                _archive(_without_archive(study, wanted, archives), workers, common)
        finally:
            study.sweep(rows)
    return progress


def list_others(study: StudyFolder, runs: Sequence[PlannedRun]) -> Optional[str]:
    """What there is to say of folders in a study that are not of its plan; their names go to a file."""
    names = study.others(run.row for run in runs)
    what = "not of this suite, and not in its table"
    return list_runs(study, names, OTHERS, f"{len(names)} {_folders(names)} {what}")


def list_runs(study: StudyFolder, names: Sequence[str], file: str, what: str) -> Optional[str]:
    """Writes the names of some runs into a file of the study; gives what they are, and how to remove them."""
    place = study.path / file
    if not names:
        if place.is_file():
            place.unlink()
        return None
    with replacing_text(place) as lines:
        lines.writelines(f"{name}\n" for name in names)
    return (
        f"{what}: {place} has the names. To remove what they hold: (cd {shlex.quote(str(study.runs))} && "
        f"tr '\\n' '\\0' < ../{file} | xargs -0 rm -r --)"
    )


def _folders(names: Sequence[str]) -> str:
    return "folder is" if len(names) == 1 else "folders are"


def _without_archive(study: StudyFolder, wanted: Sequence[PlannedRun], archives: str) -> list[str]:
    """The folders of finished runs that have no archive, and should."""
    if archives == "none":
        return []
    finished = [run for run in wanted if study.is_finished(run.row)]
    chosen = finished if archives == "all" else best_runs(study, finished)
    folders = (study.run_path(run.name) for run in chosen)
    return [str(folder) for folder in folders if not (folder / ARCHIVE).exists()]


def _archive(folders: Sequence[str], workers: Workers, surroundings: worker.Surroundings) -> None:
    sent = [workers.executor.submit(worker.archive, surroundings, folder) for folder in folders]
    for future in sent:
        future.result()


def _packages(means: Means) -> list[str]:
    """The user's plugins: those asked for, and those that AllenNLP has found in this folder."""
    found = [name for name in discover_plugins() if name in sys.modules]
    return [name for name in dict.fromkeys([*found, *means.packages]) if name != OURS]


def _memory_gb(workers: int) -> float:
    """What each worker may keep for later runs: all together half of the machine's memory at most."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return min(MOST_MEMORY_GB, total / 2 / workers)
