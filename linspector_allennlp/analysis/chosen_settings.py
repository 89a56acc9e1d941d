"""The settings that a search chooses, by the validation data."""

from collections.abc import Iterable
from math import isfinite
from statistics import fmean
from typing import NamedTuple, Optional

from linspector_allennlp.analysis.selectivity import can_be_learned
from linspector_allennlp.run_folders.found_runs import FoundRun
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.table_columns import PLAN_COLUMNS, as_json

SELECTIVITY = "selectivity"

# A search is among the runs that are equal in all other columns.
WITHIN = ("settings", "seed", "control")

LOWER_IS_BETTER = ("loss", "bits", "perplexity", "error")

Search = tuple[str, ...]


def lower_is_better(metric: str) -> bool:
    """Whether a metric, by its name, is the better the lower it is."""
    return metric.rsplit("_", 1)[-1] in LOWER_IS_BETTER and not metric.endswith("usable_bits")


class TriedRun(NamedTuple):
    """
    A run of a search: what it was tried with, and its scores on the validation data.

    # Parameters

    search : `Tuple[str, ...]`
        The columns that all runs of the search share.
    settings : `str`
    control : `bool`
    criterion : `str`
        A metric, maybe with a sign as in AllenNLP (`-loss`), or `selectivity`.
    value : `float`, optional
        The metric of the criterion; for selectivity, the main metric.
    of_main : `float`, optional
        The main metric.
    is_validated : `bool`
        Of a control task: whether its validation score is one of what it was not trained on, and could be
        better than chance.
    """

    search: Search
    settings: str
    control: bool
    criterion: str
    value: Optional[float]
    main_metric: str
    of_main: Optional[float]
    is_validated: bool = True

    @classmethod
    def of(cls, found: FoundRun) -> Optional["TriedRun"]:
        """The part of a run that a search looks at; nothing for a run of no search."""
        columns, run = found.columns, found.run
        criterion, main = columns.get("search"), run.record.main_metric
        if criterion is None:
            return None
        shared = [found.study, *(str(columns.get(c)) for c in PLAN_COLUMNS if c not in WITHIN)]
        metric = main if criterion == SELECTIVITY else criterion.lstrip("+-")
        return cls(
            tuple(shared),
            as_json(columns.get("settings")) or "",
            bool(columns.get("control")),
            criterion,
            run.metrics.get(f"best_validation_{metric}"),
            main,
            run.metrics.get(f"best_validation_{main}"),
            not columns.get("control") or is_learnable(run),
        )


class ChosenSettings:
    """
    What the searches chose, of the runs that are finished: the settings with the best mean over seeds of
    the metric on the validation data, in the best epoch. By `selectivity`, it is the mean of the task's
    main metric minus that of its control task; where a control task cannot be learned, or is validated on
    its training data, the task's main metric alone, and `notes` says so. Of equal ones, the first in the plan.

    # Parameters

    runs : `Iterable[FoundRun]`
        In the order of the plan.
    """

    def __init__(self, runs: Iterable[FoundRun]) -> None:
        self.notes: list[str] = []
        searches: dict[Search, list[TriedRun]] = {}
        for run in filter(None, map(TriedRun.of, runs)):
            searches.setdefault(run.search, []).append(run)
        self._chosen = {search: self._best(tried) for search, tried in searches.items()}
        self.notes = list(dict.fromkeys(self.notes))

    def has(self, found: FoundRun) -> bool:
        """Whether the settings of a run are the chosen ones; those of no search are."""
        tried = TriedRun.of(found)
        return tried is None or self._chosen.get(tried.search) == tried.settings

    def _best(self, tried: list[TriedRun]) -> Optional[str]:
        """The settings; nothing where nothing can be compared."""
        criterion, main = tried[0].criterion, tried[0].main_metric
        controls = [run for run in tried if run.control]
        if criterion == SELECTIVITY and not all(run.is_validated for run in controls):
            self.notes.append(
                f"A search by selectivity chose by the validation {main} alone: its control tasks cannot be "
                "learned, so that they tell nothing."
            )
            criterion = main
            tried = [run._replace(value=run.of_main) for run in tried]
        task, control = _means(run for run in tried if not run.control), _means(controls)
        if criterion == SELECTIVITY:
            scores = {each: task[each] - control[each] for each in task if each in control}
        else:
            sign = -1 if _is_less(criterion) else 1
            scores = {each: sign * mean for each, mean in task.items()}
        # A probe whose training diverged is not chosen.
        scores = {each: score for each, score in scores.items() if isfinite(score)}
        if not scores:
            self.notes.append(
                f"A search by {criterion} chose nothing: expected finished runs whose metrics.json has "
                + (
                    f"best_validation_{main}, of the task and of its control task."
                    if criterion == SELECTIVITY
                    else f"best_validation_{criterion.lstrip('+-')}."
                )
            )
            return None
        # The same numbers in another order have other sums.
        return max(scores, key=lambda settings: round(scores[settings], 12))


def is_learnable(control: RunFolder) -> bool:
    """
    Whether the scores of a control task say how much of it can be learned by heart: not where it has the
    labels of items, where its test words are not in the training data, and where it is validated on these.
    """
    made_by, metrics = control.provenance, control.metrics
    data = made_by.get("data", {})
    paths = [data[split].get("path") for split in ("train", "validation") if split in data]
    return (
        (control.record.control or {}).get("per") != "item"
        and ("overlap_test" not in metrics or can_be_learned(metrics))
        and (len(set(paths)) == len(paths) or "held_out" in made_by)
    )


def _is_less(criterion: str) -> bool:
    """Whether the least is sought: by its sign or, without, by its name."""
    return criterion.startswith("-") or (criterion[:1] != "+" and lower_is_better(criterion))


def _means(runs: Iterable[TriedRun]) -> dict[str, float]:
    """By the settings, the mean of the scores, in the order of the runs."""
    values: dict[str, list[float]] = {}
    for run in runs:
        if run.value is not None:
            values.setdefault(run.settings, []).append(run.value)
    return {settings: fmean(of_settings) for settings, of_settings in values.items()}
