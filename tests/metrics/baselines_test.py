import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.formats import read_paired_forms, read_single_forms
from linspector_allennlp.metrics.baselines import (
    Item,
    accuracy_by_form,
    form_accuracy,
    majority_accuracy,
    seen_forms,
    suffix_accuracy,
)


def items(*rows):
    return [Item(words.split(), label) for words, label in rows]


TRAIN = items(
    ("talossa", "In"), ("kalassa", "In"), ("massa", "Nom"), ("talon", "Gen"), ("auton", "Gen")
)


def test_majority_is_that_of_the_training_data():
    train = items(("a", "X"), ("b", "Y"), ("c", "Y"))
    assert majority_accuracy(train, items(("d", "X"), ("e", "X"), ("f", "Y"))) == 1 / 3


def test_of_equal_labels_the_first_seen_wins():
    train = items(("a", "Y"), ("b", "X"))
    assert majority_accuracy(train, items(("d", "Y"))) == 1


@pytest.mark.parametrize(
    "word, label",
    [
        ("autossa", "In"),  # -ssa: In, In, Nom
        ("MASSA", "Nom"),  # lower-cased, a word of training itself
        ("lumassa", "Nom"),  # -massa is longer than -assa
        ("puron", "Gen"),  # -on
        ("xyz", "In"),  # nothing but the empty ending: In and Gen are equal, In came first
    ],
)
def test_the_longest_known_ending_decides(word, label):
    assert suffix_accuracy(TRAIN, items((word, label))) == 1


def test_endings_are_no_longer_than_eight_characters():
    train = items(("abcdefghi", "X"), ("zbcdefghi", "Y"), ("ybcdefghi", "Y"))
    assert suffix_accuracy(train, items(("abcdefghi", "Y"))) == 1


def test_a_pair_is_known_by_its_two_endings():
    train = items(("talossa talosta", "Case"), ("talossa taloissa", "Number"), ("a b", "lemma"))
    test = items(("kalossa kalosta", "Case"), ("kalossa kaloissa", "Number"), ("x y", "Case"))
    assert suffix_accuracy(train, test) == 1


def test_a_form_has_its_most_frequent_label_of_training():
    train = items(("on", "V"), ("se", "P"), ("on", "C"), ("se", "D"), ("se", "D"), ("ja", "C"))
    test = items(
        ("se", "D"),  # twice D, once P
        ("on", "V"),  # V and C are equal, V came first
        ("On", "V"),  # another form, so the majority: C and D are equal, C came first
        ("uusi", "C"),
    )
    assert form_accuracy(train, test) == 3 / 4


def test_a_pair_is_the_same_form_in_either_order():
    train = items(("talo talon", "Case"), ("a b", "lemma"), ("c d", "lemma"))
    test = items(("talon talo", "Case"), ("talo a", "Case"))
    assert form_accuracy(train, test) == 1 / 2


EXPECTED = Path(__file__).resolve().parents[2] / "benchmarks/released_baselines.json"
MAJORITY, SUFFIX = json.loads(EXPECTED.read_text()).values()


def released(real_data, task, language, split):
    path = real_data / "linspector_released/type_level" / task / language / f"{split}.txt"
    read = read_paired_forms if task in ("OddFeat", "SameFeat") else read_single_forms
    return [Item(row[1:-1], row.label) for row in read(path)]


def scores(real_data, expected, measure):
    return {
        language: {
            task: round(
                100
                * measure(
                    released(real_data, task, language, "train"),
                    released(real_data, task, language, "test"),
                ),
                1,
            )
            for task in tasks
        }
        for language, tasks in expected.items()
    }


@pytest.mark.realdata
def test_majority_equals_the_papers_column(real_data):
    assert scores(real_data, MAJORITY, majority_accuracy) == MAJORITY


@pytest.mark.realdata
def test_suffix_equals_the_measured_figures(real_data):
    assert scores(real_data, SUFFIX, suffix_accuracy) == SUFFIX


def forms(*words):
    return [Item(word.split(), "X") for word in words]


def test_accuracy_by_form_by_hand():
    train, test = forms("talo", "koira", "talo"), forms("talo", "uusi", "koira", "muu", "talo")
    found = accuracy_by_form(train, test, [True, False, False, True, True])
    assert found == {"accuracy_seen_forms": 2 / 3, "accuracy_unseen_forms": 1 / 2}


def test_forms_are_seen_as_they_are_written():
    found = accuracy_by_form(forms("talo"), forms("Talo", "talo"), [True, False])
    assert found == {"accuracy_seen_forms": 0, "accuracy_unseen_forms": 1}


def test_a_pair_is_seen_if_both_words_were_seen_together_in_either_order():
    train = forms("a b", "d c")
    test = forms("a b", "d c", "a c", "b a", "c d", "a a")
    assert seen_forms(train, test) == [True, True, False, True, True, False]
    found = accuracy_by_form(train, test, [True, True, False, True, False, False])
    assert found == {"accuracy_seen_forms": 3 / 4, "accuracy_unseen_forms": 0}


def test_there_is_no_number_of_nothing():
    assert accuracy_by_form(forms("a"), forms("a", "a"), [True, False]) == {
        "accuracy_seen_forms": 0.5
    }
    assert accuracy_by_form(forms("a"), forms("b"), [False]) == {"accuracy_unseen_forms": 0}
    assert accuracy_by_form(forms("a"), [], []) == {}


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), min_size=1))
def test_the_two_together_are_the_accuracy(answers):
    words, right = zip(*answers)
    found = accuracy_by_form(forms("a", "b"), forms(*words), right)
    num_seen = sum(word in "ab" for word in words)
    total = found.get("accuracy_seen_forms", 0) * num_seen
    total += found.get("accuracy_unseen_forms", 0) * (len(words) - num_seen)
    assert total == pytest.approx(sum(right))
