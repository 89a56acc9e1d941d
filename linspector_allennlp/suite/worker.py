"""What a suite has a process do: the functions that are sent to it, wherever it is."""

import errno
import os
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple, Optional

import torch
from allennlp.common.util import import_module_and_submodules

from linspector_allennlp.run_folders.study_folder import PlannedRow, StudyFolder
from linspector_allennlp.runs.run_series import RunSeries, RunToTrain, archive_run

NO_ROOM = [
    *(os.strerror(code) for code in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)),
    # torch does not say why it could not write.
    "PytorchStreamWriter failed",
    "unexpected pos",
]

LONGEST_TRACEBACK = 20_000

_one_at_a_time = threading.Lock()
"""Loading archives replaces functions of the whole process."""


class Surroundings(NamedTuple):
    """
    What a process must have in common with the one that started the study.

    # Parameters

    folder : `str`
        The working folder, where relative paths begin.
    packages : `Sequence[str]`
        The user's plugins, which register classes.
    memory_gb : `float`
        What a process keeps for later runs.
    """

    folder: str
    packages: Sequence[str] = ()
    memory_gb: float = 2.0


class RunInGroup(NamedTuple):
    row: PlannedRow
    settings: Mapping[str, Any]


class Ended(NamedTuple):
    """How a run ended: `error` is a sentence, or `None` if it is finished."""

    name: str
    seconds: float = 0.0
    error: Optional[str] = None
    traceback: str = ""

    @property
    def had_no_room(self) -> bool:
        """Whether a disk was full; then the next run would fail, too."""
        text = f"{self.error} {self.traceback}" if self.error is not None else ""
        return any(reason in text for reason in NO_ROOM)


def prepare(surroundings: Surroundings, settings: Sequence[Mapping[str, Any]]) -> None:
    """Has what is expensive in the representations of these runs computed."""
    with _at(surroundings):
        _series(surroundings.memory_gb).prepare(settings)


def train(
    surroundings: Surroundings, study_path: str, group: Sequence[RunInGroup], archive: bool = False
) -> list[Ended]:
    """Trains those of the runs that are not finished: who has to do it twice does it once."""
    study = StudyFolder(study_path)
    with _at(surroundings):
        if not study.is_study(study_path):
            raise FileNotFoundError(_not_there(study_path))
        begun = [run for run in group if not study.is_finished(run.row)]
        ended = [Ended(run.row.name) for run in group if run not in begun]
        with study.work_folder() as folder:
            to_train = [
                RunToTrain(run.settings, str(folder / run.row.name), archive) for run in begun
            ]
            for run, end in zip(begun, _series(surroundings.memory_gb).train(to_train)):
                if end.error is None:
                    study.take_in(folder / run.row.name, run.row)
                trace = end.traceback[-LONGEST_TRACEBACK:]
                ended.append(Ended(run.row.name, end.seconds, end.error, trace))
    return ended


def archive(surroundings: Surroundings, folder: str) -> None:
    """Writes the archive of a finished run."""
    with _at(surroundings):
        archive_run(folder)


@lru_cache(maxsize=1)
def _series(memory_gb: float) -> RunSeries:
    """The one of this process, which remembers what it has read and computed."""
    return RunSeries(memory_gb)


@contextmanager
def _at(surroundings: Surroundings) -> Iterator[None]:
    with _one_at_a_time:
        before, threads = os.getcwd(), torch.get_num_threads()
        try:
            os.chdir(surroundings.folder)
        except OSError as error:
            raise FileNotFoundError(_not_there(surroundings.folder)) from error
        torch.set_num_threads(1)
        try:
            if surroundings.folder not in sys.path:
                sys.path.append(surroundings.folder)
            for package in surroundings.packages:
                import_module_and_submodules(package)
            yield
        finally:
            torch.set_num_threads(threads)
            os.chdir(before)


def _not_there(path: str) -> str:
    return (
        f"{path}: there is no such folder on {socket.gethostname()}. All machines of a study must see the "
        "folder it was started in, its data and the study itself by the same paths."
    )
