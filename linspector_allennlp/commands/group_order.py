"""The order of groups of runs in a table, and the best of each task."""

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any, Optional

from linspector_allennlp.analysis.chosen_settings import lower_is_better
from linspector_allennlp.analysis.run_groups import RunGroup, Spread
from linspector_allennlp.commands.tables import number, percent
from linspector_allennlp.run_folders.run_record import Column

# Rows of the same task are compared with each other.
TASK = ("level", "language", "task", "test")


def form_of(column: Column) -> Callable[[Optional[float]], str]:
    return number if column.form == "number" else percent


def mean_of(spread: Optional[Spread]) -> Optional[float]:
    return spread and spread.mean


def best_of_task(groups: list[RunGroup], score: Column) -> list[bool]:
    """For each group whether its score is the best of its task: all that are equal to it as printed."""
    blocks: dict[tuple[str, ...], list[float]] = {}
    shown: list[Optional[float]] = []
    for group in groups:
        mean = None if group.is_control else mean_of(group.score(score.metric))
        value = None if mean is None or isnan(mean) else float(form_of(score)(mean))
        shown.append(value)
        if value is not None:
            blocks.setdefault(_task(group), []).append(value)
    choose = min if lower_is_better(score.metric) else max
    return [
        value is not None
        and len(blocks[_task(group)]) > 1
        and value == choose(blocks[_task(group)])
        for group, value in zip(groups, shown)
    ]


def _task(group: RunGroup) -> tuple[str, ...]:
    return tuple(str(group.columns.get(name)) for name in TASK)


def sorted_groups(groups: list[RunGroup], score: Column, sort: Sequence[str]) -> list[RunGroup]:
    if not sort:
        order = {task: place for place, task in enumerate(dict.fromkeys(map(_task, groups)))}
        return sorted(groups, key=lambda group: order[_task(group)])
    return sorted(groups, key=lambda group: [_sort_key(group, score, name) for name in sort])


def _sort_key(group: RunGroup, score: Column, name: str) -> tuple[bool, float, str]:
    """What is missing comes last."""
    value: Any
    if name == "score":
        sign = 1 if lower_is_better(score.metric) else -1
        mean = mean_of(group.score(score.metric))
        value = None if mean is None else sign * mean
    elif name == "selectivity":
        mean = mean_of(group.selectivity(score.metric))
        value = None if mean is None else -mean
    elif name == "seeds":
        value = -group.num_seeds
    elif name in group.columns:
        value = group.columns[name]
    else:
        raise ValueError(
            f"--sort: there is no {name}; expected one of {', '.join(group.columns)}, score, selectivity, seeds."
        )
    is_number = isinstance(value, (int, float))
    return value is None, value if is_number else 0, "" if is_number else str(value)
