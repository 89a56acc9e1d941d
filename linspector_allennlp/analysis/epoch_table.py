"""Scores by epoch of a diagnosed model: a row for each task and layer, a column for each epoch."""

from typing import Optional

import pandas

from linspector_allennlp.analysis.tidy_scores import (
    chosen_scores,
    key_columns,
    need_columns,
    seed_means,
    varying,
)

OVER = "epoch"


def epoch_table(table: pandas.DataFrame, metric: Optional[str] = None) -> pandas.DataFrame:
    """
    The means over seeds. Its index are the columns that tell the rows apart, and `task` and
    `representation` in any case; its columns are epochs.

    # Parameters

    table : `pandas.DataFrame`
        That of a study.
    metric : `str`, optional
    """
    means = seed_means(chosen_scores(table, metric))
    need_columns(means, OVER)
    means = means[means[OVER].notna()]
    if means.empty:
        raise ValueError("There is no score of an epoch.")
    told = varying(means, key_columns(means, OVER))
    keys = [name for name in means.columns if name in {*told, "task", "representation"}]
    rows = means.assign(**{name: means[name].astype(object).fillna("–") for name in keys})
    found = rows.pivot_table(index=keys, columns=OVER, values="value", sort=False)
    return found.sort_index(axis="columns")
