"""
Task, control task and selectivity (Hewitt & Liang 2019: Tables 1 and 2, Figure 4), by whatever makes a probe
more or less complex.
"""

import json
from collections.abc import Mapping
from typing import Any, Optional

import pandas

from linspector_allennlp.analysis.selectivity import LEAST_OVERLAP
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    chosen_scores,
    need_columns,
    present,
    seed_means,
)

OVERLAP = "overlap"
"""The metric of the table that is the share of test items whose words are in the training data."""

RESULT = (
    "task_score", "task_sd", "control_score", "control_sd", "selectivity", "selectivity_sd", "seeds", "learnable",
)  # fmt: skip


def task_and_control(table: pandas.DataFrame, metric: Optional[str] = None) -> pandas.DataFrame:
    """
    A row for each setting that has both a task and its control task.

    # Returns

    `pandas.DataFrame`
        The columns of `KEYS` that the table has, and `metric`; `task_score` and `control_score`, means over
        seeds, with their standard deviations `task_sd` and `control_sd`; `selectivity`, the mean of the
        differences of the same seed, or, without such pairs, the difference of the means, with the
        standard deviation of the differences, `selectivity_sd`; `seeds`, that both have;
        `learnable`, which is false where hardly any test word is in the training data, so that the control
        task cannot be learned and there is no selectivity; missing where the table does not say.
    """
    need_columns(table, "task", "value", "control")
    task, control = (chosen_scores(table, metric, control=control) for control in (False, True))
    control = control.assign(learnable=_learnable(table, control))
    if task.empty or control.empty:
        raise ValueError(
            "Expected scores of tasks and of their control tasks, found none of one of them."
        )
    keys = [*present(pandas.concat([task, control]), KEYS), *present(task, ["metric"])]
    means = _means(task, "task", keys).merge(_means(control, "control", keys), on=keys)
    learnable = control.groupby(keys, dropna=False)["learnable"].min().reset_index()
    found = means.merge(learnable, on=keys).merge(_spread(task, control, keys), on=keys)
    can_be_learned = found["learnable"].fillna(True).astype(bool)
    of_means = found["task_score"] - found["control_score"]
    found["selectivity"] = found["paired"].fillna(of_means).round(12).where(can_be_learned)
    found["selectivity_sd"] = found["selectivity_sd"].where(can_be_learned)
    return found[[*keys, *RESULT]]


def with_settings(table: pandas.DataFrame) -> pandas.DataFrame:
    """The table with a column for each setting that the suite varies, such as `rank`, beside `settings`."""
    if not present(table, ["settings"]):
        return table
    settings = table["settings"].map(_setting)
    names = dict.fromkeys(name for each in settings for name in each if name not in table.columns)
    columns = {name: settings.map(lambda each, name=name: each.get(name)) for name in names}
    return table.assign(**{name: values.infer_objects() for name, values in columns.items()})


def complexity_curve(
    table: pandas.DataFrame, setting: str, metric: Optional[str] = None
) -> pandas.DataFrame:
    """
    Task, control and selectivity against a setting (`rank`, `hidden_dim`, `dropout`, `weight_decay`, the
    number of steps) or a column (`train_share`, `layer`), which comes first; from its least value on.
    """
    found = with_settings(task_and_control(table, metric))
    need_columns(found, setting)
    curve = found[found[setting].notna()].sort_values(setting, kind="stable")
    return curve[[setting, *(name for name in curve.columns if name != setting)]].reset_index(
        drop=True
    )


def _setting(text: Any) -> Mapping[str, Any]:
    if isinstance(text, Mapping):
        return text
    return {} if pandas.isna(text) else json.loads(text)


def _means(scores: pandas.DataFrame, name: str, keys: list[str]) -> pandas.DataFrame:
    means = seed_means(scores).rename(columns={"value": f"{name}_score", "sd": f"{name}_sd"})
    return means[[*keys, f"{name}_score", f"{name}_sd"]]


def _spread(task: pandas.DataFrame, control: pandas.DataFrame, keys: list[str]) -> pandas.DataFrame:
    """The mean and the standard deviation of the differences of the same seed, and how many there are."""
    of_seed = [*keys, *present(task, ["seed"])]
    pairs = task[[*of_seed, "value"]].merge(control[[*of_seed, "value"]], "left", on=of_seed)
    difference = pairs["value_x"] - pairs["value_y"]
    groups = pairs.assign(difference=difference).groupby(keys, dropna=False)["difference"]
    spread = pandas.DataFrame(
        {"paired": groups.mean(), "selectivity_sd": groups.std(), "seeds": groups.count()}
    )
    return spread.reset_index()


def _learnable(table: pandas.DataFrame, control: pandas.DataFrame) -> pandas.Series:
    """By the overlap of the same run; missing where there is none."""
    unknown = pandas.Series(pandas.NA, control.index, dtype="boolean")
    if not {"run", "metric"} <= set(table.columns) or not len(control):
        return unknown
    overlap = table[(table["metric"] == OVERLAP).fillna(False).astype(bool)]
    if "split" in overlap:
        overlap = overlap[(overlap["split"] == "test").fillna(False).astype(bool)]
    shares = control["run"].map(overlap.drop_duplicates("run").set_index("run")["value"])
    return (shares >= LEAST_OVERLAP).astype("boolean").mask(shares.isna())
