"""Which runs of a study are compared with which: those that differ in one column and in their seeds."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, Optional

# Two runs that differ in these may be of one side, or compared.
NOT_A_SETTING = ("grid", "seed", "control")


class StudyRun(NamedTuple):
    """The name of a run's folder, and what the suite calls it."""

    name: str
    columns: Mapping[str, Any]


class Side(NamedTuple):
    """The names of the runs of one value, by their seeds."""

    name: str
    runs: dict[int, str]


class StudyPair(NamedTuple):
    """
    # Parameters

    setting : `Dict[str, Any]`
        What both sides have in common: the task and, where they vary in the study, other columns.
    a, b : `Side`
    """

    setting: dict[str, Any]
    a: Side
    b: Side


def study_pairs(
    runs: Iterable[StudyRun], by: Sequence[str], pairs: Optional[Sequence[tuple[str, str]]] = None
) -> list[StudyPair]:
    """
    The pairs of values of some columns, within each setting that has both.

    # Parameters

    runs : `Iterable[StudyRun]`
    by : `Sequence[str]`
        The columns whose values are compared, or settings that the suite varies.
    pairs : `Sequence[tuple[str, str]]`, optional
        The pairs of values, A and B; by default all, in the order of the runs.
    """
    sides: dict[str, dict[str, Side]] = {}
    settings: dict[str, dict[str, Any]] = {}
    names: dict[str, None] = {}
    for run in runs:
        cells = _cells(run.columns)
        value = side_name(run.columns, by)
        setting = {k: v for k, v in cells.items() if k not in (*by, *NOT_A_SETTING)}
        key = json.dumps(setting, sort_keys=True, default=str)
        settings.setdefault(key, setting)
        names.setdefault(value)
        side = sides.setdefault(key, {}).setdefault(value, Side(value, {}))
        seed = cells["seed"]
        if side.runs.setdefault(seed, run.name) != run.name:
            raise ValueError(
                f"Two runs with {' and '.join(by)} {value} have the seed {seed}, {side.runs[seed]} and "
                f"{run.name}: --by or --of has to tell them apart."
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
    cells = _cells(columns)
    if missing := [name for name in by if name not in cells]:
        raise ValueError(
            f"--by: there is no column {missing[0]}. There are: {', '.join(sorted(cells))}."
        )
    values = [cells[name] for name in by if cells[name] is not None]
    return " ".join(map(str, values)) or "–"


def _cells(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The columns, with a column for each setting that the suite varies."""
    own = {name: value for name, value in columns.items() if name != "settings"}
    return {**(columns.get("settings") or {}), **own}


def _shown(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The task, its language, and what varies."""
    names = dict.fromkeys(name for setting in settings for name in setting)
    varying = [
        name
        for name in names
        if len({json.dumps(setting.get(name), default=str) for setting in settings}) > 1
    ]
    always = [name for name in ("task", "language") if name in names]
    return [*always, *(name for name in varying if name not in always)]
