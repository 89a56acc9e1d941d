"""Some of the runs of a suite, chosen by its columns."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.missing_files import listed, nearest
from linspector_allennlp.suite.planned_run import COLUMNS, PlannedRun

Choice = Union[str, Mapping[str, Any]]


def chosen(runs: Sequence[PlannedRun], only: Choice) -> list[PlannedRun]:
    """
    The runs that have these values.

    # Parameters

    only : `Union[str, Mapping[str, Any]]`
        `task=Case|Number,layer=3`, or `{"task": ["Case", "Number"], "layer": 3}`: a column of the table or
        a setting that the suite varies, and its values, in which `*` and `?` are as in names of files.
    """
    wanted = _read(only) if isinstance(only, str) else {k: _texts(v) for k, v in only.items()}
    left = list(runs)
    for key, patterns in wanted.items():
        values = {run.name: _value(run, key) for run in runs}
        _check(key, patterns, runs, set(values.values()))
        left = [run for run in left if _matches(values[run.name], patterns)]
    if not left:
        raise ConfigurationError(f"only: no run has all of {only!r}.")
    return left


def _read(text: str) -> dict[str, list[str]]:
    parts = [part.partition("=") for part in text.split(",")]
    if not all(key.strip() and mark for key, mark, _ in parts):
        raise ConfigurationError(f"only: expected COLUMN=VALUE,…, as task=Case, found {text!r}.")
    return {key.strip(): value.strip().split("|") for key, _, value in parts}


def _texts(values: Any) -> list[str]:
    return list(map(_text, values if isinstance(values, (list, tuple)) else [values]))


def _value(run: PlannedRun, key: str) -> str:
    settings = run.columns.get("settings") or {}
    return _text(settings.get(key) if key in settings else run.columns.get(key))


def _text(value: Any) -> str:
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _matches(value: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(value, pattern) for pattern in patterns)


def _check(key: str, patterns: Iterable[str], runs: Sequence[PlannedRun], values: set[str]) -> None:
    varied = {name for run in runs for name in run.columns.get("settings") or {}}
    known = [name for name in COLUMNS if name != "settings"] + sorted(varied)
    if key not in known:
        raise ConfigurationError(
            f"only: there is no column {key}.{nearest(key, known)} There are: {', '.join(known)}."
        )
    for pattern in patterns:
        if not any(fnmatchcase(value, pattern) for value in values):
            raise ConfigurationError(
                f"only: no run has {key}={pattern}.{nearest(pattern, values)} There are: "
                f"{listed(values)}."
            )
