"""Whether scores can be compared at all."""

from collections.abc import Iterable

import pandas

from linspector_allennlp.analysis.tidy_scores import KEYS, varying


def check_alike(scores: pandas.DataFrame, place: str, but: Iterable[str]) -> None:
    """
    Refuses to mix scores of several classifiers, say, in one comparison.

    # Parameters

    scores : `pandas.DataFrame`
        With a column `point`, what each score is compared as.
    place : `str`
        What they are called in errors.
    but : `Iterable[str]`
        The columns that may differ.
    """
    fixed = [name for name in (*KEYS, "metric") if name not in (*but, "grid")]
    if mixed := varying(scores, fixed):
        found = [f"{name} ({', '.join(map(str, scores[name].unique()))})" for name in mixed]
        raise ValueError(f"{place}: several values of {', '.join(found)}: choose one first.")
    twice = scores["point"][scores["point"].duplicated()]
    if len(twice):
        raise ValueError(
            f"{place}: {twice.iloc[0]} has several scores: take the mean over seeds first, or name the "
            "column that tells them apart."
        )
