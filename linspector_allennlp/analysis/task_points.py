"""One point for each task, however often a task was measured: what a test over tasks may count."""

import math
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

PLACE = ("level", "language", "task")
RULE = (
    "A task counts once in a language: on all of the training data (or the largest share that is there) and on "
    "its own test data, by the mean over probes and settings."
)

Row = Mapping[str, Any]


def one_per_task(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """
    The difference of each pair in each task, by `RULE`; of several metrics that of the first.

    # Parameters

    rows : `Iterable[Mapping[str, Any]]`
        `a`, `b` and `difference`, and what tells them apart.

    # Returns

    `List[Dict[str, Any]]`
        `PLACE` (`None` where a row has none), `a`, `b`, `difference`, and `repeats`, of how many rows.
    """
    of_task: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        place = (*(_cell(row, name) for name in PLACE), row["a"], row["b"])
        of_task.setdefault(place, []).append(row)
    points = []
    for place, found in of_task.items():
        kept = _comparable(found)
        mean = fmean(row["difference"] for row in kept)
        cells = dict(zip((*PLACE, "a", "b"), place))
        points.append({**cells, "difference": mean, "repeats": len(kept)})
    return points


def _comparable(rows: list[Row]) -> list[Row]:
    most = max(_share(row) for row in rows)
    rows = [row for row in rows if _share(row) == most]
    own = [row for row in rows if _cell(row, "test") is None]
    rows = own or rows
    return [row for row in rows if _cell(row, "metric") == _cell(rows[0], "metric")]


def _share(row: Row) -> float:
    share = _cell(row, "train_share")
    return 1.0 if share is None else float(share)


def _cell(row: Row, name: str) -> Any:
    """Nothing for what pandas calls missing, too."""
    cell = row.get(name)
    is_missing = cell is None or (isinstance(cell, float) and math.isnan(cell))
    return None if is_missing or str(cell) == "<NA>" else cell
