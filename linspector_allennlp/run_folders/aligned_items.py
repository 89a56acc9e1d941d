"""The items that several runs have in common, side by side."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from linspector_allennlp.run_folders.scored_items import ItemKey, ScoredItems


class AlignedItems(NamedTuple):
    """
    # Parameters

    correct : `numpy.ndarray`
        Shape: (num_runs, num_items)
    clusters : `list[str]`
        Of which cluster each item is.
    left_out : `list[int]`
        For each run, how many items others do not have.
    """

    correct: np.ndarray
    clusters: list[str]
    left_out: list[int]


def align_items(runs: Sequence[ScoredItems]) -> AlignedItems:
    """The items that all runs have, in one order, which is not that of their files."""
    first = runs[0]
    if all(run.keys == first.keys and run.clusters == first.clusters for run in runs):
        order = sorted(range(len(first.keys)), key=first.keys.__getitem__)
        correct = np.stack([run.correct for run in runs])[:, order]
        return AlignedItems(correct, [first.clusters[place] for place in order], [0] * len(runs))
    places = [{key: place for place, key in enumerate(run.keys)} for run in runs]
    shared = sorted(set.intersection(*(set(of_run) for of_run in places)))
    clusters = [first.clusters[places[0][key]] for key in shared]
    rows = []
    for run, of_run in zip(runs, places):
        order = [of_run[key] for key in shared]
        _check_clusters(shared, clusters, [run.clusters[place] for place in order])
        rows.append(run.correct[order])
    left_out = [len(run.keys) - len(shared) for run in runs]
    return AlignedItems(np.stack(rows), clusters, left_out)


def _check_clusters(keys: list[ItemKey], clusters: list[str], others: list[str]) -> None:
    for key, here, there in zip(keys, clusters, others):
        if here != there:
            raise ValueError(
                f"The runs do not agree of which sentence an item is ({key}): {here} in one, "
                f"{there} in another."
            )
