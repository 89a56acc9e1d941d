"""
Drawing the items of a task: each label often enough, and no group (a sentence) in two splits.
"""

from collections.abc import Callable

import numpy as np

from linspector_allennlp.tasks.sampling import drawn
from linspector_allennlp.tasks.splits import exact_splits, is_enough, split_sizes
from linspector_allennlp.tasks.task_data import TooLittleData

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
    split = exact_splits(sizes, group_keys[present], wanted)
    if not is_enough(sizes, split, wanted):
        raise TooLittleData(
            f"{len(items):,} tokens in {len(present):,} sentences, which cannot be divided into "
            + " / ".join(f"{number:,}" for number in wanted)
        )
    return [drawn(items[split[group_of] == i], keys, number) for i, number in enumerate(wanted)]
