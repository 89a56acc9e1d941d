"""Which of two representations is ahead in more tasks, by their scores alone (Köhn 2016)."""

from collections.abc import Sequence
from itertools import combinations

import pandas

from linspector_allennlp.analysis.multiple_tests import holm
from linspector_allennlp.analysis.sign_test import sign_test
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    SYSTEM,
    name_systems,
    need_columns,
    present,
)


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


def sign_tests(differences: pandas.DataFrame) -> pandas.DataFrame:
    """
    For each pair of representations, in how many tasks either is ahead, and how probable that would be if coins
    decided. Tasks must be independent: those of the same words hardly are.

    # Parameters

    differences : `pandas.DataFrame`
        That of `score_differences` or `representation_differences`.

    # Returns

    `pandas.DataFrame`
        `a`, `b`, `ahead_a`, `ahead_b`, `ties`, `p_value`, and `holm_p_value`, corrected for the number of pairs.
    """
    need_columns(differences, "a", "b", "difference")
    pairs = list(differences.groupby(["a", "b"], sort=False)["difference"])
    tests = [sign_test(values) for _, values in pairs]
    corrected = holm([test.p_value for test in tests]).p_values
    rows = [
        {"a": a, "b": b, **test._asdict(), "p_value": float(test.p_value), "holm_p_value": float(p)}
        for ((a, b), _), test, p in zip(pairs, tests, corrected)
    ]
    columns = ["a", "b", "ahead_a", "ahead_b", "ties", "p_value", "holm_p_value"]
    return pandas.DataFrame(rows, columns=columns)
