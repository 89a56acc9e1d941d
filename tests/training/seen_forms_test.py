import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.training.seen_forms import accuracy_by_form


def items(*words):
    return [Item(word.split(), "X") for word in words]


def test_by_hand():
    train, test = items("talo", "koira", "talo"), items("talo", "uusi", "koira", "muu", "talo")
    found = accuracy_by_form(train, test, [True, False, False, True, True])
    assert found == {"accuracy_seen_forms": 2 / 3, "accuracy_unseen_forms": 1 / 2}


def test_forms_are_seen_as_they_are_written():
    found = accuracy_by_form(items("talo"), items("Talo", "talo"), [True, False])
    assert found == {"accuracy_seen_forms": 0, "accuracy_unseen_forms": 1}


def test_a_pair_is_seen_if_both_words_were_seen_together():
    train = items("a b", "d c")
    test = items("a b", "d c", "a c", "b a", "c d")
    found = accuracy_by_form(train, test, [True, True, False, False, False])
    assert found == {"accuracy_seen_forms": 1, "accuracy_unseen_forms": 0}


def test_there_is_no_number_of_nothing():
    assert accuracy_by_form(items("a"), items("a", "a"), [True, False]) == {
        "accuracy_seen_forms": 0.5
    }
    assert accuracy_by_form(items("a"), items("b"), [False]) == {"accuracy_unseen_forms": 0}
    assert accuracy_by_form(items("a"), [], []) == {}


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), min_size=1))
def test_the_two_together_are_the_accuracy(answers):
    words, right = zip(*answers)
    found = accuracy_by_form(items("a", "b"), items(*words), right)
    num_seen = sum(word in "ab" for word in words)
    total = found.get("accuracy_seen_forms", 0) * num_seen
    total += found.get("accuracy_unseen_forms", 0) * (len(words) - num_seen)
    assert total == pytest.approx(sum(right))
