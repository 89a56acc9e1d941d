import copy
import json
import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from allennlp.commands.train import TrainModel, train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.common.params import with_overrides

from linspector_allennlp import jsonnet
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.run_place import place_for_run
from linspector_allennlp.run_folders.run_record import NAME, config_digest

Config = Union[PathLike, Mapping[str, Any]]


@dataclass(frozen=True)
class Job:
    """
    A run that can be started: all there is to know of it before it is done.

    # Parameters

    config : `Union[PathLike, Mapping[str, Any]]`
        A jsonnet file, or settings as such a file gives them.
    folder : `PathLike`
        Where the run is saved.
    variables : `Mapping[str, str]`, optional
        The external variables of the config (`TASK`, `VECTORS`, …); those that are not here come from
        the environment.
    overrides : `Union[str, Mapping[str, Any]]`, optional
        Changes to the config: a mapping of dotted keys (`{"trainer.num_epochs": 5}`), or the same as
        JSON. The value of a key replaces the one of the config.
    """

    config: Config
    folder: PathLike
    variables: Mapping[str, str] = field(default_factory=dict)
    overrides: Union[str, Mapping[str, Any]] = ""

    def settings(self) -> dict[str, Any]:
        """The config with the variables and the changes in it."""
        overrides = self.overrides if isinstance(self.overrides, str) else dict(self.overrides)
        if isinstance(self.config, Mapping):
            if self.variables:
                raise ConfigurationError("variables are for a jsonnet file: settings have none.")
            changes = json.loads(overrides or "{}") if isinstance(overrides, str) else overrides
            # A copy of all of it, because AllenNLP takes settings apart while it builds.
            return with_overrides(copy.deepcopy(dict(self.config)), changes)
        params = Params.from_file(os.fspath(self.config), overrides, dict(self.variables))
        return params.as_dict(quiet=True)

    def result(self) -> Optional[RunFolder]:
        """The run, if it is finished; one of another config is not this job's."""
        if not os.path.exists(os.path.join(self.folder, NAME)):
            return None
        run = RunFolder.read(self.folder)
        return run if run.record.config == config_digest(self.settings()) else None

    def run(self, force: bool = False, recover: bool = False) -> RunFolder:
        """
        Trains in this process, and reads what was written.

        # Parameters

        force : `bool`, optional (default = `False`)
            Whether a run that is in the folder is replaced when this one is finished.
        recover : `bool`, optional (default = `False`)
            Whether an interrupted run in the folder is taken up again; if there is none, it is begun.
        """
        folder, settings = os.fspath(self.folder), self.settings()
        _check_type(settings)
        recover = recover and os.path.exists(os.path.join(folder, "config.json"))
        # AllenNLP logs to standard output, too, which is the caller's.
        with redirect_stdout(sys.stderr), place_for_run(folder, settings, recover, force) as place:
            train_model(Params(settings), place.folder, recover=place.recover)
        return RunFolder.read(folder)


def leaves_record(settings: Mapping[str, Any]) -> bool:
    """Whether a run with these settings says of itself what it is, in `run.json`."""
    name = settings.get("type") or TrainModel.default_implementation
    return hasattr(TrainModel.resolve_class_name(name)[0], "split_type")


def _check_type(settings: Mapping[str, Any]) -> None:
    """A run that leaves no record would be trained for nothing."""
    if not leaves_record(settings):
        raise ConfigurationError(
            f"A job's run must leave a record: expected a config with the type recorded_run or "
            f"probe_run at its top, found {settings.get('type')!r}."
        )


def control_settings(
    settings: Mapping[str, Any], seed: int = 13, learnable: bool = True, per: str = "type"
) -> dict[str, Any]:
    """The settings of the control task of a probe run; `control.libsonnet` says what they are."""
    return jsonnet.evaluate(
        "(import 'linspector/control.libsonnet')"
        ".of(std.extVar('run'), std.extVar('seed'), std.extVar('learnable'), std.extVar('per'))",
        run=settings,
        seed=seed,
        learnable=learnable,
        per=per,
    )
