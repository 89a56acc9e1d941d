"""Scores against a number of what they are of: the number of labels of a task, the dimension of a vector."""

from collections.abc import Mapping, Sequence
from typing import Any, Union

import pandas

from linspector_allennlp.analysis.rank_correlation import correlate
from linspector_allennlp.analysis.tidy_scores import need_columns


def score_against(
    means: pandas.DataFrame,
    number: Union[str, Mapping[str, float]] = "dimension",
    within: Sequence[str] = ("language", "task"),
    method: str = "pearson",
) -> pandas.DataFrame:
    """
    How scores go with a number.

    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`).
    number : `Union[str, Mapping[str, float]]`, optional (default = `"dimension"`)
        A column, or a number for each representation. Scores without one are left out, as are those that are not
        numbers.
    within : `Sequence[str]`, optional (default = `("language", "task")`)
        For the dimension of vectors, whose points are representations. For the number of labels, whose
        points are tasks: `("language", "representation")`.
    method : `str`, optional (default = `"pearson"`)
        One of `rank_correlation.METHODS`.

    # Returns

    `pandas.DataFrame`
        `within`, `rho`, `p_t`, `p_exact`, `n` and `left_out`, the number of scores that have no part in it.
    """
    need_columns(means, "value", *within)
    if isinstance(number, str):
        need_columns(means, number)
        numbers = means[number]
    else:
        need_columns(means, "representation")
        numbers = means["representation"].map(dict(number))
    points = means.assign(number=pandas.to_numeric(numbers))
    rows = []
    for place, scores in points.groupby([*within], sort=False):
        there = scores[["number", "value"]].dropna().astype(float)
        found = correlate(there["number"].to_numpy(), there["value"].to_numpy(), method)
        cells: dict[str, Any] = {**dict(zip(within, place)), **found._asdict()}
        rows.append({**cells, "left_out": len(scores) - len(there)})
    return pandas.DataFrame(rows)
