"""The configs of the runs of a suite, and of their control tasks."""

import inspect
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Optional

from allennlp.commands.train import TrainModel
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from linspector_allennlp import jsonnet
from linspector_allennlp.suite.candidates import Candidate
from linspector_allennlp.suite.changes import merged, with_change
from linspector_allennlp.suite.downstream import is_downstream, lacks
from linspector_allennlp.suite.grid_values import Control, check_keys, is_share, mapping_of
from linspector_allennlp.suite.search import SELECTIVITY
from linspector_allennlp.suite.suite_data import same_language

# Runs share much, and jsonnet takes its time: the paths of data, and the rest, which knows nothing of them, are
# made apart, and each once. What is not asked for is not evaluated.
CONFIGS = """
local kinds = import 'linspector/kinds.libsonnet';
local probe = import 'linspector/probe.libsonnet';
local is_path(key) = std.endsWith(key, '_data_path');
local of(asked) =
  local base = kinds[asked.kind];
  local tested = if asked.test == null then {} else probe.transfer_to(asked.test.data, asked.test.representation);
  local config = base + asked.given + tested;
  local of_data = std.objectHas(asked.given, 'data');
  { [key]: config[key] for key in std.objectFields(config) if is_path(key) == of_data };
[of(asked) for asked in std.extVar('asked')]
"""

CONTROLS = """
local control = import 'linspector/control.libsonnet';
[control.of(each.run, each.seed, each.learnable, each.per) for each in std.extVar('asked')]
"""

KEYS = """
local kinds = import 'linspector/kinds.libsonnet';
{ [kind]: std.objectFieldsAll(kinds[kind]) for kind in std.objectFields(kinds) }
"""

SEEDS = ("random_seed", "numpy_seed", "pytorch_seed")

# What a suite says in other ways.
NOT_CHANGED = {
    "data", "representation", "target", "seed", *SEEDS, "type", "serialization_dir", "test_data",
    "train_data_path", "validation_data_path", "test_data_path",
}  # fmt: skip

# What is a mapping in every config.
MAPPINGS = ("model", "trainer", "dataset_reader", "data_loader")


def configs_of(found: Sequence[Candidate]) -> list[dict[str, Any]]:
    """The config of each: what `probe_config` gives for the same."""
    asked = []
    for candidate in found:
        given = {**candidate.given, "representation": candidate.variant.settings}
        for changes in candidate.changes:
            _check_keys(candidate.kind, changes)
            given |= {key: value for key, value in changes.items() if _is_given(key, value)}
        test = candidate.test
        of_test = test and {"data": test.data, "representation": None}
        own = test and test.representation and {"data": None, "representation": test.representation}
        asked += [
            {"kind": candidate.kind, "given": {"data": candidate.data.data}, "test": of_test},
            {"kind": candidate.kind, "given": given, "test": own},
        ]
    made = iter(_evaluated(CONFIGS, asked))
    return [
        _changed({**next(made), **next(made)} | dict.fromkeys(SEEDS, each.columns["seed"]), each)
        for each in found
    ]


def _evaluated(expression: str, asked: Sequence[Any]) -> list[Any]:
    """What jsonnet makes of each; of equal ones it makes it once."""
    texts = [json.dumps(each) for each in asked]
    distinct = dict(zip(texts, asked))
    values = jsonnet.evaluate(expression, asked=list(distinct.values())) if asked else []
    made = dict(zip(distinct, values))
    return [made[text] for text in texts]


def _changed(config: dict[str, Any], candidate: Candidate) -> dict[str, Any]:
    for changes in candidate.changes:
        for key, value in changes.items():
            if "." in key:
                config = with_change(config, key, value)
            elif not _is_given(key, value):
                config = merged(config, {key: value})
    _check_values(config)
    is_probe = not is_downstream(candidate.kind)
    if candidate.grid.mdl and is_probe and _model(config).gives_probabilities:
        config = {**config, "mdl": True}
    # A run takes its settings apart: no other may have a part of them.
    return json.loads(json.dumps(config))


def _check_values(config: Mapping[str, Any]) -> None:
    """Refuses what no run could begin with."""
    for key in MAPPINGS:
        mapping_of(f"{key} of the config", config[key])
    if not isinstance(config["model"].get("type"), str):
        raise ConfigurationError(f"model of the config: expected a type, found {config['model']}.")
    share = config.get("train_share", 1)
    if not is_share(share):
        raise ConfigurationError(f"train_share: expected a share from 0 to 1, found {share!r}.")


def _is_given(key: str, value: Any) -> bool:
    """Whether a setting belongs into the library's object, where others may depend on it."""
    return "." not in key and not isinstance(value, Mapping)


def controls_of(
    found: Sequence[Candidate], configs: Sequence[dict[str, Any]], notes: list[str]
) -> list[Optional[dict[str, Any]]]:
    """The config of the control task of each run that is to have one."""
    asked: dict[int, dict[str, Any]] = {}
    for number, (candidate, config) in enumerate(zip(found, configs)):
        control, search = candidate.grid.control, candidate.grid.search
        by_selectivity = search is not None and search.by == SELECTIVITY
        if control is None and not by_selectivity:
            continue
        lacking = _no_control(candidate, config)
        if lacking is not None:
            if by_selectivity:
                raise ConfigurationError(
                    f"search: by selectivity nothing can be chosen, because {lacking}"
                )
            notes.append(lacking)
            continue
        control = control or Control()
        learnable = control.per == "type" and candidate.data.control_can_be_learned
        without_code = {key: value for key, value in config.items() if key != "mdl"}
        asked[number] = {
            "run": without_code, "seed": control.seed, "per": control.per, "learnable": learnable,
        }  # fmt: skip
    made = dict(zip(asked, _evaluated(CONTROLS, list(asked.values()))))
    return [made.get(number) for number in range(len(found))]


def _no_control(candidate: Candidate, config: Mapping[str, Any]) -> Optional[str]:
    """Why a run has no control task; `None` if it has one."""
    if is_downstream(candidate.kind):
        return lacks(candidate.kind, config)
    if not _model(config).has_control_task:
        return f"{candidate.kind} has no control task: random edges make no tree."
    test = candidate.test
    if test is not None and not same_language(test.language, candidate.data.language):
        return (
            "runs that are tested in another language have no control task: training tells nothing about the "
            "control labels of its words."
        )
    return None


def _model(config: Mapping[str, Any]) -> Any:
    """The class of the model of a config."""
    return Model.resolve_class_name(config["model"]["type"])[0]


def _check_keys(kind: str, changes: Mapping[str, Any]) -> None:
    """Refuses a change that no run of this kind would look at."""
    for key in changes:
        name = key.split(".")[0]
        if name in ("seed", *SEEDS):
            raise ConfigurationError(
                f"the config of {kind} has no {name}. The seeds of the suite (seeds: …) set it."
            )
        check_keys(f"the config of {kind}", {name: None}, _known_keys()[kind])


@lru_cache(maxsize=1)
def _known_keys() -> dict[str, list[str]]:
    """By kind of probe what a config may say at its top."""
    cls, constructor = TrainModel.resolve_class_name("probe_run")
    of_runs = inspect.signature(getattr(cls, str(constructor))).parameters
    return {
        kind: sorted({*of_kind, *of_runs} - NOT_CHANGED)
        for kind, of_kind in jsonnet.evaluate(KEYS).items()
    }
