from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.balance import balanced_batches, greatest_ratio


def test_even_by_hand():
    things = [("x", 1), ("x", 2), ("y", 3), ("x", 4), ("y", 5)]
    assert balanced_batches(things, 1) == [[1, 3], [2, 5]]


def test_a_ratio_by_hand():
    # Of four x and one y, three x may be used: at 0, 1/3 and 2/3.
    things = [("x", 1), ("x", 2), ("y", 3), ("x", 4), ("x", 5)]
    assert balanced_batches(things, 3) == [[1, 3], [2], [4]]


@given(st.lists(st.sampled_from("aaaabbc"), min_size=1, max_size=60), st.integers(1, 6))
def test_every_beginning_is_balanced(labels, ratio):
    batches = balanced_batches([(label, (label, n)) for n, label in enumerate(labels)], ratio)
    counts = Counter()
    for batch in batches:
        counts.update(label for label, _ in batch)
        assert counts.keys() == set(labels)
        assert max(counts.values()) <= ratio * min(counts.values())
    # Nothing is wasted that the ratio allows, and each label is taken in its order.
    given_counts = Counter(labels)
    most = ratio * min(given_counts.values())
    assert counts == {label: min(number, most) for label, number in given_counts.items()}
    for label in set(labels):
        taken = [n for batch in batches for own, n in batch if own == label]
        assert taken == sorted(taken)


def test_names():
    assert [greatest_ratio(name) for name in ("natural", "even", "1:5", "1:10")] == [None, 1, 5, 10]


@pytest.mark.parametrize("name", ["odd", "5:1", "1:0", "1:", "0.5"])
def test_names_that_there_are_not(name):
    with pytest.raises(ConfigurationError, match=f"balance is '{name}', but must be natural, even"):
        greatest_ratio(name)
