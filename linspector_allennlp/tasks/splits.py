"""
The splits of a task: their sizes, and the split that each group of items (a lemma, a sentence) goes
to as a whole.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sampling import rounded

SHARES = (0.7, 0.2, 0.1)
# Of fewer items a split would have none.
SMALLEST = 10

# So many groups make any sum there is, unless all their sizes have a common divisor.
MOST_FITTED = 128


def split_sizes(size: int) -> tuple[int, int, int]:
    """7,000 / 2,000 / 1,000 for 10,000, and in the same proportion for another size."""
    train, dev = rounded(SHARES[0], size), rounded(SHARES[1], size)
    return train, dev, size - train - dev


def check_size(size: int) -> None:
    """Raises `ConfigurationError` if a split of a task of this size would have no items."""
    if size < SMALLEST:
        raise ConfigurationError(f"size: expected {SMALLEST} or more, found {size}.")


def cut(rows: Any, sizes: Sequence[int]) -> list:
    """`rows`, a list or an array, in pieces of these sizes."""
    ends = np.cumsum(sizes)
    return [rows[end - size : end] for size, end in zip(sizes, ends)]


def split_of_groups(sizes: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """
    For each group the split that all of it goes to: 0 train, 1 dev, 2 test. Groups are taken in the
    order of their keys, so that each split has about its share of items.

    # Parameters

    sizes : `np.ndarray`
        How many items each group has.
    keys : `np.ndarray`
        One draw key a group.
    """
    order = np.argsort(keys, kind="stable")
    before = np.cumsum(sizes[order]) - sizes[order]
    bounds = np.cumsum(split_sizes(int(sizes.sum())))[:2]
    # Shape: (groups,)
    split = np.empty(len(sizes), dtype=np.int8)
    split[order] = np.searchsorted(bounds, before, side="right")
    return split


def exact_splits(sizes: np.ndarray, keys: np.ndarray, wanted: Sequence[int]) -> np.ndarray:
    """
    `split_of_groups`, but such that each split has at least the items that it wants, if there is a
    way: where there is hardly an item more than wanted, about the right share is not enough.
    """
    split = split_of_groups(sizes, keys)
    return split if is_enough(sizes, split, wanted) else fitted_splits(sizes, keys, wanted)


def is_enough(sizes: np.ndarray, split: np.ndarray, wanted: Sequence[int]) -> bool:
    """Whether each split has the items that it wants."""
    return bool((np.bincount(split, sizes, minlength=len(wanted)) >= wanted).all())


def fitted_splits(sizes: np.ndarray, keys: np.ndarray, wanted: Sequence[int]) -> np.ndarray:
    """
    Splits that have what they want, for the case that there is hardly an item more. Most groups go by
    chance; the last ones, as few as will do, are chosen by their size.
    """
    order = np.argsort(keys, kind="stable")
    most = min(MOST_FITTED, len(order))
    last = min(16, most)
    while True:
        split, missing = _filled_by_chance(sizes, order[: len(order) - last], wanted)
        # What is left: the last groups, and those that were too large for their turn.
        rest = order[split[order] < 0]
        # Test can have more than it wants, so what is too much to choose from goes there.
        rest, surplus = rest[-most:], rest[:-most]
        split[surplus] = 2
        missing[2] -= int(sizes[surplus].sum())
        split[rest] = _fitted(sizes[rest].tolist(), missing)
        if last == most or is_enough(sizes, split, wanted):
            return split
        # More groups to choose from make more sums; they also take longer.
        last = min(4 * last, most)


def _filled_by_chance(
    sizes: np.ndarray, order: np.ndarray, wanted: Sequence[int]
) -> tuple[np.ndarray, list[int]]:
    """
    Fills train, then dev, then test with groups in their order. A split is left for the next one at
    the first group that it has no room for.

    # Returns

    `tuple[np.ndarray, list[int]]`
        The split of each group, -1 where it has none yet; and how many items each split still wants.
    """
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
    Chooses groups for train and dev whose sums are just enough; the others are for test. This is the
    problem of subset sums for two sums at once, a for train and b for dev. All pairs of sums that can
    be reached are kept in one large integer, a table of bits with a row for each a and a column for
    each b: bit `a * width + b`. To add a group is then to shift all of the table at once.
    """
    # A sum that is too large by a whole group can do without one; and there is only so much to spare.
    spare = max(0, min(sum(sizes) - sum(missing), max(sizes, default=1) - 1))
    train, dev = missing[0] + spare, missing[1] + spare
    width = dev + 1
    everything = (1 << (train + 1) * width) - 1  # All bits of the table.
    row = (1 << width) - 1  # All bits of its first row.
    rows = everything // row  # The first bit of each row; times a pattern, the pattern in each row.
    reached = [1]  # Without any group, a = b = 0.
    for size in sizes:
        now = reached[-1]
        # To train: `size` rows further. What leaves the table at its end is cut off by `everything`.
        more_train = now << size * width
        # To dev: `size` columns further. What would go beyond its row is left out before.
        more_dev = (now & (row >> min(size, width)) * rows) << size
        # To test: where it was.
        reached.append((now | more_train | more_dev) & everything)
    enough = [
        (a, b)
        for a in range(missing[0], train + 1)
        for b in range(missing[1], dev + 1)
        if reached[-1] >> a * width + b & 1
    ]
    # The smallest sums leave the most for test. If none is enough, all is for test.
    a, b = min(enough, key=lambda sums: (sum(sums), sums), default=(0, 0))
    split = []
    # Backwards: by which step was this pair of sums reached?
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
