import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sampling import (
    chance,
    draw_keys,
    drawn,
    mixed_hashes,
    pair_hashes,
    rounded,
    stable_hash,
    stable_hashes,
)

HASHES = [13020603013274838756, 13352426577477358209, 16460497899452767170]
ORDER = [2, 3, 4, 0, 1]
KEY = 10517245095454374956

MANY = stable_hashes(str(number) for number in range(20_000))
hashes = st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=30, unique=True)
in_two_orders = st.lists(st.text(), min_size=1, unique=True).flatmap(
    lambda texts: st.tuples(st.just(texts), st.permutations(texts))
)


def reference_key(number, seed, purpose):
    """SplitMix64 after Steele, Lea & Flood (2014), in Python's integers."""
    mask = 2**64 - 1
    state = ((number ^ stable_hash(f"{seed} {purpose}")) + 0x9E3779B97F4A7C15) & mask
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & mask
    return state ^ (state >> 31)


def test_hashes_are_the_same_everywhere():
    assert [stable_hash(text) for text in ("", "kissa", "yö")] == HASHES
    assert stable_hashes(["", "kissa", "yö"]).tolist() == HASHES


def test_draws_are_the_same_everywhere():
    keys = draw_keys(stable_hashes(["a", "b", "c", "d", "e"]), seed=13, purpose="Case draw")
    assert np.argsort(keys).tolist() == ORDER
    assert int(keys[0]) == KEY


@given(hashes, st.integers(0, 1000), st.text(max_size=5))
def test_keys_are_those_of_the_generator(numbers, seed, purpose):
    keys = draw_keys(np.array(numbers, dtype=np.uint64), seed, purpose)
    assert keys.tolist() == [reference_key(number, seed, purpose) for number in numbers]
    assert len(set(keys.tolist())) == len(numbers)


def test_keys_are_uniform():
    # 100 bins of 200: chi-squared with 99 degrees of freedom is above 149 once in a thousand.
    keys = draw_keys(MANY, 0, "purpose")
    bins = (keys >> np.uint64(32)) * np.uint64(100) >> np.uint64(32)
    counts = np.bincount(bins.astype(np.int64), minlength=100)
    assert ((counts - 200) ** 2 / 200).sum() < 149


@pytest.mark.parametrize("seed, purpose", [(1, "purpose"), (0, "other purpose")])
def test_another_seed_or_purpose_is_unrelated(seed, purpose):
    ranks = np.argsort(np.argsort(draw_keys(MANY, 0, "purpose")))
    others = np.argsort(np.argsort(draw_keys(MANY, seed, purpose)))
    # The standard deviation of the correlation of unrelated ranks is 0.007.
    assert abs(np.corrcoef(ranks, others)[0, 1]) < 0.03


@pytest.mark.parametrize("probability", [0, 0.001, 0.2, 0.999, 1])
def test_chance(probability):
    kept = chance(draw_keys(MANY, 0, "rare"), probability).mean()
    assert abs(kept - probability) <= 4 * (probability * (1 - probability) / len(MANY)) ** 0.5


@given(hashes, st.data())
def test_drawn_takes_the_smallest_keys(keys, data):
    candidates = data.draw(st.lists(st.sampled_from(range(len(keys))), unique=True))
    number = data.draw(st.integers(0, len(candidates)))
    expected = sorted(candidates, key=lambda index: keys[index])[:number]
    array = np.array(candidates, dtype=np.int64)
    assert drawn(array, np.array(keys, dtype=np.uint64), number).tolist() == expected


@given(in_two_orders, st.data())
def test_a_draw_does_not_depend_on_the_order_of_reading(orders, data):
    number = data.draw(st.integers(0, len(orders[0])))
    found = []
    for texts in orders:
        keys = draw_keys(stable_hashes(texts), 7, "draw")
        found.append([texts[index] for index in drawn(np.arange(len(texts)), keys, number)])
    assert found[0] == found[1]


@given(hashes, st.data())
def test_pairs_have_no_order_and_rows_do(numbers, data):
    first = np.array(numbers, dtype=np.uint64)
    second = np.array(data.draw(st.permutations(numbers)), dtype=np.uint64)
    assert (pair_hashes(first, second) == pair_hashes(second, first)).all()
    assert ((mixed_hashes(first, second) == mixed_hashes(second, first)) == (first == second)).all()


@pytest.mark.parametrize(
    "share, number, expected",
    [(0.3, 10_000, 3000), (0.3, 15, 5), (0.5, 5, 3), (0.8, 7, 6), (0.0, 9, 0), (1.0, 9, 9)],
)
def test_halves_are_rounded_upwards(share, number, expected):
    assert rounded(share, number) == expected
