from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sampling import stable_hash
from linspector_allennlp.tasks.sentences.chance import Chance

MASK = 2**64 - 1


def splitmix(state):
    """SplitMix64 after Steele, Lea & Flood (2014), in Python's integers."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
    return state, mixed ^ (mixed >> 31)


def test_the_numbers_are_those_of_the_generator():
    chance = Chance(3, "WO", "kala ui")
    state, expected = stable_hash("3 WO\tkala ui"), []
    for _ in range(32):
        state, number = splitmix(state)
        expected.append(number % 1000)
    found = [chance.below(1000) for _ in range(32)]
    # Made in blocks of 16, each given from its end.
    assert found == expected[15::-1] + expected[:15:-1]


@given(st.lists(st.integers(), max_size=40), st.integers(0, 9))
def test_a_shuffle_is_a_permutation_and_the_same_again(things, seed):
    one, other = (Chance(seed, "x", "y").shuffled(things) for _ in range(2))
    assert one == other and Counter(one) == Counter(things)


def test_all_equally_often():
    counts = Counter(Chance(0, "x", str(n)).below(4) for n in range(8000))
    assert all(1850 < counts[n] < 2150 for n in range(4))
    orders = Counter(tuple(Chance(0, "x", str(n)).shuffled("abc")) for n in range(6000))
    assert len(orders) == 6 and all(900 < number < 1100 for number in orders.values())
    coins = [(Chance(s, p, "t").coin()) for s in range(300) for p in "ab"]
    assert 240 < sum(coins) < 360
