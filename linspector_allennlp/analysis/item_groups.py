"""Scores of groups of items: words that are known or not, seen in training or not, frequent or rare."""

from collections.abc import Iterator, Mapping, Sequence
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
from linspector_allennlp.analysis.word_groups import form_groups

SEED = 13
NUM_SAMPLES = 2_000

RESULT = ("group", "items", "seeds", "value", "low", "high")


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
        That of `group_scores`.
    """
    need_columns(predictions, "run", "form", "correct")
    names = [*dict.fromkeys([*groups.values(), others])]
    return group_scores(table, predictions, form_groups(predictions, groups, others), names)


def group_scores(
    table: pandas.DataFrame,
    predictions: pandas.DataFrame,
    groups: pandas.Series,
    order: Sequence[str] = (),
) -> pandas.DataFrame:
    """
    The same for any groups.

    # Parameters

    groups : `pandas.Series`
        The group of each prediction (`word_groups`); one without has no part in it.
    order : `Sequence[str]`, optional
        Groups that come first, in this order.

    # Returns

    `pandas.DataFrame`
        The columns of `KEYS` that the table has, `group`, `items`, `seeds`, `value`, and the 95 % interval
        over items and seeds, `low` and `high`, by the hierarchical bootstrap.
    """
    need_columns(table, "run", "task", "value")
    need_columns(predictions, "run", "correct")
    runs = chosen_scores(table).drop_duplicates("run")
    keys = [name for name in present(runs, KEYS) if name != "grid"]
    settings = [
        (dict(zip(keys, place)), list(of_setting["run"]))
        for place, of_setting in runs.groupby(keys, dropna=False, sort=False)
    ]
    there = (groups.notna() & predictions["run"].isin(runs["run"])).to_numpy()
    groups = groups[there]
    answers = Answers(predictions[there])
    rows: list[tuple[int, int, dict[str, Any]]] = []
    for number, group in enumerate(dict.fromkeys([*order, *groups.unique()])):
        of_group = answers.where((groups == group).to_numpy(dtype=bool))
        for setting, found in _scores(of_group, [names for _, names in settings]):
            rows.append((setting, number, {**settings[setting][0], "group": group, **found}))
    ordered = [row for _, _, row in sorted(rows, key=lambda row: row[:2])]
    return pandas.DataFrame(ordered, columns=[*keys, *RESULT])


def _scores(
    answers: Answers, settings: Sequence[Sequence[str]]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Of each setting that has such items; those of the same items share their samples."""
    alike: dict[frozenset[int], list[tuple[int, list[str]]]] = {}
    for number, runs in enumerate(settings):
        if there := [run for run in runs if run in answers]:
            alike.setdefault(answers.items_of(there), []).append((number, there))
    for sides in alike.values():
        found = answers.of([run for _, runs in sides for run in runs])
        rng = numpy.random.default_rng(SEED)
        bootstrap = ItemBootstrap.draw(found.correct, found.clusters, rng, NUM_SAMPLES)
        num_clusters, first = len(numpy.unique(found.clusters)), 0
        for number, runs in sides:
            own = range(first, first + len(runs))
            first += len(runs)
            share = float(found.correct[own].mean())
            if share in (0, 1):
                # Resampling would be certain; this is the exact interval of Clopper & Pearson (1934).
                reach = 1 - 0.025 ** (1 / num_clusters)
                low, high = (1 - reach, 1.0) if share else (0.0, reach)
            else:
                low, high = numpy.percentile(bootstrap.side(own, rng), [2.5, 97.5])
            cells = {"items": found.correct.shape[1], "seeds": len(runs), "value": share}
            yield number, {**cells, "low": float(low), "high": float(high)}
