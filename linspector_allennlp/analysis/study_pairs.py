"""Which runs of a study are compared with which: those that differ in one column and in their seeds."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, Optional

from linspector_allennlp.run_folders.found_runs import FoundRun
from linspector_allennlp.run_folders.table_columns import PLAN_COLUMNS

# Two runs that differ in these may be of one side, or compared.
NOT_A_SETTING = ("grid", "seed", "control")


class StudySide(NamedTuple):
    """The runs of one value, by their seeds."""

    name: str
    runs: dict[int, FoundRun]


class StudyPair(NamedTuple):
    """
    # Parameters

    setting : `Dict[str, Any]`
        What both sides have in common: the task and, where they vary in the study, other columns.
    a, b : `StudySide`
    """

    setting: dict[str, Any]
    a: StudySide
    b: StudySide


def study_pairs(
    runs: Iterable[FoundRun], by: Sequence[str], pairs: Optional[Sequence[tuple[str, str]]] = None
) -> list[StudyPair]:
    """
    The pairs of values of some columns, within each setting that has both. Runs of a search are taken as
    those of what was chosen: which settings these are is no difference.

    # Parameters

    runs : `Iterable[FoundRun]`
    by : `Sequence[str]`
        The columns whose values are compared, or settings that the suite varies.
    pairs : `Sequence[tuple[str, str]]`, optional
        The pairs of values, A and B; by default all, in the order of the runs.
    """
    sides: dict[str, dict[str, StudySide]] = {}
    settings: dict[str, dict[str, Any]] = {}
    names: dict[str, None] = {}
    for run in runs:
        value, setting = side_name(run.columns, by), _setting(run.columns, by)
        key = json.dumps(setting, sort_keys=True)
        settings.setdefault(key, setting)
        names.setdefault(value)
        side = sides.setdefault(key, {}).setdefault(value, StudySide(value, {}))
        seed = run.columns["seed"]
        if (other := side.runs.setdefault(seed, run)) is not run:
            raise ValueError(
                f"Two runs with {' and '.join(by)} {value} have the seed {seed}, {other.name} and "
                f"{run.name}: --by or --where has to tell them apart."
            )
    wanted = list(combinations(names, 2)) if pairs is None else pairs
    shown = _shown(list(settings.values()))
    return [
        StudyPair({name: settings[key].get(name) for name in shown}, of_key[a], of_key[b])
        for key, of_key in sides.items()
        for a, b in wanted
        if a in of_key and b in of_key
    ]


def side_name(columns: Mapping[str, Any], by: Sequence[str]) -> str:
    """As `minilm 3` by representation and layer."""
    cells = {**(columns.get("settings") or {}), **columns}
    values = [cells[name] for name in by if cells.get(name) is not None]
    return " ".join(map(str, values)) or "–"


def _setting(columns: Mapping[str, Any], by: Sequence[str]) -> dict[str, Any]:
    """All that both sides of a comparison must share."""
    varied = columns.get("settings") or {}
    if columns.get("search") is not None and set(by) <= set(PLAN_COLUMNS):
        varied = {}
    cells = {**{name: columns.get(name) for name in PLAN_COLUMNS if name != "settings"}, **varied}
    return {name: value for name, value in cells.items() if name not in (*by, *NOT_A_SETTING)}


def _shown(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The task, its language, and what varies."""
    values: dict[str, set[str]] = {}
    for name in dict.fromkeys(name for setting in settings for name in setting):
        values[name] = {json.dumps(setting.get(name), sort_keys=True) for setting in settings}
    always = [name for name in ("task", "language") if values.get(name, {"null"}) != {"null"}]
    return [*always, *(n for n, found in values.items() if len(found) > 1 and n not in always)]
