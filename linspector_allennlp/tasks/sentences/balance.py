"""The balance of labels in a split, in an order of which every beginning has that balance."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby
from typing import Optional, TypeVar

from allennlp.common.checks import ConfigurationError

NATURAL, EVEN = "natural", "even"

T = TypeVar("T")


def greatest_ratio(balance: str) -> Optional[int]:
    """How many times as frequent as the rarest label the most frequent one may be; any, if `natural`."""
    if balance == NATURAL:
        return None
    match = re.fullmatch(r"1:([1-9]\d*)", "1:1" if balance == EVEN else balance)
    if not match:
        raise ConfigurationError(
            f"balance is {balance!r}, but must be natural, even, or a ratio as 1:5 or 1:10."
        )
    return int(match[1])


def balanced_batches(things: Sequence[tuple[str, T]], ratio: int) -> list[list[T]]:
    """
    Things with labels in batches, each to be taken whole: after every batch the most frequent label has
    at most `ratio` times the things of the rarest. Of a label no more are used than that allows, of
    labels below it all, so that their proportions stay as natural as they can.

    The `n` things of a label that are used are spread evenly over the way from 0 to 1, the first one at
    0, the next at 1/n, and so on; a batch is what lies at one place. Up to any place t there are then
    ceil(t n) of each label, and for n <= ratio m also ceil(t n) <= ratio ceil(t m).

    # Parameters

    things : `Sequence[tuple[str, T]]`
        Each with its label, in the order in which they are to be taken; every label that is to be
        balanced has one at least.
    """
    by_label: dict[str, list[T]] = defaultdict(list)
    for label, thing in things:
        by_label[label].append(thing)
    most = ratio * min(map(len, by_label.values()))
    spread = []
    for label in sorted(by_label):
        used = by_label[label][:most]
        # Equal fractions are equal as floating-point numbers too: a division is rounded correctly.
        spread += [(place / len(used), thing) for place, thing in enumerate(used)]
    spread.sort(key=lambda each: each[0])
    return [[thing for _, thing in batch] for _, batch in groupby(spread, lambda each: each[0])]
