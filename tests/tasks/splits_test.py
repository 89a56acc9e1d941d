import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.splits import cut, split_of_groups, split_sizes


@pytest.mark.parametrize(
    "size, expected",
    [(10_000, (7000, 2000, 1000)), (100, (70, 20, 10)), (20, (14, 4, 2)), (25, (18, 5, 2))],
)
def test_split_sizes(size, expected):
    assert split_sizes(size) == expected


@given(st.integers(1, 100_000))
def test_nothing_is_lost_and_shares_are_kept(size):
    sizes = split_sizes(size)
    assert sum(sizes) == size and min(sizes) >= 0
    assert all(abs(part - share * size) <= 1 for part, share in zip(sizes, (0.7, 0.2, 0.1)))


@given(st.integers(1, 200))
def test_cut_keeps_the_order(size):
    parts = cut(list(range(size)), split_sizes(size))
    assert [number for part in parts for number in part] == list(range(size))
    assert tuple(map(len, parts)) == split_sizes(size)


groups = st.lists(st.integers(0, 9), min_size=1, max_size=60)


@given(groups, st.data())
def test_groups_fill_the_splits_in_the_order_of_their_keys(sizes, data):
    keys = data.draw(st.permutations(range(len(sizes))))
    split = split_of_groups(np.array(sizes), np.array(keys, dtype=np.uint64)).tolist()
    in_order = sorted(range(len(sizes)), key=lambda group: keys[group])
    assert [split[group] for group in in_order] == sorted(split)
    wanted = split_sizes(sum(sizes))
    filled = [sum(size for size, of in zip(sizes, split) if of == n) for n in range(3)]
    # A group is never cut: what is over is less than one group, at either end.
    assert all(abs(have - want) < 2 * max(sizes) + 1 for have, want in zip(filled, wanted))
    # Train is full: a model that is trained on less would be a surprise.
    assert filled[0] >= wanted[0]


@given(groups, st.data())
def test_the_order_of_the_groups_does_not_matter(sizes, data):
    order = data.draw(st.permutations(range(len(sizes))))
    keys = np.random.default_rng(0).permutation(len(sizes)).astype(np.uint64)
    split = split_of_groups(np.array(sizes), keys)
    shuffled = split_of_groups(np.array(sizes)[order], keys[order])
    assert split[order].tolist() == shuffled.tolist()
