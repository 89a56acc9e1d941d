"""The scores of a downstream task, with intervals over sentences, from the output of a model or from guesses."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from allennlp.data import Instance

from linspector_allennlp.downstream.task import DownstreamTask, Output, Record
from linspector_allennlp.metrics import SentenceScores


def task_scores(task: DownstreamTask, of_instances: Iterable[Sequence[Record]]) -> dict[str, float]:
    """
    The scores by their names, with `_low` and `_high` the ends of their 95 % intervals, from the records of
    each instance.
    """
    scores = _observed(task, of_instances)
    values: dict[str, float] = dict(scores.get_metric())
    for name, (low, high) in scores.intervals().items():
        values.update({f"{name}_low": low, f"{name}_high": high})
    return values


def baseline_scores(
    task: DownstreamTask, train: Sequence[Instance], test: Sequence[Instance]
) -> dict[str, float]:
    """The scores of the guesses on test data, by their keys in `metrics.json`."""
    found = {}
    for name, guess in task.guesses(train).items():
        scores = _observed(task, (task.records(each, guess(each)) for each in test)).get_metric()
        found.update({baseline_key(task, name, score): value for score, value in scores.items()})
    return found


def baseline_key(task: DownstreamTask, name: str, score: str) -> str:
    """That of the main metric has only the name of the baseline, as those of probes."""
    return f"baseline_{name}" if score == task.main_metric else f"baseline_{name}_{score}"


def scored_records(task: DownstreamTask, instance: Instance, output: Output) -> list[Record]:
    """Those that count."""
    return [each for each in task.records(instance, output) if each.get("scored", True)]


def _observed(task: DownstreamTask, of_instances: Iterable[Sequence[Record]]) -> SentenceScores:
    """Instances of one sentence, such as its predicates, are scored together: they are not independent."""
    sums: dict[Any, dict[str, Any]] = {}
    for number, records in enumerate(of_instances):
        first = records[0] if records else {}
        cluster = first.get("file"), first.get(task.cluster_key, f"instance {number}")
        of_cluster = sums.setdefault(cluster, {})
        for name, share in task.shares(records).items():
            of_cluster[name] = of_cluster.get(name, 0) + np.array(share, dtype=float)
    scores = SentenceScores()
    if sums:
        # Shape: (2, num_clusters), what was achieved and of how much
        pairs = {
            name: np.stack([each[name] for each in sums.values()], axis=1)
            for name in next(iter(sums.values()))
        }
        scores(np.ones(len(sums)), {name: (pair[0], pair[1]) for name, pair in pairs.items()})
    return scores
