"""Which of two representations is ahead in more tasks, by their scores alone (Köhn 2016)."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pandas

from linspector_allennlp.analysis.multiple_tests import holm
from linspector_allennlp.analysis.score_tables import goodness
from linspector_allennlp.analysis.sign_test import sign_test
from linspector_allennlp.analysis.task_points import PLACE, one_per_task
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    SYSTEM,
    name_systems,
    need_columns,
    present,
)

ALL = "all languages"


def score_differences(means: pandas.DataFrame, over: Sequence[str] = SYSTEM) -> pandas.DataFrame:
    """
    All pairs of representations in each task, as a paper's table has them.

    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`).
    over : `Sequence[str]`, optional
        What is compared, within all that is the same otherwise.

    # Returns

    `pandas.DataFrame`
        What they have in common, `a`, `b`, `score_a`, `score_b` and `difference`, B minus A. A score that is not
        there has no pair.
    """
    need_columns(means, "value")
    scores = means.assign(system=name_systems(means, over))
    order = {name: place for place, name in enumerate(dict.fromkeys(scores["system"]))}
    scores = scores[scores["value"].notna()]
    keys = [name for name in present(scores, (*KEYS, "metric")) if name not in (*over, "grid")]
    rows = []
    for place, of_task in scores.groupby(keys, dropna=False, sort=False):
        cells = dict(zip(keys, place))
        ordered = sorted(zip(of_task["system"], of_task["value"]), key=lambda each: order[each[0]])
        rows += [
            {**cells, "a": a, "b": b, "score_a": x, "score_b": y, "difference": round(y - x, 12)}
            for (a, x), (b, y) in combinations(ordered, 2)
        ]
    return pandas.DataFrame(rows, columns=[*keys, "a", "b", "score_a", "score_b", "difference"])


def sign_tests(differences: pandas.DataFrame, within: Sequence[str] = ()) -> pandas.DataFrame:
    """
    For each pair of representations, in how many tasks either is ahead, and how probable that would be if coins
    decided. Tasks must be independent: those of the same words hardly are.

    # Parameters

    differences : `pandas.DataFrame`
        That of `score_differences` or `representation_differences`, of each task once (`task_differences`).
    within : `Sequence[str]`, optional
        Columns whose values have tests of their own, as `level` and `language`.

    # Returns

    `pandas.DataFrame`
        `within`, `a`, `b`, `ahead_a`, `ahead_b`, `ties`, `p_value`, and `holm_p_value`, corrected for the
        number of pairs (of the same values of `within`).
    """
    need_columns(differences, "a", "b", "difference", *within)
    keys = list(within)
    groups = differences.groupby(keys, dropna=False, sort=False) if keys else [((), differences)]
    rows: list[dict[str, Any]] = []
    for cells, part in groups:
        pairs = list(part.groupby(["a", "b"], sort=False)["difference"])
        tests = [sign_test(values) for _, values in pairs]
        corrected = holm([test.p_value for test in tests]).p_values
        place = dict(zip(keys, cells))
        rows += [
            {
                **place, "a": a, "b": b, **test._asdict(),
                "p_value": float(test.p_value), "holm_p_value": float(p),
            }
            for ((a, b), _), test, p in zip(pairs, tests, corrected)
        ]  # fmt: skip
    columns = [*keys, "a", "b", "ahead_a", "ahead_b", "ties", "p_value", "holm_p_value"]
    return pandas.DataFrame(rows, columns=columns)


def task_differences(differences: pandas.DataFrame) -> pandas.DataFrame:
    """One row for each pair and task (`one_per_task`); above 0 B is better, of losses too."""
    need_columns(differences, "a", "b", "difference")
    signed = differences.assign(difference=differences["difference"] * goodness(differences))
    rows = one_per_task(signed.to_dict("records"))
    return pandas.DataFrame(rows, columns=[*PLACE, "a", "b", "difference", "repeats"])


def sign_tests_by_place(differences: pandas.DataFrame) -> pandas.DataFrame:
    """
    The sign tests of each level and language, and, where a level has several languages, one of all its tasks in
    all of them. Levels are never pooled: a downstream task is no probing task.

    # Parameters

    differences : `pandas.DataFrame`
        That of `score_differences`, with whatever was varied: a task counts once.
    """
    points = task_differences(differences)
    parts = [sign_tests(points, ["level", "language"])]
    languages = points.groupby("level", dropna=False)["language"].transform("nunique")
    pooled = points[languages > 1]
    if len(pooled):
        parts.append(sign_tests(pooled.assign(language=ALL), ["level", "language"]))
    return pandas.concat(parts, ignore_index=True)
