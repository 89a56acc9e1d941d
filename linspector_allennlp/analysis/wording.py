"""Parts of sentences about scores."""

from collections.abc import Iterable, Sized
from typing import Any

import pandas

from linspector_allennlp.analysis.tidy_scores import KEYS, SYSTEM, name_systems, varying

MOST = 5
"""So many cases are named."""


def score_names(table: pandas.DataFrame) -> pandas.Series:
    """What each row is, as `Case, fasttext`: the task, what else varies in the table, and the representation."""
    apart = (*SYSTEM, "task", "grid")
    columns = [*varying(table, [name for name in KEYS if name not in apart]), "task"]
    systems = name_systems(table)
    cells = table[columns].itertuples(index=False)
    names = [f"{in_words(each)}, {system}" for each, system in zip(cells, systems)]
    return pandas.Series(names, table.index, dtype=object)


def in_words(cells: Iterable[Any]) -> str:
    """Those that are there."""
    return ", ".join(str(cell) for cell in cells if not pandas.isna(cell))


def some(names: Iterable[str]) -> str:
    """The first of them, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return "; ".join(names[:MOST]) + more


def count(cases: Sized, name: str) -> str:
    return f"{len(cases)} {name}{'' if len(cases) == 1 else 's'}"


def are(cases: Sized) -> str:
    return "is" if len(cases) == 1 else "are"


def have(cases: Sized) -> str:
    return "has" if len(cases) == 1 else "have"


def percent(fraction: float) -> str:
    return f"{100 * fraction:.1f}"
