"""Flaws: what in a task's data is probably not meant, as sentences for its user."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

from linspector_allennlp.audit.task_kinds import (
    PAIRED_FORMS,
    PAIRED_TOKENS,
    SENTENCE_KINDS,
    TOKEN_IN_CONTEXT,
)
from linspector_allennlp.audit.task_rows import TaskRow, TaskRows
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.metrics.item_flaws import (
    alike_label_flaws,
    header_flaws,
    leak_flaws,
    shown,
    unseen_label_flaws,
)
from linspector_allennlp.sentence_files import part_of

SOLVED = 0.95
"""A baseline from here on leaves a representation nothing to show."""

UNEVEN = 0.1
"""A total variation distance between the labels of train and test that matters …"""

ENOUGH = 100
"""… where both have so many items."""


class Repetitions(NamedTuple):
    """
    # Parameters

    leaked : `list[Hashable]`
        For each test item whose form (pair, sentence) is in train or dev too, that unit.
    num_in_train : `int`
        How many of those are in train: the `overlap_test` of a run, where the unit is a form or a pair.
    leaked_to_dev : `list[Hashable]`
        For each dev item whose form (pair, sentence) is in train too, that unit.
    repeated : `list[Hashable]`
        For each item that repeats an earlier one, input and label, of any split, its input.
    conflicting : `dict[Hashable, list[str]]`
        The inputs that have more than one label over all splits, with their labels.
    """

    leaked: list[Hashable]
    num_in_train: int
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
    trained_on = _units(splits.get("train", ()))
    seen = trained_on | _units(splits.get("dev", ()))
    leaked = _shared(splits.get("test", ()), seen)
    return Repetitions(
        leaked=leaked,
        num_in_train=len(_shared(splits.get("test", ()), trained_on)),
        leaked_to_dev=_shared(splits.get("dev", ()), trained_on),
        repeated=repeated,
        conflicting={input: list(labels) for input, labels in labels_of.items() if len(labels) > 1},
    )


def _units(rows: Iterable[TaskRow]) -> set[Hashable]:
    return {unit for row in rows for unit in row.units}


def _shared(rows: Iterable[TaskRow], seen: set[Hashable]) -> list[Hashable]:
    """For each row that has a unit that was seen, the first such."""
    found = ([unit for unit in row.units if unit in seen] for row in rows)
    return [units[0] for units in found if units]


def data_flaws(folder: Path, rows: TaskRows) -> list[str]:
    """Splits that teach or test nothing, first lines that are no items, labels that do not fit."""
    items = {rows.files[name]: _items(split) for name, split in rows.splits.items()}
    if rows.kind in SENTENCE_KINDS:
        # A header is a sentence that is nothing but the name of a column.
        items = {
            path: [Item((" ".join(item.words),), item.label) for item in split]
            for path, split in items.items()
        }
    return [*_thin_splits(rows), *header_flaws(items), *_labels(folder, rows)]


def score_flaws(folder: Path, majority: Optional[float], suffix: Optional[float]) -> list[str]:
    """Tasks that are too easy."""
    if majority is not None and majority >= SOLVED:
        return [f"{folder}: the majority label alone gets {100 * majority:.1f} % of test right."]
    if suffix is not None and suffix >= SOLVED:
        return [
            f"{folder}: the form alone solves it: suffix back-off gets {100 * suffix:.1f} % of "
            "test right."
        ]
    return []


def repetition_flaws(folder: Path, rows: TaskRows, found: Repetitions) -> Iterator[str]:
    """Items that are in the data more than once."""
    whole = dict.fromkeys((TOKEN_IN_CONTEXT, PAIRED_TOKENS, *SENTENCE_KINDS), "sentence")
    what = {**whole, PAIRED_FORMS: "pair"}.get(rows.kind, "form")
    for split, leaked, others in (
        ("test", found.leaked, "train or dev"),
        ("dev", found.leaked_to_dev, "train"),
    ):
        path, total = rows.files[split], str(len(rows.splits.get(split, ())))
        if split == "test":
            total += f" ({found.num_in_train} in train)"
        yield from leak_flaws(path, f"items whose {what} is", leaked, total, others)
    if found.repeated:
        yield (
            f"{folder}: duplicates, items that repeat an earlier one: {len(found.repeated)}, such "
            f"as {shown(found.repeated[0])}."
        )
    if found.conflicting:
        input, labels = next(iter(found.conflicting.items()))
        yield (
            f"{folder}: conflicts, inputs with more than one label: {len(found.conflicting)}, such "
            f"as {shown(input)} ({', '.join(map(repr, labels))})."
        )


def _items(rows: Sequence[TaskRow]) -> list[Item]:
    return [row.item for row in rows]


def _thin_splits(rows: TaskRows) -> Iterator[str]:
    for name, split in rows.splits.items():
        path = rows.files[name]
        file, part = part_of(path)
        labels = {row.item.label for row in split}
        if not split and part is not None:
            yield f"{file}: no line is of the split {part!r}."
        elif not split:
            yield f"{path}: the file is {'empty' if Path(path).is_file() else 'missing'}."
        elif len(labels) == 1:
            yield f"{path}: all {len(split)} items have one label, {labels.pop()!r}."


def _labels(folder: Path, rows: TaskRows) -> Iterator[str]:
    """Labels of dev and test that train does not have, or not in that proportion."""
    counts = {name: Counter(row.item.label for row in split) for name, split in rows.splits.items()}
    yield from alike_label_flaws(folder, (label for split in counts.values() for label in split))
    train = counts.pop("train", None)
    if not train:
        return
    for name in counts:
        yield from unseen_label_flaws(rows.files[name], _items(rows.splits[name]), train)
    test = counts.get("test", Counter())
    sizes = sum(train.values()), sum(test.values())
    distance = _distance(train, test)
    if min(sizes) >= ENOUGH and distance > max(UNEVEN, _distance_by_chance(len(train), sizes)):
        yield (
            f"{folder}: the labels of train and test are unevenly distributed (total variation "
            f"distance {distance:.2f})."
        )


def _distance(first: Counter, second: Counter) -> float:
    """Total variation: the share of one distribution that would have to move to give the other."""
    sizes = sum(first.values()) or 1, sum(second.values()) or 1
    labels = first.keys() | second.keys()
    return sum(abs(first[label] / sizes[0] - second[label] / sizes[1]) for label in labels) / 2


def _distance_by_chance(labels: int, sizes: tuple[int, int]) -> float:
    """
    More than the mean distance of two samples of one distribution: half the sum of the standard
    deviations of the labels' shares, which is largest if all labels are equally frequent.
    """
    return math.sqrt((labels - 1) * sum(1 / size for size in sizes)) / 2
