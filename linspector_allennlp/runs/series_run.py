import copy
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional

from allennlp.commands.train import TrainModel
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.meta import META_NAME, Meta
from allennlp.common.util import prepare_environment
from allennlp.models.archival import CONFIG_NAME, verify_include_in_archive

from linspector_allennlp.io.files import replace_folder
from linspector_allennlp.io.temporary import name_beside, remove, sweep_beside
from linspector_allennlp.runs import run_files
from linspector_allennlp.runs.recorded_run import RecordedRun
from linspector_allennlp.runs.run_keys import is_shared
from linspector_allennlp.runs.shared_work import SharedRun, SharedWork
from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer


class SeriesRun:
    """
    A run of a series, from its settings to its folder: what `allennlp train` does, but for the logs, in
    steps between which other runs may take theirs.

    # Parameters

    settings : `Mapping[str, Any]`
    folder : `str`
        It gets this name when it is whole; until then it has another one beside it.
    archive : `bool`
    work : `SharedWork`
    """

    def __init__(
        self, settings: Mapping[str, Any], folder: str, archive: bool, work: SharedWork
    ) -> None:
        self.folder = Path(folder)
        self.error: Optional[Exception] = None
        self.seconds = 0.0
        self.run: TrainModel
        self._settings = copy.deepcopy(dict(settings))
        self._archive = archive
        self._work = work
        self._unfinished = name_beside(self.folder)

    @property
    def trainer(self) -> Optional[FrozenProbeTrainer]:
        """That of a run that may be trained with others."""
        trainer = self.run.trainer if is_shared(self._settings) else None
        return trainer if isinstance(trainer, FrozenProbeTrainer) else None

    def attempt(self, step: Callable[[], None]) -> bool:
        """Takes a step; whether it succeeded. A run that fails is over, and the others go on."""
        began = time.monotonic()
        try:
            step()
        except Exception as error:  # noqa: BLE001 - the others go on
            self.error = error
            self.close()
        self.seconds += time.monotonic() - began
        return self.error is None

    def build(self) -> None:
        """Reads the data, makes the model, and represents the data for it."""
        self.construct()
        if self.trainer is not None and isinstance(self.run, RecordedRun):
            self.run.represent()

    def construct(self) -> None:
        """Does what `allennlp train` does before training, in the order in which that draws numbers."""
        began = time.monotonic()
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        sweep_beside(self.folder)
        self._unfinished.mkdir()
        params = Params(copy.deepcopy(self._settings))
        params.to_file(os.path.join(self._unfinished, CONFIG_NAME))
        params.pop("evaluation", None)
        Meta.new().to_file(os.path.join(self._unfinished, META_NAME))
        verify_include_in_archive(params.pop("include_in_archive", None))
        if params.pop("distributed", None) is not None:
            raise ConfigurationError(
                "A series trains its runs in one process: leave out `distributed`."
            )
        prepare_environment(params)
        shared: dict[str, Any] = {}
        if is_shared(self._settings):
            shared["shared"] = SharedRun(self._work, self._settings)
        self.run = TrainModel.from_params(
            params=params,
            serialization_dir=os.fspath(self._unfinished),
            local_rank=0,
            ddp_accelerator=None,
            **shared,
        )
        if isinstance(self.run, RecordedRun):
            self.run.archive = run_files.write_archive if self._archive else _no_archive
            self.run.phases.seconds = {"reading": time.monotonic() - began}

    def train_alone(self) -> None:
        """All that is left to do for a run that is trained by itself."""
        self.run.finish(self.run.run())
        self._put_in_place()

    def finish(self) -> None:
        """What is left to do for a run that was trained with others."""
        trainer, run = self.trainer, self.run
        assert trainer is not None and isinstance(run, RecordedRun), "it was trained with others"
        run.phases.seconds["training"] = trainer.seconds
        self.seconds += trainer.seconds
        run.finish(trainer.metrics)
        self._put_in_place()

    def close(self) -> None:
        """Lets go of all that was made for the run; what is unfinished goes from the disk as well."""
        self.__dict__.pop("run", None)
        remove(self._unfinished)

    def _put_in_place(self) -> None:
        replace_folder(self._unfinished, self.folder)
        self.close()


def share_seconds(runs: Sequence[SeriesRun]) -> None:
    """Divides evenly among runs what one of them has done for all."""
    phases = [run.run.phases.seconds for run in runs if isinstance(run.run, RecordedRun)]
    for name in ("reading", "representing"):
        mean = sum(seconds.get(name, 0.0) for seconds in phases) / max(1, len(phases))
        for seconds in phases:
            seconds[name] = mean


def _no_archive(folder: str) -> None:
    """For a run whose archive nobody asked for."""
