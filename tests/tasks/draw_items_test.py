import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.draw_items import draw_by_group, draw_frequent_labels
from linspector_allennlp.tasks.sampling import draw_keys, stable_hashes
from linspector_allennlp.tasks.splits import split_sizes
from linspector_allennlp.tasks.task_data import TooLittleData


def test_the_rarest_label_goes_first():
    """Both 0 and 1 are drawn once too seldom at first; without 0 there is room for 1."""
    labels = np.array([0] * 2 + [1] * 3 + [2] * 9)
    order = np.array([0, 2, 5, 6, 3, 7, 8, 4, 1, 9, 10, 11, 12, 13])

    def draw(items):
        return np.split(order[np.isin(order, items)][:6], [4, 5])

    splits = draw_frequent_labels(labels, 2, draw)
    assert np.concatenate(splits).tolist() == [2, 5, 6, 3, 7, 8]


def draw_groups(sizes, size, seed=0):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    keys = draw_keys(stable_hashes(map(str, range(len(groups)))), seed, "items")
    group_keys = draw_keys(stable_hashes(map(str, range(len(sizes)))), seed, "groups")
    splits = draw_by_group(np.arange(len(groups)), keys, groups, group_keys, size)
    assert tuple(map(len, splits)) == split_sizes(size)
    found = [set(groups[split].tolist()) for split in splits]
    assert not any(one & other for one, other in itertools.combinations(found, 2))


def can_be_divided(sizes, wanted):
    for split in itertools.product(range(3), repeat=len(sizes)):
        if all(
            sum(size for size, own in zip(sizes, split) if own == number) >= least
            for number, least in enumerate(wanted)
        ):
            return True
    return False


@given(st.lists(st.integers(1, 9), min_size=3, max_size=7), st.integers(0, 4), st.integers(0, 3))
def test_filling_fails_only_where_it_must(sizes, spare, seed):
    size = max(1, sum(sizes) - spare)
    if can_be_divided(sizes, split_sizes(size)):
        draw_groups(sizes, size, seed)
    else:
        with pytest.raises(TooLittleData, match="cannot be divided"):
            draw_groups(sizes, size, seed)


@pytest.mark.parametrize("spare", [0, 1, 50, 2000])
@pytest.mark.parametrize("longest", [2, 30])
def test_filling_without_a_token_to_spare(spare, longest):
    rng = random.Random(spare)
    sizes = []
    while sum(sizes) < 10_000 + spare:
        sizes.append(min(rng.randint(1, longest), 10_000 + spare - sum(sizes)))
    draw_groups(sizes, 10_000)


def test_filling_gives_up_in_time():
    """Sentences of 3 tokens make neither 7,000 nor 2,000 nor 1,000, and there is no token more."""
    with pytest.raises(TooLittleData, match="cannot be divided into 7,000 / 2,000 / 1,000"):
        draw_groups([3] * 3333 + [1], 10_000)
    draw_groups([3] * 3336, 10_000)
