"""
Correlations of the scores of the same representations: of probing with downstream tasks, of tasks with each
other, of languages, classifiers, sizes or seeds.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, Optional

import numpy
import pandas
from scipy.stats import false_discovery_control

from linspector_allennlp.analysis.alike_scores import check_alike
from linspector_allennlp.analysis.rank_correlation import correlate
from linspector_allennlp.analysis.tidy_scores import SYSTEM, name_systems, need_columns
from linspector_allennlp.analysis.wording import in_words

RESULT = ("row", "column", "rho", "p_t", "p_exact", "p_bh", "n", "left_out")


def correlations(
    scores: pandas.DataFrame,
    columns: Optional[pandas.DataFrame] = None,
    variable: str = "task",
    within: Sequence[str] = ("language",),
    over: Sequence[str] = SYSTEM,
    method: str = "spearman",
) -> pandas.DataFrame:
    """
    The correlations between the values of a column over what is compared.

    # Parameters

    scores : `pandas.DataFrame`
        A row for each score (`chosen_scores`, `seed_means`). Nothing is averaged here: what varies and is not
        named below must be chosen first.
    columns : `pandas.DataFrame`, optional
        The scores of the other side, as of downstream tasks; by default all pairs within `scores`.
    variable : `str`, optional (default = `"task"`)
        The column, of both tables, whose values are correlated.
    within : `Sequence[str]`, optional (default = `("language",)`)
        Only what agrees in these is correlated.
    over : `Sequence[str]`, optional
        What the points are.
    method : `str`, optional (default = `"spearman"`)
        One of `rank_correlation.METHODS`.

    # Returns

    `pandas.DataFrame`
        A row for each pair: `within`, and `RESULT`. `p_bh` is the exact p-value, or by t where there is none,
        corrected over all rows (Benjamini & Hochberg 1995). `left_out` names the points that only one side has: a
        pair is never filled up.
    """
    sides = [scores] if columns is None else [scores, columns]
    for side in sides:
        need_columns(side, variable, "value", *within)
    tables = [_points(side, variable, within, over) for side in sides]
    rows = []
    for place in dict.fromkeys(place for table in tables for place in table):
        first, last = tables[0].get(place, {}), tables[-1].get(place, {})
        for row, column in _pairs(first, last, same=columns is None):
            cells = {**dict(zip(within, place)), "row": row, "column": column}
            rows.append(cells | _correlation(first[row], last[column], method))
    result = pandas.DataFrame(rows, columns=[*within, *RESULT])
    result["p_bh"] = corrected(result["p_exact"].fillna(result["p_t"]))
    return result


def correlation_matrix(
    result: pandas.DataFrame,
    value: str = "rho",
    p: str = "p_t",
    level: Optional[float] = None,
    least: float = 0.0,
    mirrored: bool = False,
) -> pandas.DataFrame:
    """
    Rows of `correlations` as a matrix.

    # Parameters

    result : `pandas.DataFrame`
        Those of one language: a pair must be there once.
    level : `float`, optional
        Only cells whose `p` is at most so much are shown, the others are not numbers.
    least : `float`, optional (default = `0.0`)
        Smaller correlations, of either sign, become 0, as the thesis prints them with 0.2.
    mirrored : `bool`, optional (default = `False`)
        For pairs of one table: both halves, and between them the correlation of each with itself.
    """
    if result.duplicated(["row", "column"]).any():
        raise ValueError("Expected each pair once: choose the language, or the task, first.")
    rho = result["rho"]
    cells = result[value].where((rho.abs() >= least) | rho.isna(), 0.0)
    if level is not None:
        cells = cells.where(result[p] <= level)
    matrix = result.assign(cell=cells).pivot(index="row", columns="column", values="cell")
    rows, columns = (list(dict.fromkeys(result[name])) for name in ("row", "column"))
    if not mirrored:
        return matrix.reindex(index=rows, columns=columns)
    names = list(dict.fromkeys([*rows, *columns]))
    matrix = matrix.reindex(index=names, columns=names)
    matrix = matrix.where(matrix.notna(), matrix.T)
    itself = 1.0 if value == "rho" else math.nan
    return matrix.mask(numpy.eye(len(names), dtype=bool), itself)


Points = dict[Any, pandas.Series]


def _points(
    table: pandas.DataFrame, variable: str, within: Sequence[str], over: Sequence[str]
) -> dict[tuple[Any, ...], Points]:
    """By what is in `within`, and by the variable: the scores, by what they are of."""
    points: dict[tuple[Any, ...], Points] = {}
    named = table.assign(point=name_systems(table, over))
    for cells, scores in named.groupby([*within, variable], sort=False, dropna=False):
        # So that what is missing in both tables is the same.
        place = tuple(None if pandas.isna(cell) else cell for cell in cells)
        check_alike(scores, in_words(place), [variable, *within, *over])
        of_place = points.setdefault(place[:-1], {})
        of_place[place[-1]] = scores.set_index("point")["value"].astype(float)
    return points


def _pairs(rows: Points, columns: Points, same: bool) -> Iterator[tuple[Any, Any]]:
    return iter(combinations(rows, 2)) if same else product(rows, columns)


def _correlation(x: pandas.Series, y: pandas.Series, method: str) -> dict[str, Any]:
    if x.index.equals(y.index):
        a, b = x.to_numpy(), y.to_numpy()
        if not numpy.isnan(a).any() and not numpy.isnan(b).any():
            return {**correlate(a, b, method)._asdict(), "left_out": ""}
    both = pandas.concat([x, y], axis=1, keys=["x", "y"])
    shared = both.dropna()
    found = correlate(shared["x"].to_numpy(), shared["y"].to_numpy(), method)
    left_out = "; ".join(both.index.difference(shared.index, sort=False))
    return {**found._asdict(), "left_out": left_out}


def corrected(p_values: pandas.Series) -> pandas.Series:
    """P-values by Benjamini & Hochberg (1995); what is missing is no test."""
    known = p_values.dropna()
    return pandas.Series(
        false_discovery_control(known) if len(known) else [], index=known.index, dtype=float
    ).reindex(p_values.index)
