"""Many runs in one process, with what they share done once: the only door from a suite to runs."""

import logging
import os
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

from allennlp.commands.train import train_model
from allennlp.common import Params

from linspector_allennlp.io.files import replacing_folder
from linspector_allennlp.runs import run_files
from linspector_allennlp.runs.provenance import read_config

logger = logging.getLogger(__name__)


class RunToTrain(NamedTuple):
    """
    # Parameters

    settings : `Mapping[str, Any]`
        The config.
    folder : `str`
        Where the run is to be; it appears there when it is finished, and not before.
    archive : `bool`, optional (default = `False`)
        Whether `model.tar.gz` is written.
    """

    settings: Mapping[str, Any]
    folder: str
    archive: bool = False


class RunEnd(NamedTuple):
    """How a run ended: `error` is a sentence, or `None` if it is finished."""

    folder: str
    seconds: float
    error: Optional[str] = None
    traceback: str = ""


class RunSeries:
    """
    The runs of a process. Data are read, and features computed, once for all runs that need them.

    # Parameters

    memory_gb : `float`, optional (default = `2.0`)
        What is kept for later runs takes this much at most.
    """

    def __init__(self, memory_gb: float = 2.0) -> None:
        self._memory_gb = memory_gb

    def prepare(self, settings: Sequence[Mapping[str, Any]]) -> None:
        """Has the representations of these runs compute what is expensive, in one pass for each."""

    def train(self, runs: Sequence[RunToTrain]) -> list[RunEnd]:
        """Trains these runs, as one where they fit; a run that fails does not stop the others."""
        ends = []
        for run in runs:
            began = time.monotonic()
            try:
                with replacing_folder(Path(run.folder)) as folder:
                    train_model(Params(dict(run.settings)), os.fspath(folder))
                ends.append(RunEnd(run.folder, time.monotonic() - began))
            except Exception as error:  # noqa: BLE001 - the other runs go on
                text = f"{error}" or type(error).__name__
                ends.append(
                    RunEnd(run.folder, time.monotonic() - began, text, traceback.format_exc())
                )
        return ends


def archive_run(folder: str) -> None:
    """Writes the archive of a finished run."""
    run_files.archive(folder, read_config(folder).get("include_in_archive"))
