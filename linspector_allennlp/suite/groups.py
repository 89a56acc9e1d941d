"""The order of a study's runs, and which of them go to a process together."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from linspector_allennlp.runs.run_series import computes_ahead
from linspector_allennlp.suite.planned_run import PlannedRun

LARGEST = 16
SMALLEST = 4


class Model(NamedTuple):
    """
    What computes a representation, in whatever layer.

    # Parameters

    name : `str`
        What the representation is called.
    to_prepare : `Sequence[Mapping[str, Any]]`
        The settings of its runs, one of those whose features are the same.
    """

    name: str
    to_prepare: Sequence[Mapping[str, Any]]


class Family(NamedTuple):
    """
    The runs of one model, in whatever layer and at whatever epoch of its training; or those of all
    representations in which there is nothing to compute, as word vectors.

    # Parameters

    runs : `Sequence[PlannedRun]`
        Those that share most are next to each other.
    models : `Sequence[Model]`
        What is to be run before any of them: the model, at each epoch.
    """

    runs: Sequence[PlannedRun]
    models: Sequence[Model] = ()


def families(runs: Iterable[PlannedRun]) -> list[Family]:
    """
    The runs by what computes their representations, in the order in which a suite names these. Of a
    family, long ones, as those of downstream tasks, come first.
    """
    by_name: dict[str, dict[str, list[PlannedRun]]] = {}
    for run in runs:
        embedder = _embedder(run.settings)
        model = _text(_without_layer(embedder)) if computes_ahead(embedder) else ""
        by_name.setdefault(_diagnosed(run) or model, {}).setdefault(model, []).append(run)
    return [
        Family(
            sorted(
                (run for of_model in by_model.values() for run in of_model), key=_what_is_shared
            ),
            [_model(of_model) for model, of_model in by_model.items() if model],
        )
        for by_model in by_name.values()
    ]


def next_group(runs: Sequence[PlannedRun], left: int, workers: int) -> Sequence[PlannedRun]:
    """
    The first of these runs that go to a process together: many enough to train as one, and fewer towards
    the end of a study, so that the processes end at about the same time. A group that is half full ends
    where the next run has another shape. A run of a downstream task is a group by itself.

    # Parameters

    left : `int`
        How many runs of the study nobody has begun.
    workers : `int`
        How many processes there are.
    """
    if _is_long(runs[0]):
        return runs[:1]
    smallest = min(SMALLEST, -(-left // workers))  # of a few long runs, each has its process
    size = min(LARGEST, max(smallest, -(-left // (2 * workers))))
    group: list[PlannedRun] = []
    for _, of_data in groupby(runs[:size], key=lambda run: _what_is_shared(run)[:3]):
        if 2 * len(group) >= size:
            break
        group += of_data
    return group


def _is_long(run: PlannedRun) -> bool:
    """Whether it trains a whole model, alone."""
    return run.settings.get("type") == "recorded_run"


def _diagnosed(run: PlannedRun) -> str:
    """The model of which it is an epoch, if it is one: probes of all epochs make a stack."""
    columns = run.columns
    return "" if columns.get("epoch") is None else f"epochs of {columns.get('representation')}"


def _model(runs: Sequence[PlannedRun]) -> Model:
    distinct = {_text(_features(run.settings)): run.settings for run in runs}
    first = runs[0]
    return Model(first.columns.get("representation") or first.name, list(distinct.values()))


def _what_is_shared(run: PlannedRun) -> tuple[Any, ...]:
    """What makes a stack comes first, then what is read, then what is represented."""
    settings = run.settings
    shared = _shape(settings), settings.get("train_data_path"), settings.get("dataset_reader")
    return (not _is_long(run), *map(_text, shared), _text(_embedder(settings)), run.name)


def _features(settings: Mapping[str, Any]) -> list[Any]:
    """What the features of a run depend on."""
    keys = ("dataset_reader", "seed", "numpy_seed", "pytorch_seed", "random_seed")
    paths = {key: value for key, value in settings.items() if key.endswith("_data_path")}
    encoder = settings.get("model", {}).get("encoder")
    return [_embedder(settings), encoder, paths, *(settings.get(key) for key in keys)]


def _shape(settings: Mapping[str, Any]) -> list[Any]:
    """What runs must have in common to be trained as one."""
    model = {k: v for k, v in settings.get("model", {}).items() if k != "text_field_embedder"}
    return [model, settings.get("trainer"), settings.get("data_loader")]


def _embedder(settings: Mapping[str, Any]) -> Any:
    return settings.get("model", {}).get("text_field_embedder")


def _without_layer(settings: Any) -> Any:
    """All layers of a model are computed in one pass."""
    if isinstance(settings, Mapping):
        return {k: _without_layer(v) for k, v in settings.items() if k != "layer"}
    return settings


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
