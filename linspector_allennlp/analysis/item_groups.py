"""Scores of groups of items: words that are known or not, seen in training or not, frequent or rare."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pandas

from linspector_allennlp.analysis.aligned_answers import Answers
from linspector_allennlp.analysis.item_bootstrap import ItemBootstrap
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    chosen_scores,
    need_columns,
    present,
)

SEED = 13
NUM_SAMPLES = 2_000


def scores_by_group(
    table: pandas.DataFrame, predictions: pandas.DataFrame, groups: Mapping[str, str], others: str
) -> pandas.DataFrame:
    """
    The accuracy on groups of test items, the mean over seeds, by what the word is.

    # Parameters

    table, predictions : `pandas.DataFrame`
        Those of a study.
    groups : `Mapping[str, str]`
        The group of a word: `frequency_bands(…)`, `dict.fromkeys(vocabulary, "known")`,
        `dict.fromkeys(training_words, "seen")`. A pair of words of two groups is a group of its own, `a + b`.
    others : `str`
        That of all other words, as `unknown`.

    # Returns

    `pandas.DataFrame`
        The columns of `KEYS` that the table has, `group`, `items`, `seeds`, `value`, and the 95 % interval
        over items and seeds, `low` and `high`, by the hierarchical bootstrap.
    """
    need_columns(table, "run", "task", "value")
    need_columns(predictions, "run", "form", "correct")
    runs = chosen_scores(table).drop_duplicates("run")
    keys = [name for name in present(runs, KEYS) if name != "grid"]
    grouped = predictions.assign(group=_groups(predictions, groups, others))
    by_group = dict(iter(grouped.groupby("group")))
    order = dict.fromkeys([*dict.fromkeys(groups.values()), others, *by_group])
    answers = {group: Answers(by_group[group]) for group in order if group in by_group}
    rows: list[dict[str, Any]] = []
    for place, of_setting in runs.groupby(keys, dropna=False, sort=False):
        cells = dict(zip(keys, place))
        for group, of_group in answers.items():
            there = [run for run in of_setting["run"] if run in of_group]
            if there:
                rows.append({**cells, "group": group, **_score(of_group, there)})
    return pandas.DataFrame(
        rows, columns=[*keys, "group", "items", "seeds", "value", "low", "high"]
    )


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


def _groups(predictions: pandas.DataFrame, groups: Mapping[str, str], others: str) -> pandas.Series:
    def group_of(forms: pandas.Series) -> pandas.Series:
        return pandas.Series(
            [groups.get(form, others) for form in forms], forms.index, dtype=object
        )

    group = group_of(predictions["form"])
    if not present(predictions, ["form2"]):
        return group
    second = group_of(predictions["form2"])
    differ = predictions["form2"].notna() & (second != group)
    # Sorted: which word comes first means nothing.
    first, last = group.where(group < second, second), second.where(group < second, group)
    return group.mask(differ, first + " + " + last)


def _score(answers: Answers, runs: Sequence[str]) -> dict[str, Any]:
    found = answers.of(runs)
    share = float(found.correct.mean())
    if share in (0, 1):
        # Resampling would be certain; this is the exact interval of Clopper & Pearson (1934).
        reach = 1 - 0.025 ** (1 / len(numpy.unique(found.clusters)))
        low, high = (1 - reach, 1.0) if share else (0.0, reach)
    else:
        rng = numpy.random.default_rng(SEED)
        bootstrap = ItemBootstrap.draw(found.correct, found.clusters, rng, NUM_SAMPLES)
        low, high = numpy.percentile(bootstrap.side(range(len(runs)), rng), [2.5, 97.5])
    return {
        "items": found.correct.shape[1],
        "seeds": len(runs),
        "value": share,
        "low": float(low),
        "high": float(high),
    }
