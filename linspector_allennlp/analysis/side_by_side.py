"""
Two values of a column side by side: probe and parser, type and token level, a word alone and in its sentence,
balanced and unbalanced, tuned and untuned, two classifiers, two sizes.
"""

from collections.abc import Sequence
from typing import Any

import pandas

from linspector_allennlp.analysis.tidy_scores import key_columns, need_columns


def side_by_side(
    means: pandas.DataFrame, column: str, a: Any, b: Any, beside: Sequence[str] = ()
) -> pandas.DataFrame:
    """
    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`), perhaps of several metrics.
    column : `str`
        Such as `probe`, `level` or `representation`; a setting after `with_settings`.
    a, b : `Any`
        Two of its values.
    beside : `Sequence[str]`, optional (default = `()`)
        Other numbers of both, such as `labels`, which become `a_labels` and `b_labels`.

    # Returns

    `pandas.DataFrame`
        What both have in common, the scores `a` and `b`, their intervals if there are any, and `difference`,
        B minus A. A score without a counterpart is left out; `alone` has those.
    """
    found = _merged(means, column, a, b, beside)
    both = found[found["a"].notna() & found["b"].notna()]
    return both.assign(difference=both["b"] - both["a"]).reset_index(drop=True)


def alone(means: pandas.DataFrame, column: str, a: Any, b: Any) -> pandas.DataFrame:
    """The scores that only one of the two values has; the other one is missing."""
    found = _merged(means, column, a, b)
    return found[found["a"].isna() != found["b"].isna()].reset_index(drop=True)


def with_interval(found: pandas.DataFrame) -> pandas.DataFrame:
    """
    Rows of `side_by_side` with the ends of the interval of the difference, `difference_low` and
    `difference_high`, if both sides have intervals: those of two independent samples, by their variance
    estimates recovered (Newcombe 1998; Zou & Donner 2008). Where the items of both are the same, it is too wide.
    """
    ends = ("a_low", "a_high", "b_low", "b_high")
    if not set(ends) <= set(found.columns):
        return found
    a, b = found["a"], found["b"]
    a_low, a_high, b_low, b_high = (found[name] for name in ends)
    below = ((b - b_low) ** 2 + (a_high - a) ** 2) ** 0.5
    above = ((b_high - b) ** 2 + (a - a_low) ** 2) ** 0.5
    difference = found["difference"]
    return found.assign(difference_low=difference - below, difference_high=difference + above)


def _merged(
    means: pandas.DataFrame, column: str, a: Any, b: Any, beside: Sequence[str] = ()
) -> pandas.DataFrame:
    need_columns(means, column, "value")
    keys = key_columns(means, column)
    sides = []
    for name, value in (("a", a), ("b", b)):
        side = means[(means[column] == value).fillna(False).astype(bool)]
        if side.empty:
            known = ", ".join(map(str, means[column].dropna().unique()))
            raise ValueError(f"Expected {column} {value}, found {known or 'nothing'}.")
        if side.duplicated(keys).any():
            raise ValueError(
                f"{column} {value} has several scores of the same {', '.join(keys)}: choose one first."
            )
        names = {"value": name, "low": f"{name}_low", "high": f"{name}_high"}
        names |= {other: f"{name}_{other}" for other in beside}
        kept = [*keys, *(each for each in names if each in side)]
        sides.append(side[kept].rename(columns=names))
    # An outer merge sorts; the order of the table is restored.
    merged = sides[0].merge(sides[1], "outer", on=keys)
    return means[keys].drop_duplicates().merge(merged, on=keys)
