"""
The scores of a tidy table: which of its rows are looked at, and what a score is the mean of.

A table is that of a study (`run_folders.table_columns`), or anybody's with some of its columns. Scores may be
fractions or percents; differences are in the same unit.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Union

import pandas

from linspector_allennlp.run_folders.table_columns import BASELINES, PLAN_COLUMNS

KEYS = tuple(name for name in PLAN_COLUMNS if name not in ("control", "seed"))
"""What two scores must agree in to differ in their seeds only."""

SYSTEM = ("representation", "layer", "encoder")
"""What is compared: where a vector comes from."""

FACTS = ("dimension", "labels", "items", "oov", *BASELINES)
"""What is beside a score."""

NUMBERS = ("value", "sd", "seeds", "without_score", "low", "high", *FACTS)
"""The columns of `seed_means` that are no keys."""

OF_RUN = (
    "control", "chosen", "run", "config", "tested_on", "alone", "source", "seconds", "split", "is_main",
)  # fmt: skip
OF_SCORE_TABLE = ("system", "control_score", "baseline", "gain", "gain_percent", "place")


def need_columns(table: pandas.DataFrame, *names: str) -> None:
    """Says which columns an analysis needs and this table does not have."""
    if missing := [name for name in names if name not in table.columns]:
        raise ValueError(
            f"Expected a table with the columns {', '.join(names)}; there is no {', '.join(missing)}. "
            f"Found: {', '.join(map(str, table.columns)) or 'nothing'}."
        )


def present(table: pandas.DataFrame, names: Iterable[str]) -> list[str]:
    """Those of the columns that the table has, and something in them."""
    return [name for name in names if name in table.columns and table[name].notna().any()]


def chosen_scores(
    table: pandas.DataFrame,
    metric: Union[str, Sequence[str], None] = None,
    control: bool = False,
    split: str = "test",
) -> pandas.DataFrame:
    """
    The rows of the scores on the test data, of settings that a search chose where there was one: which settings
    these are, and that they were searched for, is then no difference between scores. An infinite score is no
    number.

    # Parameters

    metric : `Union[str, Sequence[str]]`, optional
        By default each run's main metric. Where a table does not say which that is, a task has one metric only.
    control : `bool`, optional (default = `False`)
        Whether the scores are those of control tasks.
    """
    need_columns(table, "task", "value")
    kept = _where(table, "split", split) & _flag(table, "chosen", True)
    kept &= _flag(table, "control", False) == control
    if metric is not None:
        need_columns(table, "metric")
        kept &= table["metric"].isin([metric] if isinstance(metric, str) else metric)
    else:
        kept &= _flag(table, "is_main", True)
    scores = _without_search(table[kept].reset_index(drop=True))
    if metric is None:
        _check_metrics(scores)
    numbers = pandas.to_numeric(scores["value"]).astype(float)
    return scores.assign(value=numbers.where(numbers.abs() < math.inf))


def seed_means(scores: pandas.DataFrame, also: Iterable[str] = ()) -> pandas.DataFrame:
    """
    A row for all seeds of a setting: the mean of their scores, its standard deviation, and what is beside it.

    An interval is one over items, as each run has it: from the mean of the lower ends to that of the upper
    ends, and where some have none, as wide around the score of all. A score that is not a number has no part in
    a mean; `without_score` counts them.

    # Parameters

    scores : `pandas.DataFrame`
    also : `Iterable[str]`, optional
        Columns of somebody's table that tell scores apart, too, as `size`. Other columns are dropped.

    # Returns

    `pandas.DataFrame`
        The columns of `KEYS` that the table has, `also`, `metric`; `value`, `sd` (of one seed none), `seeds`,
        `without_score`, and `low`, `high` and those of `FACTS` that the table has.
    """
    keys = [name for name in (*KEYS, *also, "metric") if name in scores.columns]
    if scores.empty:
        return scores.reindex(columns=[*keys, "value", "sd", "seeds", "without_score"])
    _check_seeds(scores, keys)
    groups = scores.groupby(keys, dropna=False, sort=False)
    value = groups["value"]
    means = {
        # The same scores in another order have other sums: ties would be none.
        "value": value.mean().round(12),
        "sd": value.std(),
        "seeds": value.count(),
        "without_score": value.size() - value.count(),
    }
    beside = present(scores, ["low", "high", *FACTS])
    means |= {name: groups[name].mean() for name in beside}
    for name in present(scores, ["low", "high"]):
        means[name] = _interval_end(scores, groups, name)
    return pandas.DataFrame(means).reset_index()


def _interval_end(scores: pandas.DataFrame, groups: Any, name: str) -> pandas.Series:
    """The mean of an end; where some seeds have none, as far from the score of all as from that of the others."""
    both = scores["value"].notna() & scores[name].notna()
    number = groups.ngroup()
    end, value = (scores[column].where(both).groupby(number).mean() for column in (name, "value"))
    centre = groups["value"].mean()
    some = (both.groupby(number).sum() < groups["value"].count().to_numpy()).to_numpy()
    moved = centre + (end - value).to_numpy()
    # Those of shares are shares.
    numbers = scores[["value", *present(scores, ["low", "high"])]]
    shares = (numbers.isna() | ((numbers >= 0) & (numbers <= 1))).all(axis=1)
    moved = moved.mask(shares.groupby(number).all().to_numpy(), moved.clip(0, 1))
    return moved.where(some, pandas.Series(end.to_numpy(), centre.index))


def name_systems(table: pandas.DataFrame, over: Sequence[str] = SYSTEM) -> pandas.Series:
    """What is compared, in words, as `minilm, layer 3, average`."""
    columns = present(table, over)
    if len(table) and not columns:
        raise ValueError(f"Expected a column {' or '.join(over)} with something in it.")

    def name(cells: Any) -> str:
        parts = zip(columns, cells)
        there = [(column, cell) for column, cell in parts if not pandas.isna(cell)]
        return ", ".join(
            f"layer {cell:g}" if name == "layer" else str(cell) for name, cell in there
        )

    names = [name(cells) for cells in table[columns].itertuples(index=False)]
    return pandas.Series(names, table.index, dtype=object)


def key_columns(table: pandas.DataFrame, *but: str) -> list[str]:
    """
    The columns that tell scores apart, but for these: those of `KEYS`, the metric, settings that
    have a column, and whatever else the table has.
    """
    # A setting with a column of its own is also a part of `settings`.
    twice = [] if set(but) <= {*KEYS, "seed"} else ["settings"]
    apart = {*NUMBERS, *OF_RUN, *OF_SCORE_TABLE, "grid", *but, *twice}
    return [name for name in present(table, table.columns) if name not in apart]


def varying(table: pandas.DataFrame, names: Iterable[str]) -> list[str]:
    """Those of the columns that have more than one value; a missing one counts as a value."""
    return [name for name in names if name in table and table[name].nunique(dropna=False) > 1]


def _where(table: pandas.DataFrame, name: str, value: str) -> pandas.Series:
    if name not in table.columns:
        return pandas.Series(True, table.index)
    return table[name].isna() | (table[name] == value).fillna(False).astype(bool)


def _flag(table: pandas.DataFrame, name: str, default: bool) -> pandas.Series:
    if name not in table.columns:
        return pandas.Series(default, table.index)
    return table[name].astype("boolean").fillna(default).astype(bool)


def _without_search(scores: pandas.DataFrame) -> pandas.DataFrame:
    """The scores without the settings that were chosen; of a table that does not say which, with all it has."""
    if "search" not in scores:
        return scores
    searched = scores["search"].notna()
    merged = scores.drop(columns="search")
    if "settings" in scores:
        merged["settings"] = scores["settings"].mask(searched)
    of_score = [name for name in (*KEYS, "metric", "control", "seed") if name in merged]
    is_known = bool((_flag(scores, "chosen", False) | ~searched).all())
    return scores if not is_known and merged.duplicated(of_score).any() else merged


def _check_metrics(scores: pandas.DataFrame) -> None:
    if "metric" not in scores:
        return
    unknown = scores if "is_main" not in scores else scores[scores["is_main"].isna()]
    for place, metrics in unknown.groupby([*present(unknown, ["level"]), "task"])["metric"]:
        if metrics.nunique() > 1:
            raise ValueError(
                f"{', '.join(map(str, place))}: expected one metric, or a column is_main, found "
                f"{', '.join(metrics.unique())}: say which one."
            )


def _check_seeds(scores: pandas.DataFrame, keys: Sequence[str]) -> None:
    """The same score twice is no sample."""
    of_run = [*keys, *present(scores, ["seed"])]
    twice = scores[scores.duplicated(of_run, keep=False)]
    if len(twice):
        first = twice.iloc[0]
        place = ", ".join(
            f"{name} {first[name]}" for name in of_run if not pandas.isna(first[name])
        )
        raise ValueError(
            f"Two scores of the same setting and seed ({place}): a column is missing that tells them apart."
        )
