"""Which recommendations of the thesis on sentence probing hold in a study."""

from collections.abc import Iterator
from typing import Optional

import pandas

from linspector_allennlp.analysis.recommendations import recommendations
from linspector_allennlp.analysis.stability import Change
from linspector_allennlp.analysis.tidy_scores import KEYS, present, seed_means
from linspector_allennlp.report.page.cells import page_table
from linspector_allennlp.report.page.model import PageTable, Part, Words
from linspector_allennlp.report.page.report_data import ReportData

TRAIN_ITEMS = "train_items"
SIZES = (TRAIN_ITEMS, "size", "items")
"""What a setting with the number of training items may be called."""
BALANCE, TUNING = ("balanced", "balance"), ("tuned", "tuning")


def recommended(data: ReportData, scores: pandas.DataFrame) -> Iterator[Part]:
    """
    # Parameters

    scores : `pandas.DataFrame`
        Means, with a column for each setting.
    """
    title = "Recommendations of the study on sentence probing"
    means, size = _with_size(data, scores)
    try:
        # Of an encoder, the dimension is not that of its representation: each score has its own.
        found = recommendations(means, size, _change(scores, BALANCE), _change(scores, TUNING))
    except ValueError as error:
        yield Words([f"{title}: {error}"])
        return
    yield _table(title, found)


def _table(title: str, found: pandas.DataFrame) -> PageTable:
    titles = {"verdict": "what this study says"}
    return page_table("recommendations", title, found.drop(columns="holds"), titles=titles)


def _with_size(
    data: ReportData, scores: pandas.DataFrame
) -> tuple[pandas.DataFrame, Optional[str]]:
    """The means with the number of training items, where a task has several."""
    for name in SIZES:
        if name in scores and pandas.to_numeric(scores[name], errors="coerce").nunique() > 1:
            return scores.assign(**{name: pandas.to_numeric(scores[name], errors="coerce")}), name
    table = data.table
    varies = present(data.scores, ["train_share"]) and data.scores["train_share"].nunique() > 1
    if not varies or not {"run", "metric", "split"} <= set(table):
        return scores, None
    is_size = (table["metric"] == "num") & (table["split"] == "train")
    sizes = table[is_size.fillna(False)].drop_duplicates("run").set_index("run")["value"]
    runs = data.runs.assign(**{TRAIN_ITEMS: data.runs["run"].map(sizes)})
    if runs[TRAIN_ITEMS].isna().all():
        return scores, None
    # The share is the size in other words.
    means = seed_means(runs.drop(columns=["train_share", "system"]), also=[TRAIN_ITEMS])
    return means, TRAIN_ITEMS


def _change(scores: pandas.DataFrame, names: tuple[str, ...]) -> Optional[Change]:
    for name in names:
        if name in scores and name not in KEYS and set(scores[name].dropna()) == {False, True}:
            return name, False, True
    return None
