"""Cutting what was drawn into train, dev and test."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from linspector_allennlp.tasks.sampling import rounded

SHARES = (0.7, 0.2, 0.1)


def split_sizes(size: int) -> tuple[int, int, int]:
    """7,000 / 2,000 / 1,000 for 10,000, and in the same proportion for another size."""
    train, dev = rounded(SHARES[0], size), rounded(SHARES[1], size)
    return train, dev, size - train - dev


def split_of_groups(sizes: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """
    For each group (a lemma, a sentence) the split that all of it goes to: 0 train, 1 dev, 2 test.
    Groups are taken in the order of their keys, so that each split has about its share of items.

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


def cut(rows: Any, sizes: Sequence[int]) -> list:
    """`rows`, a list or an array, in pieces of these sizes."""
    ends = np.cumsum(sizes)
    return [rows[end - size : end] for size, end in zip(sizes, ends)]
