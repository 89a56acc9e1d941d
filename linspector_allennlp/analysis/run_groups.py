"""Runs that differ only in their seed (or in more, where that is asked for) as one row of a table."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import nan
from statistics import stdev
from typing import Any, NamedTuple, Optional

from linspector_allennlp.analysis.chosen_settings import are_ordinary, is_learnable, mean
from linspector_allennlp.run_folders.found_runs import FoundRun
from linspector_allennlp.run_folders.table_columns import PLAN_COLUMNS

BY = ("study", *(name for name in PLAN_COLUMNS if name not in ("control", "seed")))
"""What tells groups apart unless something else is asked for."""


class Spread(NamedTuple):
    """
    A mean, and the standard deviation of a sample: nothing of one value, not a number where a value is not
    finite.
    """

    mean: float
    sd: Optional[float]
    number: int

    @classmethod
    def of(cls, values: Iterable[Optional[float]]) -> Optional["Spread"]:
        there = [value for value in values if value is not None]
        if not there:
            return None
        sd = (stdev(there) if are_ordinary(there) else nan) if len(there) > 1 else None
        return cls(mean(there), sd, len(there))


@dataclass
class RunGroup:
    """
    # Parameters

    columns : `Dict[str, Any]`
        What all runs have in common, of the columns that were grouped by.
    runs : `List[FoundRun]`
    controls : `List[FoundRun]`
        Those of the control task of `runs`.
    """

    columns: dict[str, Any]
    runs: list[FoundRun] = field(default_factory=list)
    controls: list[FoundRun] = field(default_factory=list)

    @property
    def is_control(self) -> bool:
        """Whether it is a control task without its task."""
        return bool(self.runs[0].columns.get("control"))

    @property
    def differs_in_seed_only(self) -> bool:
        return len({_key(found, BY) for found in self.runs}) == 1

    @property
    def num_seeds(self) -> int:
        return len({found.columns.get("seed") for found in self.runs})

    def score(self, key: str) -> Optional[Spread]:
        """The spread of a key of `metrics.json`."""
        return Spread.of(found.run.metrics.get(key) for found in self.runs)

    def interval(self, key: str) -> Optional[tuple[float, float]]:
        """
        An interval over items of the mean score of the seeds: from the mean of the lower ends to that of
        the upper ends. It is not too narrow: the standard deviation of a mean is at most the mean of the
        standard deviations. Where some seeds have no interval, it is as wide as those of the others are in the
        mean, around the score of all. Runs that differ in more than their seed have none.
        """
        score = self.score(key)
        if not self.differs_in_seed_only or score is None:
            return None
        found = [
            [each.run.metrics.get(name) for name in (f"{key}_low", key, f"{key}_high")]
            for each in self.runs
        ]
        whole = [of_run for of_run in found if None not in of_run]
        if not whole:
            return None
        low, middle, high = map(mean, zip(*whole))
        shift = score.mean - middle if len(whole) < score.number else 0.0
        low, high = low + shift, high + shift
        known = [value for of_run in found for value in of_run if value is not None]
        # An interval of shares is one of shares.
        is_share = all(0 <= value <= 1 for value in known)
        return (max(low, 0.0), min(high, 1.0)) if is_share else (low, high)

    def control_score(self, key: str) -> Optional[Spread]:
        return Spread.of(found.run.metrics.get(key) for found in self.controls)

    def selectivity(self, key: str) -> Optional[Spread]:
        """
        The score minus that of the control task with the same seed; without such pairs, the difference of
        the means. Where a control task cannot be learned, there is none.
        """
        if not all(is_learnable(found.run) for found in self.controls):
            return None
        pair = (*BY, "seed")
        of_controls = {_key(found, pair): found.run.metrics.get(key) for found in self.controls}
        scores = [(_key(found, pair), found.run.metrics.get(key)) for found in self.runs]
        differences = [
            score - control
            for place, score in scores
            if score is not None and (control := of_controls.get(place)) is not None
        ]
        if differences:
            return Spread.of(differences)
        task, control = self.score(key), self.control_score(key)
        return Spread(task.mean - control.mean, None, 1) if task and control else None


def group_runs(runs: Sequence[FoundRun], by: Optional[Sequence[str]] = None) -> list[RunGroup]:
    """
    The groups, in the order of their first runs. A control task without its task is a group of its own.

    # Parameters

    by : `Sequence[str]`, optional (default = `BY`)
        The columns that tell groups apart. By default, runs of the same seed are in different groups, too:
        they are no sample.
    """
    names = BY if by is None else tuple(by)
    groups: dict[str, RunGroup] = {}
    for found in runs:
        group = groups.setdefault(_key(found, names), RunGroup(_columns(found, names)))
        is_control = bool(found.columns.get("control")) and "control" not in names
        (group.controls if is_control else group.runs).append(found)
    for group in groups.values():
        if not group.runs:
            group.runs, group.controls = group.controls, []
    if by is not None:
        return list(groups.values())
    return [single for group in groups.values() for single in _without_repeated_seeds(group)]


def _without_repeated_seeds(group: RunGroup) -> list[RunGroup]:
    if group.num_seeds == len(group.runs):
        return [group]
    return [RunGroup(group.columns, [found], group.controls) for found in group.runs]


def _key(found: FoundRun, names: Sequence[str]) -> str:
    return json.dumps(list(_columns(found, names).values()), default=str)


def _columns(found: FoundRun, names: Sequence[str]) -> dict[str, Any]:
    return {name: found.called(name) for name in names}
