"""The marks of correlations, which of them are large, and from which ρ on so few points give a mark."""

import math
from collections.abc import Sequence
from functools import cache

import pandas
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from linspector_allennlp.analysis.correlation import correlation_matrix
from linspector_allennlp.analysis.rank_correlation import EXACT_UP_TO, p_by_t, rank_p_values
from linspector_allennlp.analysis.tidy_scores import need_columns
from linspector_allennlp.analysis.wording import count, have, some

LEVELS = (0.1, 0.2)
"""Those at which LINSPECTOR marks the cells of its Figure 1."""
MARKS = ("●", "○")
NOT_MARKED, NO_P = "·", "–"

ALIKE = 0.9
"""A rank correlation from which two orders are called alike."""
ROUNDING = 1e-9
P_VALUES = ("p_t", "p_exact", "p_bh")


def marks_of(p_values: Sequence[float], levels: Sequence[float] = LEVELS) -> str:
    """A sign for each: `●` below the first level, `○` below the second, else `·`; `–` where there is none."""

    def sign(p: float) -> str:
        if pandas.isna(p):
            return NO_P
        return next((mark for mark, level in zip(MARKS, levels) if p < level), NOT_MARKED)

    return "".join(map(sign, p_values))


def best_p_value(result: pandas.DataFrame) -> pandas.Series:
    """The exact p-value, or of many points that by t."""
    need_columns(result, "p_exact", "p_t")
    return result["p_exact"].fillna(result["p_t"])


def marked_from(result: pandas.DataFrame, levels: Sequence[float] = LEVELS) -> list[str]:
    """From which correlation on so few points get a mark; a sentence for each number of points."""
    sentences = []
    for n in sorted(result.loc[result["rho"].notna(), "n"].unique()):
        if n > EXACT_UP_TO:
            continue
        exact = rank_p_values(int(n))
        by_t = {rho: p_by_t(rho, int(n)) for rho in exact}
        parts = [
            f"p < {level:g} takes {_least(by_t, level)} by t and {_least(exact, level)} exactly"
            for level in levels
        ]
        sentences.append(f"Of {n} points without ties, {'; '.join(parts)}.")
    return sentences


def alike_tasks(result: pandas.DataFrame, place: str, least: float = ALIKE) -> list[str]:
    """
    Which tasks order the representations alike, so that one of them says what the others do; and how many such
    pairs chance alone would give.

    # Parameters

    result : `pandas.DataFrame`
        Rows of `correlations`, of one table and one language.
    place : `str`
        What they are of, in words.
    """
    known = result[result["rho"].notna()]
    if known.empty:
        return []
    alike = known[known["rho"] >= least - ROUNDING]
    sentence = f"{place}: of {count(known, 'pair')} of tasks {len(alike)} {have(alike)} ρ of {least:g} or more"
    groups = alike_groups(result, least)
    if groups:
        sentence += f". Alike in every pair: {'; '.join(' ~ '.join(group) for group in groups)}"
    chance = [_chance(int(n), least) for n in known["n"]]
    if not any(map(math.isnan, chance)):
        sentence += (
            f". Tasks that have nothing in common would give {sum(chance):.1f} such pairs by chance"
        )
    sentences = [f"{sentence}."]
    opposite = known[known["rho"] <= ROUNDING - least].sort_values("rho")
    if len(opposite):
        pairs = opposite[["row", "column", "rho"]].itertuples(index=False)
        names = [f"{row} and {column} {rho:.2f}" for row, column, rho in pairs]
        sentences.append(f"{place}: the other way round are {some(names)}.")
    return sentences


def alike_groups(result: pandas.DataFrame, least: float = ALIKE) -> list[list[str]]:
    """
    Groups of tasks within which each two have at least such a correlation, by complete linkage: a task is in one
    group, the largest first. What has no correlation with one of the others is in none.
    """
    names = list(dict.fromkeys([*result["row"], *result["column"]]))
    matrix = correlation_matrix(result, mirrored=True).reindex(index=names, columns=names)
    while len(matrix) and matrix.isna().any(axis=None):
        worst = matrix.isna().sum().idxmax()
        matrix = matrix.drop(index=worst, columns=worst)
    if len(matrix) < 2:
        return []
    distances = squareform(1 - matrix.to_numpy(dtype=float), checks=False)
    numbers = fcluster(linkage(distances, "complete"), 1 - least + ROUNDING, "distance")
    groups: dict[int, list[str]] = {}
    for name, number in zip(matrix.index, numbers):
        groups.setdefault(int(number), []).append(str(name))
    return sorted((group for group in groups.values() if len(group) > 1), key=len, reverse=True)


@cache
def _chance(n: int, least: float) -> float:
    """How probable a correlation as large is, of one sign; nothing of so many points that it is not counted."""
    if n > EXACT_UP_TO:
        return math.nan
    return next((p / 2 for rho, p in rank_p_values(n).items() if rho >= least - ROUNDING), 0.0)


def _least(p_values: dict[float, float], level: float) -> str:
    enough = [rho for rho, p in p_values.items() if p < level]
    return f"|ρ| of {min(enough):.2f}" if enough else "more than |ρ| = 1"
