"""The scorer, against numbers computed by hand and against another implementation of the official rules."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.metrics.semantic_dependencies import (
    SemanticCounts,
    SemanticDependencies,
    count_semantic_dependencies,
    same_sense,
)
from linspector_allennlp.propositions import Proposition


def test_numbers_by_hand():
    """Three gold arguments, three predicted: one right, one with another role, one on another word."""
    gold = [Proposition(1, "ostaa.01", ["A0", "_", "A1", "AM-LOC", "_"])]
    predicted = [Proposition(1, "ostaa.02", ["A0", "_", "A2", "_", "AM-LOC"])]
    counts = count_semantic_dependencies(gold, predicted)
    assert counts.labelled == (1, 4, 4), "the wrong sense costs itself, and no argument"
    assert counts.unlabelled == (3, 4, 4), "two words, and the predicate"
    assert counts.propositions == (0, 1, 1)
    without = count_semantic_dependencies(gold, predicted, senses=False)
    assert without.labelled == (1, 3, 3) and without.unlabelled == (2, 3, 3)
    assert without.labelled.f1 == pytest.approx(1 / 3)
    right = count_semantic_dependencies(gold, gold)
    assert right.labelled == (4, 4, 4) and right.propositions == (1, 1, 1)


def test_precision_and_recall_by_hand():
    """Two of the three predicted are right, and two of the four gold ones found: 2/3, 1/2, 4/7."""
    gold = [Proposition(0, None, ["_", "A0", "A1", "A2", "A3"])]
    predicted = [Proposition(0, None, ["_", "A0", "A1", "A3", "_"])]
    metric = SemanticDependencies()
    metric([gold], [predicted])
    assert metric.get_metric() == pytest.approx(
        {
            "role_precision": 2 / 3,
            "role_recall": 1 / 2,
            "role_f1": 4 / 7,
            "unlabelled_f1": 6 / 7,
            "proposition_f1": 0.0,
        }
    )
    metric([gold], [gold])
    assert metric.get_metric(reset=True)["role_f1"] == pytest.approx(2 * 6 / 15)
    assert metric.get_metric()["role_f1"] == 0
    with_senses = SemanticDependencies(senses=True)
    with_senses([gold], [predicted])
    assert with_senses.get_metric()["role_precision"] == 3 / 4, "the predicate is one more"


def test_several_roles_of_a_word():
    gold = [Proposition(0, "a", ["_", "A0|A2", "A1|A1"])]
    predicted = [Proposition(0, "a", ["_", "A2|A3|A0", "A1"])]
    counts = count_semantic_dependencies(gold, predicted, senses=False)
    assert counts.labelled == (3, 4, 3), "a role that is named twice is one"
    assert counts.unlabelled == (3, 4, 3), "of the first word as many as are in both"
    one = [Proposition(0, "a", ["_", "A4", "-"])]
    assert count_semantic_dependencies(gold, one, senses=False).unlabelled == (1, 1, 3)


def test_a_word_that_is_no_predicate():
    gold = [Proposition(0, "a.01", ["_", "A0"])]
    predicted = [Proposition(1, "a.01", ["A0", "A0"]), Proposition(0, "b.01", ["_", "A0"])]
    counts = count_semantic_dependencies(gold, predicted)
    assert counts.labelled == (2, 5, 2), "the lemma does not count, its sense does"
    assert counts.propositions == (1, 2, 1)
    assert count_semantic_dependencies(gold, []).labelled == (0, 0, 2)
    assert count_semantic_dependencies([], []) == SemanticCounts()


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ("ostaa.01", "myydä.01", True),
        ("ostaa.01", "ostaa.1", True),
        ("ostaa.01", "ostaa.02", False),
        ("a.b.01", "a.b.1", False),
        ("1", "01", True),
        ("ostaa", "ostaa", True),
        ("ostaa", "myydä", False),
        (".01", "01", False),
        ("²", "2", False),
    ],
)
def test_senses(one, other, expected):
    assert same_sense(one, other) is same_sense(other, one) is expected


def official(gold, predicted):
    """
    The rules of eval09.pl once more, in its way: every pair of predicates and of arguments is looked at.
    Gives the numbers that it prints, of arguments and of predicates.
    """

    def frames(sentence):
        found = []
        for place, sense, roles in sentence:
            arguments = []
            for word, label in enumerate(roles):
                if label not in ("_", "-"):
                    arguments += [(part, word) for part in sorted(set(label.split("|")))]
            match = re.fullmatch(r"([^.]+)\.([^.]+)", sense)
            found.append((place, match[2] if match else sense, arguments))
        return found

    def equal(a, b):
        if re.fullmatch("[0-9]+", a) and re.fullmatch("[0-9]+", b):
            return int(a) == int(b)
        return a == b

    gold, predicted = frames(gold), frames(predicted)
    right_arguments = right_words = right_predicates = right_senses = whole = 0
    for place, sense, arguments in gold:
        for other_place, other_sense, others in predicted:
            if place != other_place:
                continue
            right_predicates += 1
            right_senses += equal(sense, other_sense)
            same = len(arguments) == len(others) and all(each in others for each in arguments)
            whole += equal(sense, other_sense) and same
            taken, given = set(), set()
            for i, (role, word) in enumerate(arguments):
                for j, (other_role, other_word) in enumerate(others):
                    if word == other_word:
                        if i not in taken and j not in given:
                            taken.add(i)
                            given.add(j)
                            right_words += 1
                        right_arguments += role == other_role
    sizes = [
        (sum(len(arguments) for *_, arguments in each), len(each)) for each in (predicted, gold)
    ]
    return right_arguments, right_words, right_predicates, right_senses, whole, sizes


ROLES = st.sampled_from(["_", "-", "_", "A0", "A1", "A0|A1", "A1|A0|A2", "A0|A0", "AM-LOC"])
SENSES = st.sampled_from(["a.01", "b.1", "a.02", "c", "d.x", "1", "01", "a.b.01", ".01", "3."])


@st.composite
def sentences(draw):
    """Gold and predicted propositions of a sentence of a few words."""
    length = draw(st.integers(1, 4))
    both = []
    for _ in range(2):
        places = draw(st.sets(st.integers(0, length - 1)))
        roles = st.lists(ROLES, min_size=length, max_size=length)
        both.append([Proposition(place, draw(SENSES), draw(roles)) for place in sorted(places)])
    return both


@given(sentences())
def test_it_counts_as_the_official_script_does(both):
    right, words, predicates, senses, whole, ((num, frames), (num_gold, frames_gold)) = official(
        *both
    )
    counts = count_semantic_dependencies(*both)
    assert counts.labelled == (right + senses, num + frames, num_gold + frames_gold)
    assert counts.unlabelled == (words + predicates, num + frames, num_gold + frames_gold)
    assert counts.propositions == (whole, frames, frames_gold)
    without = count_semantic_dependencies(*both, senses=False)
    assert without.labelled == (right, num, num_gold)
    assert without.unlabelled == (words, num, num_gold)
