"""Scores against a number: layers, epochs of a model's training, sizes of the training data."""

from typing import Optional

import pandas

from linspector_allennlp.analysis.complexity import with_settings
from linspector_allennlp.analysis.score_tables import goodness
from linspector_allennlp.analysis.tidy_scores import (
    chosen_scores,
    key_columns,
    need_columns,
    seed_means,
    varying,
)
from linspector_allennlp.analysis.wording import place_name


def curve(
    table: pandas.DataFrame, over: str = "layer", metric: Optional[str] = None
) -> pandas.DataFrame:
    """
    The points of all curves, means over seeds with their intervals over items and their standard deviations.

    # Parameters

    table : `pandas.DataFrame`
        That of a study.
    over : `str`, optional (default = `"layer"`)
        A column with numbers in it, or a setting that the suite varies, as `rank`. Numbers in text count as
        numbers.

    # Returns

    `pandas.DataFrame`
        `curve`, what tells a curve from the others, in words; `over`, as a number; and the columns of
        `seed_means`. Scores that have no such number are no part of a curve, and one point is none.
    """
    means = with_settings(seed_means(chosen_scores(table, metric)))
    need_columns(means, over)
    names = varying(means, key_columns(means, over))
    found = means.assign(**{over: pandas.to_numeric(means[over], errors="coerce")})
    found = found[found[over].notna()]
    cells = found[names].itertuples(index=False)
    found.insert(0, "curve", [place_name(dict(zip(names, row))) for row in cells])
    found = found[found.groupby("curve")[over].transform("nunique") > 1]
    return found.sort_values(["curve", over], kind="stable").reset_index(drop=True)


def best_points(points: pandas.DataFrame) -> pandas.DataFrame:
    """The row of the best score of each curve; the first of equal ones, and none of a curve without scores."""
    there = points[points["value"].notna()]
    signed = there["value"] * goodness(there)
    return there.loc[signed.groupby(there["curve"], sort=False).idxmax()].reset_index(drop=True)
