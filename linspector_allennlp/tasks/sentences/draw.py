"""
Drawing a task from all items that a corpus gives. A hash of its group decides in which split an item
is and when its turn comes. A larger task so has all items of a smaller one, in the same splits;
nothing depends on the order of reading, or on the length of a sentence.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Optional

import numpy as np

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.tasks.sampling import chance, draw_keys, stable_hashes
from linspector_allennlp.tasks.sentences.balance import NATURAL, balanced_batches, greatest_ratio
from linspector_allennlp.tasks.sentences.sentence_items import TEXT, SentenceItem
from linspector_allennlp.tasks.sentences.unique_items import (
    ItemGroup,
    unique_groups,
    with_frequent_labels,
)
from linspector_allennlp.tasks.splits import SHARES, SMALLEST, check_size, split_sizes
from linspector_allennlp.tasks.task_data import TooLittleData

MOST_VARIANTS = 3
"""Of a sentence: WO has three."""


class DrawnItems(NamedTuple):
    """
    # Parameters

    splits : `dict[str, list[SentenceItem]]`
        For "train", "dev" and "test" the items, in an order by chance.
    candidates : `Counter`
        The labels of all items that there were.
    left_out : `Counter`
        How many of them were left out before drawing, by reason.
    rare : `list[str]`
        The labels that were left out.
    is_short : `bool`
        Whether a split has fewer items than wanted, for there are no more.
    """

    splits: dict[str, list[SentenceItem]]
    candidates: Counter
    left_out: Counter
    rare: list[str]
    is_short: bool


def draw_items(
    items: Iterable[SentenceItem],
    size: int,
    seed: int = 0,
    balance: str = NATURAL,
    min_label_count: int = 5,
) -> DrawnItems:
    """
    Draws items into splits, no group being in two of them.

    # Parameters

    items : `Iterable[SentenceItem]`
        All there are. Those from text have their turn after those from the treebank.
    size : `int`
        How many to draw, in the proportions of `split_sizes`; all there are if there are fewer.
        Variants are whole: where the last ones have no room, a split has an item or two less.
    seed : `int`, optional (default = `0`)
    balance : `str`, optional (default = `"natural"`)
        "natural": as the items are. "even": as many of each label, in each split. "1:5": the most
        frequent label of a split has at most five times the items of the rarest; likewise any 1:N.
        Where not all groups are even in themselves (as WO's are), one with several labels then gives
        one item.
    min_label_count : `int`, optional (default = `5`)
        Labels that fewer items have, of all there are, are left out: were it of those that are drawn,
        a smaller task could not be a part of a larger one.
    """
    check_size(size)
    ratio = greatest_ratio(balance)
    items = list(items)
    left_out: Counter = Counter()
    groups, rare = with_frequent_labels(unique_groups(items, left_out), min_label_count)
    labels = {each.label for group in groups for each in group.items}
    left_out["rare_label"] = len(items) - left_out.total() - _number(groups)
    candidates = Counter(each.label for each in items)
    if len(labels) < 2:
        raise TooLittleData(
            f"{len(labels)} of {len(candidates)} labels with {min_label_count:,} items or more, 2 needed"
        )
    splits, is_short = {}, False
    for name, wanted, members in zip(SPLITS, split_sizes(size), _split(groups, seed)):
        batches = _batches(members, labels, ratio, seed, name)
        taken = _beginning(batches, wanted)
        if not taken:
            raise TooLittleData(f"{_number(groups):,} items, of which {name} would have none")
        splits[name] = _mixed([each for group in taken for each in group.items], seed)
        is_short |= len(splits[name]) <= wanted - MOST_VARIANTS * len(labels)
    if sum(map(len, splits.values())) < SMALLEST:
        raise TooLittleData(f"{_number(groups):,} items, {SMALLEST} needed")
    return DrawnItems(splits, candidates, left_out, rare, is_short)


def _split(groups: Sequence[ItemGroup], seed: int) -> list[list[ItemGroup]]:
    """The groups of each split, in the order of their turn."""
    hashes = stable_hashes(group.name for group in groups)
    keys = draw_keys(hashes, seed, "splits of sentences")
    # Shape: (groups,); 0 train, 1 dev, 2 test
    split_of = 2 - chance(keys, SHARES[0] + SHARES[1]) - 1 * chance(keys, SHARES[0])
    turns = draw_keys(hashes, seed, "turns of sentences").tolist()
    order = sorted(range(len(groups)), key=lambda i: (groups[i].source == TEXT, turns[i], i))
    splits: list[list[ItemGroup]] = [[] for _ in SPLITS]
    for i in order:
        splits[split_of[i]].append(groups[i])
    return splits


def _batches(
    groups: list[ItemGroup], labels: set[str], ratio: Optional[int], seed: int, split: str
) -> list[list[ItemGroup]]:
    """The groups that are taken together, in the order of their turn."""
    if ratio is None or all(_is_even(group, labels) for group in groups):
        return [[part] for group in groups for part in _parts(group)]
    single = [
        group._replace(items=(each,))
        for group in groups
        for each in (group.items if _has_one_label(group) else _mixed(group.items, seed)[:1])
    ]
    labelled = [(group.items[0].label, group) for group in single]
    missing = labels - {label for label, _ in labelled}
    if missing:
        raise TooLittleData(
            f"labels cannot be balanced in {split}, which has no item of {', '.join(sorted(missing))}: "
            "a larger --min-label-count leaves rare labels out"
        )
    return balanced_batches(labelled, ratio)


def _parts(group: ItemGroup) -> list[ItemGroup]:
    """The variants of a sentence in one; the many items of a word must only be in one split."""
    if len(group.items) <= MOST_VARIANTS:
        return [group]
    return [group._replace(items=(each,)) for each in group.items]


def _has_one_label(group: ItemGroup) -> bool:
    return len({each.label for each in group.items}) == 1


def _is_even(group: ItemGroup, labels: set[str]) -> bool:
    counts = Counter(each.label for each in group.items)
    return counts.keys() == labels and len(set(counts.values())) == 1


def _beginning(batches: Sequence[list[ItemGroup]], wanted: int) -> list[ItemGroup]:
    """The groups of as many batches as there is room for; never a later one in place of an earlier."""
    ends = np.cumsum([_number(batch) for batch in batches])
    return [group for batch, end in zip(batches, ends) if end <= wanted for group in batch]


def _mixed(items: Sequence[SentenceItem], seed: int) -> list[SentenceItem]:
    if len(items) < 2:
        return list(items)
    texts = [" ".join(each.tokens) for each in items]
    keys = draw_keys(stable_hashes(texts), seed, "rows of sentences").tolist()
    return [items[i] for i in sorted(range(len(items)), key=lambda i: (keys[i], texts[i]))]


def _number(groups: Iterable[ItemGroup]) -> int:
    return sum(len(group.items) for group in groups)
