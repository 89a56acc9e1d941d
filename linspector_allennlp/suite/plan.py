"""From a suite to its runs: each with its config, in the order in which they share most."""

import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Optional

from allennlp.commands.train import TrainModel
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from linspector_allennlp import jsonnet
from linspector_allennlp.suite.candidates import Candidate, candidates
from linspector_allennlp.suite.changes import merged, with_change
from linspector_allennlp.suite.grid import Control, check_keys, read_grids
from linspector_allennlp.suite.planned_run import COLUMNS, PlannedRun
from linspector_allennlp.suite.search import SELECTIVITY
from linspector_allennlp.suite.suite_data import check_files

CONFIGS = """
local probe = import 'linspector/probe.libsonnet';
local parts(kind) = std.split(kind, '.');
local of(kind) = if std.length(parts(kind)) == 1 then probe[kind] else probe[parts(kind)[0]][parts(kind)[1]];
[
  of(run.kind) + run.given
  + (if run.test == null then {} else probe.transfer_to(run.test.data, run.test.representation))
  for run in std.extVar('runs')
]
"""

CONTROLS = """
local control = import 'linspector/control.libsonnet';
[control.of(each.run, each.seed, each.learnable, each.per) for each in std.extVar('runs')]
"""

KEYS = """
local probe = import 'linspector/probe.libsonnet';
local controls = probe.control_tasks;
{ [kind]: std.objectFieldsAll(probe[kind]) for kind in std.objectFields(probe) if std.isObject(probe[kind]) }
+ { ['control_tasks.' + kind]: std.objectFieldsAll(controls[kind]) for kind in ['tagging', 'edges'] }
"""

# What a suite says in other ways.
NOT_CHANGED = {"data", "representation", "target", "seed", "type"}


class Plan(list[PlannedRun]):
    """
    The runs of a suite.

    # Parameters

    runs : `Iterable[PlannedRun]`
    notes : `Sequence[str]`, optional (default = `()`)
        What was left out and why, as sentences.
    """

    def __init__(self, runs: Iterable[PlannedRun], notes: Sequence[str] = ()) -> None:
        super().__init__(runs)
        self.notes = list(notes)


def planned_runs(suite: Mapping[str, Any]) -> Plan:
    """
    The runs of a suite, none of them twice. Nothing is started, and a suite with a mistake is refused.

    # Parameters

    suite : `Mapping[str, Any]`
        As `read_suite` gives it: `docs/suites.md` says what may be in it.
    """
    notes: list[str] = []
    found: list[Candidate] = []
    for grid in read_grids(suite):
        of_grid = list(_not_skipped(list(candidates(grid, notes)), grid.skip, notes))
        if not of_grid:
            where = "the suite" if grid.name is None else f"grid {grid.name}"
            raise ConfigurationError(" ".join([f"{where} has no run.", *notes]))
        found += of_grid
    found = _ordered(found)
    configs = _configs(found)
    for paths in ("train_data_path", "validation_data_path", "test_data_path"):
        check_files(dict.fromkeys(config[paths] for config in configs))
    controls = _controls(found, configs, notes)
    runs = []
    for candidate, config, control in zip(found, configs, controls):
        runs.append(PlannedRun(config, candidate.columns))
        if control is not None:
            runs.append(PlannedRun(control, {**candidate.columns, "control": True}))
    return Plan(_distinct(runs, notes), list(dict.fromkeys(notes)))


def _distinct(runs: Sequence[PlannedRun], notes: list[str]) -> list[PlannedRun]:
    """Each run once; two that the table could not tell apart are refused."""
    by_digest: dict[str, PlannedRun] = {}
    for run in runs:
        by_digest.setdefault(run.digest, run)
    if len(by_digest) < len(runs):
        notes.append(
            f"{len(runs) - len(by_digest)} of {len(runs)} runs are others once more, and not repeated."
        )
    by_columns: dict[str, PlannedRun] = {}
    for run in by_digest.values():
        other = by_columns.setdefault(json.dumps(run.columns, sort_keys=True), run)
        if other is not run:
            first, second = (each.settings["train_data_path"] for each in (other, run))
            raise ConfigurationError(
                f"{run.name} and {other.name} would be the same row of the table, though their configs "
                f"differ (trained on {first} and {second}): give them two grids with a name each, or a "
                "treebank its own language."
            )
    return list(by_digest.values())


def _configs(found: Sequence[Candidate]) -> list[dict[str, Any]]:
    """The config of each: what `probe_config` gives for the same, all in one go of jsonnet."""
    asked = []
    for candidate in found:
        given = {**candidate.given, "representation": candidate.features.settings}
        for changes in candidate.changes:
            _check_keys(candidate.kind, changes)
            given |= {key: value for key, value in changes.items() if _is_given(key, value)}
        test = candidate.test and candidate.test.in_config()
        asked.append({"kind": candidate.kind, "given": given, "test": test})
    configs = jsonnet.evaluate(CONFIGS, runs=asked)
    return [_changed(config, candidate) for config, candidate in zip(configs, found)]


def _changed(config: dict[str, Any], candidate: Candidate) -> dict[str, Any]:
    for changes in candidate.changes:
        for key, value in changes.items():
            if "." in key:
                config = with_change(config, key, value)
            elif not _is_given(key, value):
                config = merged(config, {key: value})
    if candidate.grid.mdl and _model(config).gives_probabilities:
        config = {**config, "mdl": True}
    return config


def _is_given(key: str, value: Any) -> bool:
    """Whether a setting belongs into the library's object, where others may depend on it."""
    return "." not in key and not isinstance(value, Mapping)


def _controls(
    found: Sequence[Candidate], configs: Sequence[dict[str, Any]], notes: list[str]
) -> list[Optional[dict[str, Any]]]:
    """The config of the control task of each run that is to have one."""
    asked: dict[int, dict[str, Any]] = {}
    for number, (candidate, config) in enumerate(zip(found, configs)):
        control, search = candidate.grid.control, candidate.grid.search
        if control is None and (search is None or search.by != SELECTIVITY):
            continue
        if not _model(config).has_control_task:
            notes.append(f"{candidate.kind} has no control task: random edges make no tree.")
            continue
        control = control or Control()
        learnable = control.per == "type" and candidate.data.control_can_be_learned
        without_code = {key: value for key, value in config.items() if key != "mdl"}
        asked[number] = {
            "run": without_code, "seed": control.seed, "per": control.per, "learnable": learnable,
        }  # fmt: skip
    made = dict(zip(asked, jsonnet.evaluate(CONTROLS, runs=list(asked.values()))))
    return [made.get(number) for number in range(len(found))]


def _model(config: Mapping[str, Any]) -> Any:
    """The class of the model of a config."""
    return Model.resolve_class_name(config["model"]["type"])[0]


def _check_keys(kind: str, changes: Mapping[str, Any]) -> None:
    """Refuses a change that no run of this kind would look at."""
    for key in changes:
        check_keys(f"the config of {kind}", {key.split(".")[0]: None}, _known_keys()[kind])


@lru_cache(maxsize=1)
def _known_keys() -> dict[str, list[str]]:
    """By kind of probe what a config may say at its top."""
    cls, constructor = TrainModel.resolve_class_name("probe_run")
    of_runs = inspect.signature(getattr(cls, str(constructor))).parameters
    return {
        kind: sorted({*of_kind, *of_runs} - NOT_CHANGED - {"serialization_dir"})
        for kind, of_kind in jsonnet.evaluate(KEYS).items()
    }


def _ordered(found: Iterable[Candidate]) -> list[Candidate]:
    """By representation, layer, encoder, the seed of a random one, and data: what is shared is near."""
    places: dict[str, int] = {}

    def order(candidate: Candidate) -> tuple[int, ...]:
        features = candidate.features
        first = places.setdefault(features.source, len(places))
        data = places.setdefault(json.dumps(candidate.data.data), len(places))
        return first, features.place, candidate.given["seed"] if features.is_random else 0, data

    return sorted(found, key=order)


def _not_skipped(
    found: Sequence[Candidate], skip: Sequence[Mapping[str, Any]], notes: list[str]
) -> list[Candidate]:
    """The runs that none of these descriptions fits."""
    for description in skip:
        check_keys("skip", description, COLUMNS)
        if not any(_fits(candidate, description) for candidate in found):
            notes.append(f"skip: no run is {_described(description)}.")
    return [
        candidate
        for candidate in found
        if not any(_fits(candidate, description) for description in skip)
    ]


def _fits(candidate: Candidate, description: Mapping[str, Any]) -> bool:
    """Whether all is as described; a list says what it may be, and text may be a pattern."""
    return all(
        any(
            _is_such(candidate.columns[key], each)
            for each in (wanted if isinstance(wanted, list) else [wanted])
        )
        for key, wanted in description.items()
    )


def _is_such(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) and isinstance(value, str):
        return fnmatchcase(value, wanted)
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        return all(key in value and value[key] == each for key, each in wanted.items())
    return value == wanted


def _described(description: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in description.items())
