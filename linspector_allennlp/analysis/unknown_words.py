"""
Words that are unknown: to a representation (LINSPECTOR, Appendix A), and to the training data of a task
(Table 8).
"""

import pandas

from linspector_allennlp.analysis.tidy_scores import SYSTEM, need_columns, present

SPLITS = ("train", "validation", "test")


def unknown_to_representations(table: pandas.DataFrame) -> pandas.DataFrame:
    """
    The share of the words of each data set that each representation has no vector of its own for.

    # Parameters

    table : `pandas.DataFrame`
        That of a study: its rows whose metric is `oov`.

    # Returns

    `pandas.DataFrame`
        The task, its language and level, the representation, and a column for each split. A representation
        that cannot say is not there.
    """
    need_columns(table, "task", "representation", "metric", "split", "value")
    rows = table[(table["metric"] == "oov").fillna(False).astype(bool)]
    # It does not depend on the seed or the probe.
    keys = present(rows, ["level", "language", "task", "test", *SYSTEM])
    if rows.empty:
        return pandas.DataFrame(columns=["language", "task", "representation", *SPLITS])
    shares = (
        rows.groupby([*keys, "split"], dropna=False, sort=False)["value"].mean().unstack("split")
    )
    return shares.reindex(columns=[name for name in SPLITS if name in shares]).reset_index()


def unknown_to_training(words: pandas.DataFrame) -> pandas.DataFrame:
    """
    The share of the tokens of each data set whose word does not occur in its training data.

    # Parameters

    words : `pandas.DataFrame`
        A row for each token: `task`, `split` (of which `train` is one), `form`, and `language` and `level`
        where there are several.

    # Returns

    `pandas.DataFrame`
        The task, `split`, `tokens`, `vocabulary` (distinct words), and `unknown`, the share; of training data
        none.
    """
    need_columns(words, "task", "split", "form")
    keys = present(words, ["level", "language", "task"])
    training = words[words["split"] == "train"][[*keys, "form"]].drop_duplicates()
    if training.empty:
        raise ValueError("Expected words of the split train, found none.")
    marked = words.merge(training.assign(known=True), "left", on=[*keys, "form"])
    groups = marked.assign(unknown=marked["known"].isna()).groupby([*keys, "split"], sort=False)
    found = groups.agg(
        tokens=("form", "size"), vocabulary=("form", "nunique"), unknown=("unknown", "mean")
    ).reset_index()
    has_training = found[keys].merge(
        training[keys].drop_duplicates(), "left", on=keys, indicator=True
    )
    there = (has_training["_merge"] == "both").to_numpy() & (found["split"] != "train").to_numpy()
    return found.assign(unknown=found["unknown"].where(there))
