"""Parts of sentences about scores."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sized
from typing import Any

import numpy
import pandas

from linspector_allennlp.analysis.tidy_scores import KEYS, SYSTEM, name_systems, present, varying

MOST = 5
"""So many cases are named."""
NUMBERED = ("layer", "epoch")
"""Keys whose numbers say nothing without their names."""


def score_names(table: pandas.DataFrame) -> pandas.Series:
    """
    What each row is, as `Case, fasttext`: the task and the representation, and before them whatever else tells
    scores of both apart.
    """
    systems = name_systems(table)
    columns = [*apart(table.assign(system=systems)), "task"]
    cells = table[columns].to_dict("records")
    names = [f"{place_name(each)}, {system}" for each, system in zip(cells, systems)]
    return pandas.Series(names, table.index, dtype=object)


def apart(table: pandas.DataFrame) -> list[str]:
    """The columns of `KEYS` that tell scores of the same task and `system` apart."""
    others = (name for name in KEYS if name not in (*SYSTEM, "task", "grid"))
    varied = varying(table, others)
    of_score = table.groupby(["task", "system"], dropna=False)
    return [name for name in varied if of_score[name].nunique(dropna=False).max() > 1]


def place_name(cells: Mapping[str, Any]) -> str:
    """
    What scores have in common, by the names of its columns: what is as usual, as all of the training data, is
    not said.
    """
    there = (_said(name, cell) for name, cell in cells.items() if not pandas.isna(cell))
    return ", ".join(part for part in there if part)


def _said(name: str, cell: Any) -> str:
    if name == "train_share":
        return "" if cell == 1 else f"{100 * cell:g} % of the training data"
    if name == "settings":
        named = json.loads(cell).items()
        return ", ".join(f"{key.replace('_', ' ')} {_plain(value)}" for key, value in named)
    if name == "control" and not cell:
        return ""
    if name in KEYS and name not in NUMBERED:
        return str(cell)
    return str(cell) if isinstance(cell, str) else f"{name.replace('_', ' ')} {_plain(cell)}"


def _plain(value: Any) -> str:
    if isinstance(value, (bool, numpy.bool_)):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def num_tasks(table: pandas.DataFrame) -> int:
    """How many tasks there are: one of words is another at the level of tokens, and the same in each language."""
    return len(table[present(table, ["level", "task"])].dropna(subset=["task"]).drop_duplicates())


def cases(names: Iterable[str], tasks: Iterable[Any]) -> str:
    """The names of a few cases; of many, how many there are of each task, most first."""
    names = list(names)
    if len(names) <= MOST:
        return some(names)
    return some(f"{task} ({number})" for task, number in Counter(map(str, tasks)).most_common())


def in_words(cells: Iterable[Any]) -> str:
    """Those that are there."""
    return ", ".join(str(cell) for cell in cells if not pandas.isna(cell))


def some(names: Iterable[str], between: str = "; ") -> str:
    """The first of them, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return between.join(names[:MOST]) + more


def count(cases: Sized, name: str) -> str:
    return f"{len(cases)} {name}{'' if len(cases) == 1 else 's'}"


def are(cases: Sized) -> str:
    return "is" if len(cases) == 1 else "are"


def have(cases: Sized) -> str:
    return "has" if len(cases) == 1 else "have"


def percent(fraction: float) -> str:
    return f"{100 * fraction:.1f}"
