"""Scores against a number of what they are of: the number of labels of a task, the dimension of a vector."""

from collections.abc import Mapping, Sequence
from typing import Union

import pandas

from linspector_allennlp.analysis.alike_scores import check_alike
from linspector_allennlp.analysis.rank_correlation import correlate
from linspector_allennlp.analysis.tidy_scores import (
    SYSTEM,
    name_systems,
    need_columns,
    present,
)
from linspector_allennlp.analysis.wording import in_words


def score_against(
    means: pandas.DataFrame,
    number: Union[str, Mapping[str, float]] = "dimension",
    within: Sequence[str] = ("language", "task"),
    over: Sequence[str] = SYSTEM,
    method: str = "pearson",
) -> pandas.DataFrame:
    """
    How scores go with a number.

    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`).
    number : `Union[str, Mapping[str, float]]`, optional (default = `"dimension"`)
        A column, or a number for each representation. Scores without one are left out, as are those that are
        not numbers.
    within, over : `Sequence[str]`, optional
        By default, for the dimension of vectors, the points are the representations of a task. For the
        number of labels they are the tasks of a representation: `within=("language", *SYSTEM)`, `over=["task"]`.
    method : `str`, optional (default = `"pearson"`)
        One of `rank_correlation.METHODS`.

    # Returns

    `pandas.DataFrame`
        `within`, `rho`, `p_t`, `p_exact`, `n`, and `left_out`, the scores that have no part in it.
    """
    need_columns(means, "value", "representation")
    if isinstance(number, str):
        need_columns(means, number)
        numbers = means[number]
    else:
        numbers = means["representation"].map(dict(number))
    points = means.assign(number=pandas.to_numeric(numbers), point=name_systems(means, over))
    keys = present(means, within)
    rows = []
    for place, scores in points.groupby(keys, sort=False, dropna=False):
        check_alike(scores, in_words(place), [*within, *over])
        there = scores[["number", "value"]].dropna().astype(float)
        found = correlate(there["number"].to_numpy(), there["value"].to_numpy(), method)
        left_out = "; ".join(scores["point"].drop(there.index))
        rows.append({**dict(zip(keys, place)), **found._asdict(), "left_out": left_out})
    return pandas.DataFrame(rows)
