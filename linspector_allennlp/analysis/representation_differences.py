"""Which representations differ in a task, and which ones only by chance."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Optional

import numpy
import pandas

from linspector_allennlp.analysis.aligned_answers import AlignedAnswers, Answers
from linspector_allennlp.analysis.confidence_curve import ConfidenceCurve
from linspector_allennlp.analysis.item_bootstrap import ItemBootstrap
from linspector_allennlp.analysis.multiple_tests import holm
from linspector_allennlp.analysis.pair_comparison import METHODS, enough_samples
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.significance import randomisation_curve
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    SYSTEM,
    chosen_scores,
    name_systems,
    need_columns,
    present,
)
from linspector_allennlp.analysis.wording import in_words

RESULT = (
    "a", "b", "score_a", "score_b", "difference", "low", "high", "p_value",
    "holm_p_value", "holm_low", "holm_high", "better", "seeds_a", "seeds_b", "items", "left_out",
)  # fmt: skip


def representation_differences(
    table: pandas.DataFrame,
    predictions: pandas.DataFrame,
    over: Sequence[str] = SYSTEM,
    method: str = METHODS[0],
    num_samples: Optional[int] = None,
    seed: int = 13,
) -> pandas.DataFrame:
    """
    All pairs of representations in each task, by their accuracy.

    # Parameters

    table, predictions : `pandas.DataFrame`
        Those of a study.
    over : `Sequence[str]`, optional
        What is compared, within all that is the same otherwise.
    method : `str`, optional (default = `"randomisation"`)
        `randomisation` (`randomisation_curve`), as `probe-compare` does, or `bootstrap`, the hierarchical one
        (`ItemBootstrap`), which says that few seeds are surer than they are.
    num_samples : `int`, optional
        By default enough for the number of pairs of a task.

    # Returns

    `pandas.DataFrame`
        A row for each pair: what they have in common, and `RESULT`. `difference` is B minus A. P-values and
        intervals with `holm_` are corrected for the pairs of the same task (Holm 1979), not for the number of
        tasks. `better` is the name of the better one; nothing where the difference is within chance.
        `left_out` is the number of items that not all runs of the task have.
    """
    need_columns(table, "run", "task", "value")
    runs = chosen_scores(table).drop_duplicates("run")
    runs = runs.assign(system=name_systems(runs, over))
    answers = Answers(predictions)
    runs = runs[[run in answers for run in runs["run"]]]
    keys = [name for name in present(runs, KEYS) if name not in (*over, "grid")]
    rows: list[dict[str, Any]] = []
    for place, of_task in runs.groupby(keys, dropna=False, sort=False):
        _check_seeds(of_task, in_words(place))
        sides = {name: list(side) for name, side in of_task.groupby("system", sort=False)["run"]}
        if len(sides) > 1:
            cells = dict(zip(keys, place))
            rows += [
                {**cells, **row} for row in _compared(sides, answers, method, num_samples, seed)
            ]
    return pandas.DataFrame(rows, columns=[*keys, *RESULT])


def _check_seeds(runs: pandas.DataFrame, place: str) -> None:
    if not present(runs, ["seed"]):
        return
    twice = runs[runs.duplicated(["system", "seed"])]
    if len(twice):
        first = twice.iloc[0]
        raise ValueError(f"{place}: {first['system']} has two runs with the seed {first['seed']}.")


def _compared(
    sides: dict[str, list[str]],
    answers: Answers,
    method: str,
    num_samples: Optional[int],
    seed: int,
) -> list[dict[str, Any]]:
    """The pairs of one task."""
    found = answers.of([run for runs in sides.values() for run in runs])
    pairs = list(combinations(sides, 2))
    ends = numpy.cumsum([0, *map(len, sides.values())])
    rows = {name: range(*ends[place : place + 2]) for place, name in enumerate(sides)}
    samples = num_samples or enough_samples(len(pairs))
    curves = _curves(found, rows, pairs, method, samples, seed)
    decision = holm([curve.p_value for curve in curves])
    means = {name: float(found.correct[list(of)].mean()) for name, of in rows.items()}
    compared = []
    for (a, b), curve, p_value in zip(pairs, curves, decision.p_values):
        holm_low, holm_high = curve.interval(decision.one_in)
        better = None if holm_low <= 0 <= holm_high else b if curve.difference > 0 else a
        numbers = [means[a], means[b], curve.difference, *curve.interval(), float(curve.p_value)]
        corrected = [float(p_value), holm_low, holm_high, better]
        sizes = [len(rows[a]), len(rows[b]), found.correct.shape[1], found.left_out]
        compared.append(dict(zip(RESULT, [a, b, *numbers, *corrected, *sizes])))
    return compared


def _curves(
    found: AlignedAnswers,
    rows: dict[str, range],
    pairs: Sequence[tuple[str, str]],
    method: str,
    num_samples: int,
    seed: int,
) -> list[ConfidenceCurve]:
    """Each pair has the same random numbers, so that it does not depend on those before it."""
    if method not in METHODS:
        raise ValueError(f"Expected one of {', '.join(METHODS)}, found {method}.")
    if method == "bootstrap":
        rng = numpy.random.default_rng(seed)
        bootstrap = ItemBootstrap.draw(found.correct, found.clusters, rng, num_samples)
        means = {name: bootstrap.side(list(of), rng) for name, of in rows.items()}
        accuracy = {name: found.correct[list(of)].mean() for name, of in rows.items()}
        return [
            ConfidenceCurve.of_resamples(float(accuracy[b] - accuracy[a]), means[b] - means[a])
            for a, b in pairs
        ]
    correct = {name: found.correct[list(of)] for name, of in rows.items()}
    return [
        randomisation_curve(
            PairedClusters.of_items(correct[a], correct[b], found.clusters),
            numpy.random.default_rng(seed),
            num_samples,
        )
        for a, b in pairs
    ]
