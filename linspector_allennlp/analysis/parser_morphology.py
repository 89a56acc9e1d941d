"""
A parser with and without embeddings, given all, some or no gold morphology, beside what a linear classifier tells
of the same embeddings (Köhn 2016).
"""

from collections.abc import Sequence

import pandas

from linspector_allennlp.analysis.complexity import with_settings
from linspector_allennlp.analysis.correlation import correlations
from linspector_allennlp.analysis.score_differences import score_differences, sign_tests
from linspector_allennlp.analysis.tidy_scores import (
    chosen_scores,
    need_columns,
    present,
    seed_means,
)

SETTING = "morphology"
"""What the suite calls the setting that says which morphology is given."""


def parser_scores(table: pandas.DataFrame, metric: str = "UAS") -> pandas.DataFrame:
    """The scores of the parser, means over seeds, with a column `morphology`."""
    need_columns(table, "task", "metric", "settings")
    of_parser = table[table["settings"].astype("string").str.contains(f'"{SETTING}"', na=False)]
    if of_parser.empty:
        raise ValueError(
            f"Expected runs with the setting {SETTING}, as those of suites/syneval_parser; found none."
        )
    return with_settings(seed_means(chosen_scores(of_parser, metric)))


def parser_table(scores: pandas.DataFrame) -> pandas.DataFrame:
    """The scores by language and morphology (rows) and representation, as the study prints them."""
    need_columns(scores, SETTING, "representation", "value")
    rows = [*present(scores, ["language"]), SETTING]
    order = {name: list(dict.fromkeys(scores[name])) for name in (*rows, "representation")}
    wide = scores.pivot(index=rows, columns="representation", values="value")
    places = pandas.MultiIndex.from_product([order[name] for name in rows], names=rows)
    index = places if len(rows) > 1 else pandas.Index(order[SETTING], name=SETTING)
    return wide.reindex(index=index.intersection(wide.index, sort=False))[order["representation"]]


def parser_signs(scores: pandas.DataFrame) -> pandas.DataFrame:
    """
    For each pair of representations the two-sided sign test over all languages and settings of the morphology,
    as the study has it: `sign_tests`. The settings of a language are hardly independent.
    """
    need_columns(scores, SETTING)
    return sign_tests(score_differences(scores))


def parser_correlations(
    scores: pandas.DataFrame, syneval: pandas.DataFrame, within: Sequence[str] = ("language",)
) -> pandas.DataFrame:
    """
    Spearman's ρ over the representations of what a classifier tells (a row for each feature) with the parser (a
    column for each morphology): `correlations`. A parser without an embedding has no such point and is left out.

    # Parameters

    scores : `pandas.DataFrame`
        Those of `parser_scores`.
    syneval : `pandas.DataFrame`
        Those of the features, from the same representations (`seed_means`).
    """
    need_columns(scores, SETTING)
    by_setting = scores.assign(task=scores[SETTING])
    return correlations(syneval, by_setting, within=within)
