"""Sampling pairs of forms, label by label, until a paired task can be drawn from them."""

from collections.abc import Callable, Mapping

import numpy as np

from linspector_allennlp.tasks.draw_pair_pool import PairPool
from linspector_allennlp.tasks.feature_values import PairLabels
from linspector_allennlp.tasks.task_data import TaskData
from linspector_allennlp.tasks.word_forms import TypeLevelSettings, WordForms

MOST_ROUNDS = 10
# A label whose pairs grow by less than this in a round has no more to give.
WORTHWHILE = 0.02

# Rows of the resource that are paired; which ones are sampled depends on the number of the round.
RowPairs = tuple[np.ndarray, np.ndarray]
PairSampler = Callable[[int], RowPairs]


def paired_forms_task(
    name: str,
    words: WordForms,
    labels: PairLabels,
    samplers: Mapping[str, PairSampler],
    settings: TypeLevelSettings,
) -> TaskData:
    """
    Draws a task from candidate pairs, or raises `TooLittleData`.

    # Parameters

    labels : `PairLabels`
        Tells the label of two rows.
    samplers : `Mapping[str, PairSampler]`
        For each label what samples rows that may have it. A label is sampled again while it has
        fewer pairs than an even task would take of it.
    """
    pool = PairPool(name, words, labels, settings)
    wanted = list(samplers)
    for number in range(MOST_ROUNDS):
        growing = []
        for label in wanted:
            before = pool.count(label)
            pool.add(label, *samplers[label](number))
            if pool.count(label) > (1 + WORTHWHILE) * before:
                growing.append(label)
        wanted = [label for label in growing if pool.count(label) < pool.even_number()]
        if not wanted:
            break
    return pool.task()


def sampled_apart(
    words: WordForms, settings: TypeLevelSettings, sample: Callable[[WordForms, int], RowPairs]
) -> PairSampler:
    """What samples each part of the words, where no pair may have one form of each of two parts."""
    parts = words.sampled_apart(settings)

    def sample_parts(number: int) -> RowPairs:
        sampled = [(rows, sample(part, number)) for rows, part in parts]
        firsts, seconds = zip(*((rows[one], rows[other]) for rows, (one, other) in sampled))
        return np.concatenate(firsts), np.concatenate(seconds)

    return sample_parts


def pairs_within(groups: np.ndarray, keys: np.ndarray) -> RowPairs:
    """
    All pairs of positions that are in the same group.

    # Parameters

    groups, keys : `np.ndarray`
        The group of each position, and a draw key that orders a group.
    """
    order = np.lexsort((keys, groups))
    ordered = groups[order]
    firsts, seconds = [], []
    for distance in range(1, len(ordered)):
        same = np.flatnonzero(ordered[distance:] == ordered[:-distance])
        if not len(same):
            break
        firsts.append(order[same])
        seconds.append(order[same + distance])
    empty = np.empty(0, dtype=np.int64)
    return np.concatenate([empty, *firsts]), np.concatenate([empty, *seconds])


def across(left: np.ndarray, right: np.ndarray) -> RowPairs:
    """Each of the left with each of the right."""
    return np.repeat(left, len(right)), np.tile(right, len(left))


def first_of_each(groups: np.ndarray, keys: np.ndarray, number: int) -> np.ndarray:
    """The positions of the first `number` of each group by their keys, group after group."""
    order = np.lexsort((keys, groups))
    ordered = groups[order]
    starts = np.searchsorted(ordered, ordered)
    return order[np.arange(len(order)) - starts < number]
