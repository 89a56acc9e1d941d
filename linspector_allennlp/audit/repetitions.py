"""Leaks, duplicates and conflicts: the repetitions in a task's data that should not be there."""

from collections.abc import Hashable
from typing import NamedTuple

from linspector_allennlp.audit.task_folders import TaskRow


class Repetitions(NamedTuple):
    """
    # Parameters

    leaked : `list[Hashable]`
        For each test item whose form (pair, sentence) is in train or dev too, that unit.
    leaked_to_dev : `list[Hashable]`
        For each dev item whose form (pair, sentence) is in train too, that unit.
    repeated : `list[Hashable]`
        For each item that repeats an earlier one, input and label, of any split, its input.
    conflicting : `dict[Hashable, list[str]]`
        The inputs that have more than one label over all splits, with their labels.
    """

    leaked: list[Hashable]
    leaked_to_dev: list[Hashable]
    repeated: list[Hashable]
    conflicting: dict[Hashable, list[str]]


def find_repetitions(splits: dict[str, list[TaskRow]]) -> Repetitions:
    """Goes through all splits once, in their order."""
    # A dictionary of labels to nothing is a set that keeps its order.
    labels_of: dict[Hashable, dict[str, None]] = {}
    repeated = []
    for rows in splits.values():
        for row in rows:
            labels = labels_of.setdefault(row.input, {})
            if row.item.label in labels:
                repeated.append(row.input)
            labels[row.item.label] = None
    trained_on = {row.unit for row in splits.get("train", ())}
    seen = trained_on | {row.unit for row in splits.get("dev", ())}
    return Repetitions(
        leaked=[row.unit for row in splits.get("test", ()) if row.unit in seen],
        leaked_to_dev=[row.unit for row in splits.get("dev", ()) if row.unit in trained_on],
        repeated=repeated,
        conflicting={input: list(labels) for input, labels in labels_of.items() if len(labels) > 1},
    )
