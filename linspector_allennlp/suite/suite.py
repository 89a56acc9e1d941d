"""A study from its suite: planned, trained, and gathered in one table."""

import logging
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite.changed_files import ChangedFiles
from linspector_allennlp.suite.chosen_runs import Choice, chosen
from linspector_allennlp.suite.executors import check_workers
from linspector_allennlp.suite.local_processes import end_if_imported
from linspector_allennlp.suite.needed_files import missing_files
from linspector_allennlp.suite.plan import planned_runs
from linspector_allennlp.suite.planned_run import PlannedRun
from linspector_allennlp.suite.results import check_packages, read_results, write_results
from linspector_allennlp.suite.study_progress import Observer, StudyProgress
from linspector_allennlp.suite.train_study import (
    ARCHIVES,
    CHANGED,
    Means,
    list_others,
    list_runs,
    train_study,
)

if TYPE_CHECKING:
    import pandas

logger = logging.getLogger(__name__)


class Suite:
    """
    A suite and the folder of its study: `Suite(read_suite("suite.jsonnet"), "STUDY").run()` trains what is
    missing, and gives the table.

    # Parameters

    settings : `Mapping[str, Any]`
        What a suite file gives; see `read_suite`.
    folder : `PathLike`
        Where the study is, or will be.
    """

    def __init__(self, settings: Mapping[str, Any], folder: PathLike) -> None:
        self.settings = dict(settings)
        self.study = StudyFolder(os.path.realpath(folder))
        self.archives = self.settings.get("archives", "none")
        if self.archives not in ARCHIVES:
            raise ConfigurationError(
                f"archives: expected one of {', '.join(ARCHIVES)}, found {self.archives!r}."
            )
        self.runs = planned_runs(self.settings)
        self.notes = list(self.runs.notes)
        """What there is to say of the plan and, when it has run, of the study besides its table."""
        self.failed: list[str] = []
        """The names of the runs that failed; `failed/NAME.json` in the study says why."""

    def chosen(self, only: Optional[Choice] = None) -> list[PlannedRun]:
        """The runs that have these values; see `chosen_runs.chosen`."""
        return list(self.runs) if only is None else chosen(self.runs, only)

    def is_finished(self, run: PlannedRun) -> bool:
        return self.study.is_finished(run.row)

    def missing_files(self, runs: Sequence[PlannedRun]) -> list[str]:
        """A sentence for each file that these runs need and that is not there."""
        return missing_files(run.settings for run in runs if not self.is_finished(run))

    def made_from_others(self) -> Optional[str]:
        """What there is to say of finished runs whose files are not what they were."""
        changed, names, path = ChangedFiles(), [], ""
        for run in filter(self.is_finished, self.runs):
            found = changed.of(self.study.run_path(run.name), run.settings)
            names += [run.name] if found else []
            path = path or "".join(found[:1])
        was = "run was" if len(names) == 1 else "runs were"
        what = (
            f"{len(names)} finished {was} made from other files than there are now, such as {path}"
        )
        return list_runs(self.study, names, CHANGED, f"{what}, and not trained again")

    def run(
        self,
        workers: Optional[int] = None,
        executor: Union[str, Executor] = "processes",
        scheduler: Optional[str] = None,
        only: Optional[Choice] = None,
        packages: Sequence[str] = (),
        observe: Optional[Observer] = None,
    ) -> "pandas.DataFrame":
        """
        Trains what is missing. A run that fails does not stop the others: see `failed`.

        # Parameters

        workers, executor, scheduler, packages
            See `Means`.
        only : `Union[str, Mapping[str, Any]]`, optional
            Trains only some of the runs; see `chosen_runs.chosen`.
        observe : `Observer`, optional
            It is told about twice a second how far the study is.

        # Returns

        `pandas.DataFrame`
            The table of all finished runs of the suite.
        """
        end_if_imported()
        check_packages()
        check_workers(executor, workers, scheduler)
        wanted = self.chosen(only)
        self.study.check()
        missing = self.missing_files(wanted)
        if missing:
            raise FileNotFoundError(" ".join(missing))
        means = Means(executor, workers, scheduler, packages)
        progress = train_study(
            self.study,
            self.settings,
            self.runs,
            wanted,
            means,
            self.archives,
            observe or _log,
        )
        self.failed = progress.failed
        write_results(self.study)
        for note in (list_others(self.study, self.runs), self.made_from_others()):
            if note is not None and note not in self.notes:
                self.notes.append(note)
        return read_results(self.study.path)


def _log(progress: StudyProgress) -> None:
    logger.debug("%d of %d runs are done", progress.done, progress.total)
