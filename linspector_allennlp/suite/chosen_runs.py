"""Some of the runs of a suite, chosen by its columns."""

from collections.abc import Mapping, Sequence
from typing import Any, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.run_folders.run_filter import (
    Conditions,
    check_conditions,
    fulfils,
    read_conditions,
)
from linspector_allennlp.suite.planned_run import PlannedRun

Choice = Union[str, Mapping[str, Any]]


def chosen(runs: Sequence[PlannedRun], only: Choice) -> list[PlannedRun]:
    """
    The runs that have these values.

    # Parameters

    only : `Union[str, Mapping[str, Any]]`
        `task=Case|Number,layer=3`, or `{"task": ["Case", "Number"], "layer": 3}`: a column of the table or
        a setting that the suite varies, and its values, in which `*` and `?` are as in names of files.
    """
    try:
        conditions = read_conditions(only) if isinstance(only, str) else _conditions(only)
        check_conditions([run.columns for run in runs], conditions)
    except ValueError as error:
        raise ConfigurationError(f"only: {error}") from error
    left = [run for run in runs if fulfils(run.columns, conditions)]
    if not left:
        raise ConfigurationError(f"only: no run has all of {only!r}.")
    return left


def _conditions(only: Mapping[str, Any]) -> Conditions:
    """The same as text: of several values, in a list, a run has one."""
    several = {k: v if isinstance(v, (list, tuple)) else [v] for k, v in only.items()}
    return {name: "|".join(map(_text, values)) for name, values in several.items()}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
