"""
Two values of a column side by side: probe and parser, type and token level, a word alone and in its sentence,
balanced and unbalanced, tuned and untuned, two classifiers, two sizes.
"""

from typing import Any

import pandas

from linspector_allennlp.analysis.tidy_scores import key_columns, need_columns


def side_by_side(means: pandas.DataFrame, column: str, a: Any, b: Any) -> pandas.DataFrame:
    """
    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`), perhaps of several metrics.
    column : `str`
        Such as `probe`, `level` or `representation`; a setting after `with_settings`.
    a, b : `Any`
        Two of its values.

    # Returns

    `pandas.DataFrame`
        What both have in common, the scores `a` and `b`, their intervals if there are any, and `difference`,
        B minus A. A score without a counterpart is left out; `alone` has those.
    """
    found = _merged(means, column, a, b)
    both = found[found["a"].notna() & found["b"].notna()]
    return both.assign(difference=both["b"] - both["a"]).reset_index(drop=True)


def alone(means: pandas.DataFrame, column: str, a: Any, b: Any) -> pandas.DataFrame:
    """The scores that only one of the two values has; the other one is missing."""
    found = _merged(means, column, a, b)
    return found[found["a"].isna() != found["b"].isna()].reset_index(drop=True)


def _merged(means: pandas.DataFrame, column: str, a: Any, b: Any) -> pandas.DataFrame:
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
        kept = [*keys, *(each for each in names if each in side)]
        sides.append(side[kept].rename(columns=names))
    return sides[0].merge(sides[1], "outer", on=keys, sort=False)
