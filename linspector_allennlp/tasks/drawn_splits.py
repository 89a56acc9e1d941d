"""
Drawing the items of a task from sentences that must not be divided, and leaving out the values
that turn out to be rare.
"""

from collections.abc import Callable, Sequence

import numpy as np

from linspector_allennlp.tasks.probing_task import TooLittleData
from linspector_allennlp.tasks.sampling import drawn
from linspector_allennlp.tasks.splits import split_of_groups, split_sizes

# So many sentences make any sum there is, unless all their lengths have a common divisor.
MOST_FITTED = 128

Draw = Callable[[np.ndarray], list[np.ndarray]]


def draw_frequent_labels(labels: np.ndarray, min_count: int, draw: Draw) -> list[np.ndarray]:
    """
    Draws items such that each label that is drawn is drawn at least `min_count` times. What is
    drawn changes when a label is left out, so the rarest one goes, and all is drawn again.

    # Parameters

    labels : `np.ndarray`
        The label of each item, as a number from 0.
    min_count : `int`
        How often a label must be among what is drawn.
    draw : `Draw`
        Takes the items that may be drawn (indices) and gives those of each split.

    # Returns

    `list[np.ndarray]`
        The items of train, dev and test.
    """
    kept = np.bincount(labels) >= min_count
    while True:
        items = np.flatnonzero(kept[labels])
        if kept.sum() < 2:
            raise TooLittleData(
                f"{kept.sum()} of {len(kept)} values seen {min_count:,} times or more, 2 needed"
            )
        splits = draw(items)
        counts = np.bincount(labels[np.concatenate(splits)], minlength=len(kept))
        counts[~kept] = np.iinfo(counts.dtype).max
        rarest = int(counts.argmin())
        if counts[rarest] >= min_count:
            return splits
        kept[rarest] = False


def draw_by_group(
    items: np.ndarray, keys: np.ndarray, groups: np.ndarray, group_keys: np.ndarray, size: int
) -> list[np.ndarray]:
    """
    Draws `size` of the items into three splits, no group being in two of them.

    # Parameters

    items : `np.ndarray`
        What may be drawn, as indices into `keys` and `groups`.
    keys : `np.ndarray`
        A draw key for each item.
    groups : `np.ndarray`
        The number of the group (a sentence) of each item.
    group_keys : `np.ndarray`
        A draw key for each group.
    size : `int`
        How many items to draw; train, dev and test have exactly `split_sizes(size)`.
    """
    if len(items) < size:
        raise TooLittleData(f"{len(items):,} tokens, {size:,} needed")
    wanted = split_sizes(size)
    # Groups without a candidate have no part in it: a label that is left out leaves no trace.
    present, group_of = np.unique(groups[items], return_inverse=True)
    sizes = np.bincount(group_of, minlength=len(present))
    split = split_of_groups(sizes, group_keys[present])
    if not _enough(sizes, split, wanted):
        split = fitted_splits(sizes, group_keys[present], wanted)
    if not _enough(sizes, split, wanted):
        raise TooLittleData(
            f"{len(items):,} tokens in {len(present):,} sentences, which cannot be divided into "
            + " / ".join(f"{number:,}" for number in wanted)
        )
    return [drawn(items[split[group_of] == i], keys, number) for i, number in enumerate(wanted)]


def fitted_splits(sizes: np.ndarray, keys: np.ndarray, wanted: Sequence[int]) -> np.ndarray:
    """
    For each group its split (0, 1, 2), such that each split has the items that it wants, where
    there is hardly an item more than wanted. Most groups go by chance; the last ones, as few as
    will do, are chosen by their size.
    """
    order = np.argsort(keys, kind="stable")
    most = min(MOST_FITTED, len(order))
    last = min(16, most)
    while True:
        split, missing = _filled_by_chance(sizes, order[: len(order) - last], wanted)
        rest = order[split[order] < 0]
        # Test can have more than it wants, so what is too much to choose from goes there.
        rest, surplus = rest[-most:], rest[:-most]
        split[surplus] = 2
        missing[2] -= int(sizes[surplus].sum())
        split[rest] = _fitted(sizes[rest].tolist(), missing)
        if last == most or _enough(sizes, split, wanted):
            return split
        last = min(4 * last, most)


def _filled_by_chance(
    sizes: np.ndarray, order: np.ndarray, wanted: Sequence[int]
) -> tuple[np.ndarray, list[int]]:
    """Fills one split after the other until a group is too much for it; -1 is what is left."""
    split = np.full(len(sizes), -1, dtype=np.int8)
    missing = list(wanted)
    current = 0
    for group in order.tolist():
        while current < 2 and sizes[group] > missing[current]:
            current += 1
        if sizes[group] <= missing[current]:
            split[group] = current
            missing[current] -= int(sizes[group])
    return split, missing


def _fitted(sizes: list[int], missing: list[int]) -> list[int]:
    """
    Chooses groups for train and dev whose sums are just enough, the others being for test. Bit
    `a * width + b` of a number says that sums a and b can be reached with the groups so far.
    """
    spare = max(0, min(sum(sizes) - sum(missing), max(sizes, default=1) - 1))
    train, dev = missing[0] + spare, missing[1] + spare
    width = dev + 1
    everything = (1 << (train + 1) * width) - 1
    row = (1 << width) - 1
    rows = everything // row
    reached = [1]
    for size in sizes:
        now = reached[-1]
        more_dev = (now & (row >> min(size, width)) * rows) << size
        reached.append((now | now << size * width | more_dev) & everything)
    states = [
        (a, b)
        for a in range(missing[0], train + 1)
        for b in range(missing[1], dev + 1)
        if reached[-1] >> a * width + b & 1
    ]
    a, b = min(states, key=lambda state: (sum(state), state), default=(0, 0))
    split = []
    for size, before in zip(reversed(sizes), reversed(reached[:-1])):
        if before >> a * width + b & 1:
            split.append(2)
        elif a >= size and before >> (a - size) * width + b & 1:
            split.append(0)
            a -= size
        else:
            split.append(1)
            b -= size
    return split[::-1]


def _enough(sizes: np.ndarray, split: np.ndarray, wanted: Sequence[int]) -> bool:
    return bool((np.bincount(split, sizes, minlength=len(wanted)) >= wanted).all())
