"""The groups of predictions, by what their words are: known or not, seen in training or not, frequent or rare."""

from collections.abc import Mapping, Sequence
from typing import Optional

import numpy
import pandas

from linspector_allennlp.analysis.tidy_scores import need_columns, present

KNOWN = ("known", "unknown")
SEEN = ("seen", "unseen")
ENDS = (1_000, 10_000, 100_000)
"""The last ranks of bands of frequency."""


def known_groups(predictions: pandas.DataFrame) -> pandas.Series:
    """`known` or `unknown` to the representation, where a run says so; a pair with an unknown word is unknown."""
    need_columns(predictions, "known")
    return predictions["known"].map(dict(zip((True, False), KNOWN)), na_action="ignore")


def groups_by_run(
    predictions: pandas.DataFrame,
    of_run: Mapping[str, Mapping[str, str]],
    others: str,
    order: Sequence[str] = (),
) -> pandas.Series:
    """
    The group of each prediction of a word.

    # Parameters

    predictions : `pandas.DataFrame`
        Those of a study.
    of_run : `Mapping[str, Mapping[str, str]]`
        By the name of a run the group of a word. Runs that share one are done together; one without has no
        groups.
    others : `str`
        That of all other words, as `unseen`.
    order : `Sequence[str]`, optional
        A pair is in the group of its word that comes last here, as its rarer one; by default, a pair of words of
        two groups is a group of its own, `a + b`.
    """
    need_columns(predictions, "run", "form")
    rows_of = predictions.groupby("run", sort=False).indices
    together: dict[int, list[str]] = {}
    for run in rows_of:
        if run in of_run:
            together.setdefault(id(of_run[run]), []).append(run)
    found = pandas.Series(None, predictions.index, dtype=object)
    for runs in together.values():
        rows = numpy.concatenate([rows_of[run] for run in runs])
        groups = form_groups(predictions.iloc[rows], of_run[runs[0]], others, order)
        found.iloc[rows] = groups.to_numpy()
    return found


def form_groups(
    predictions: pandas.DataFrame,
    groups: Mapping[str, str],
    others: str,
    order: Sequence[str] = (),
) -> pandas.Series:
    """The same of all runs."""

    def group_of(forms: pandas.Series) -> pandas.Series:
        numbers, words = pandas.factorize(forms, use_na_sentinel=True)
        names = numpy.array([*(groups.get(word, others) for word in words), None], dtype=object)
        return pandas.Series(names[numbers], forms.index, dtype=object)

    group = group_of(predictions["form"])
    if not present(predictions, ["form2"]):
        return group
    second = group_of(predictions["form2"])
    differ = predictions["form2"].notna() & (second != group)

    def together(a: Optional[str], b: Optional[str]) -> Optional[str]:
        if a is None or b is None:
            return None
        # Sorted: which word comes first means nothing.
        return max(a, b, key=order.index) if order else " + ".join(sorted((a, b)))

    pairs = (together(a, b) for a, b in zip(group[differ], second[differ]))
    group[differ] = pandas.Series(list(pairs), group.index[differ], dtype=object)
    return group


def frequency_bands(
    counts: Mapping[str, int], ranks: Sequence[int] = (1_000, 10_000)
) -> dict[str, str]:
    """
    The band of each word of a frequency list, as `1-1000`, by its rank. Words of the same count are in
    the order of the list.
    """
    ordered = sorted(counts, key=counts.__getitem__, reverse=True)
    ends = [rank for rank in sorted(ranks) if rank < len(ordered)] + [len(ordered)]
    bands = [f"{start + 1}-{end}" for start, end in zip([0, *ends], ends)]
    places = numpy.searchsorted(ends, numpy.arange(len(ordered)), side="right")
    return {word: bands[place] for word, place in zip(ordered, places)}


def rank_bands(ranks: Mapping[str, int], ends: Sequence[int] = ENDS) -> dict[str, str]:
    """The band of each word of which the rank is known, from 1; the last band has no end: `> 100000`."""
    names = [*band_names(ends)]
    places = numpy.searchsorted(list(ends), list(ranks.values()), side="left")
    return {word: names[place] for word, place in zip(ranks, places)}


def band_names(ends: Sequence[int] = ENDS) -> list[str]:
    """From the most frequent words on."""
    bands = [f"{start + 1}–{end}" for start, end in zip([0, *ends], ends)]
    return [*bands, f"> {ends[-1]}"]
