import itertools
from collections import Counter, defaultdict
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.tasks.odd_feature import odd_feature_task
from linspector_allennlp.tasks.splits import split_sizes
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.tasks.word_forms import TypeLevelSettings
from tests.tasks.paradigms import (
    LABELS_OF_PAIRS,
    all_rows,
    compared_features,
    every_other,
    features_with_two_values,
    languages,
    made,
    rows_of_forms,
    word_forms,
)


@cache
def odd_one(one, other):
    """The only difference between two interpretations, or nothing."""
    (lemma, tags), (other_lemma, other_tags) = one, other
    if lemma != other_lemma:
        return "lemma" if tags == other_tags else None
    values = compared_features(tags, number_within_person=True)
    others = compared_features(other_tags, number_within_person=True)
    unequal = [name for name in {*values, *others} if values.get(name) != others.get(name)]
    if len(unequal) != 1 or unequal[0] not in LABELS_OF_PAIRS:
        return None
    # What is left open does not show what the difference is.
    both = [values.get(unequal[0], ()), others.get(unequal[0], ())]
    return unequal[0] if max(map(len, both)) == 1 else None


def possible_labels(found, one, other):
    """What the difference of two forms can be, over all their interpretations."""
    both = itertools.product(found[one], found[other])
    return {odd_one(*interpretations) for interpretations in both} - {None}


def odd_features(rows, draw=None, frequent=None, **options):
    draw = draw or TypeLevelSettings(size=20, min_label_count=1)
    return odd_feature_task(word_forms(rows, frequent), draw, **options)


def check_form(data, draw):
    assert data.kind == "paired_forms"
    assert tuple(map(len, data.splits.values())) == split_sizes(draw.size)
    pairs = [frozenset(row[:2]) for row in all_rows(data)]
    assert len(set(pairs)) == draw.size and all(len(pair) == 2 for pair in pairs)
    counts = Counter(row[2] for row in all_rows(data))
    assert counts == data.label_counts
    assert len(counts) >= 2 and min(counts.values()) >= draw.min_label_count
    available = data.facts["candidate_pairs"]
    for label, number in counts.items():
        assert number == available[label] or number >= max(counts.values()) - 1


@settings(max_examples=40)
@given(languages(), st.integers(20, 60), st.integers(0, 5), st.booleans())
def test_pairs_differ_in_one_feature(rows, size, seed, tell_frequent):
    draw = TypeLevelSettings(size=size, seed=seed, min_label_count=2)
    data = made(odd_features, rows, draw, every_other(rows) if tell_frequent else None)
    check_form(data, draw)
    found = rows_of_forms(rows)
    for one, other, label in all_rows(data):
        assert possible_labels(found, one, other) == {label}


@settings(max_examples=12)
@given(languages(), st.integers(0, 5))
def test_no_pair_is_missed(rows, seed):
    """With few forms a lemma all of them are compared."""
    draw = TypeLevelSettings(size=20, seed=seed, min_label_count=1)
    data = made(odd_features, rows, draw, forms_a_lemma=100)
    found = {form: some for form, some in rows_of_forms(rows).items() if " " not in form}
    certain, possible = Counter(), Counter()
    for one, other in itertools.combinations(found, 2):
        labels = possible_labels(found, one, other)
        possible.update(labels)
        certain.update(labels if len(labels) == 1 else ())
    for label in features_with_two_values(rows, number_within_person=True) & set(possible):
        assert certain[label] <= data.facts["candidate_pairs"].get(label, 0) <= possible[label]
    assert set(data.facts["candidate_pairs"]) <= set(possible)


@settings(max_examples=12)
@given(languages(), st.integers(0, 5), st.data())
def test_the_order_of_the_rows_does_not_matter_but_the_seed_does(rows, seed, data):
    draw = TypeLevelSettings(size=20, seed=seed, min_label_count=1)
    first = made(odd_features, rows, draw)
    assert odd_features(data.draw(st.permutations(rows)), draw) == first
    assert odd_features(rows, draw._replace(seed=seed + 1)).splits != first.splits


@settings(max_examples=15)
@given(languages(), st.integers(0, 5))
def test_by_lemma(rows, seed):
    draw = TypeLevelSettings(size=20, seed=seed, min_label_count=1, split_by="lemma")
    data = made(odd_features, rows, draw)
    found = rows_of_forms(rows)
    splits_of = defaultdict(set)
    for split, some in data.splits.items():
        for one, other, label in some:
            lemmas = {
                frozenset((first[0], second[0]))
                for first, second in itertools.product(found[one], found[other])
                if odd_one(first, second) == label
            }
            if len(lemmas) == 1:
                for lemma in lemmas.pop():
                    splits_of[lemma].add(split)
    assert all(len(splits) == 1 for splits in splits_of.values())


def labels_of(*bundles, lemmas=("a", "b")):
    """The candidates of a language in which each lemma has a form for each bundle."""
    rows = [(lemma, f"{lemma}{n}", tags) for lemma in lemmas for n, tags in enumerate(bundles)]
    # Many pairs of two other labels, so that there is a task at all.
    rows += [(f"t{n}", f"t{n}{tag}", f"X{n};{tag}") for n in range(20) for tag in ("PRS", "PST")]
    rows += [(f"m{n}", f"m{n}", "XX") for n in range(10)]
    rows += [("p0", "p0", "XX;PSS1S"), ("p1", "p1", "XX;PSS2S")]
    available = dict(odd_features(rows).facts["candidate_pairs"])
    assert available.pop("Tense") == 20
    return {label: number for label, number in available.items() if label != "lemma"}


@pytest.mark.parametrize(
    "one, other, label",
    [
        ("N;NOM;SG", "N;GEN;SG", "Case"),
        ("N;NOM;SG", "N;NOM;PL", "Number"),
        ("N;NOM;SG", "N;GEN;PL", None),
        ("V;1;SG", "V;2;SG", "Person"),
        ("V;1;SG", "V;1;PL", "Person"),
        ("V;1;SG", "V;2;PL", "Person"),
        ("V;1;SG;IND", "V;2;PL", None),
        ("V;IND;SG", "V;IND;PL", "Number"),
        ("N;SG", "N;SG;PSS1S", "Possession"),
        ("N;SG", "N;PL;PSS1S", None),
        ("N;SG", "ADJ;SG", None),
        ("N;SG", "ADJ;PL", None),
        ("N;SG", "N;SG;FOO", None),
        ("N;SG;FOO", "N;PL;FOO", "Number"),
        ("N;SG;FOO", "N;PL;BAR", None),
        ("N;SG;FOO", "N;PL", None),
        ("N;SG;LGSPEC1", "N;SG", None),
        ("N;SG;LGSPEC1", "N;PL", None),
        ("N;SG;LGSPEC1", "N;PL;LGSPEC1", "Number"),
        ("N;NOM/ACC;SG", "N;ACC;SG", None),
        ("N;NOM/ACC;SG", "N;GEN;SG", None),
        ("N;NOM/ACC;SG", "N;ACC;PL", None),
        ("N;NOM/ACC;SG", "N;{ACC/NOM};PL", "Number"),
        ("V;1/3;SG", "V;2;SG", None),
        ("V;1/3;SG", "V;3;SG", None),
        ("V;1/3;SG", "V;1;PL", None),
        ("V;FIN", "V;NFIN", None),
    ],
)
def test_by_hand(one, other, label):
    assert labels_of(one, other) == ({label: 2} if label else {})


def test_a_feature_that_one_form_carries_may_have_one_value():
    assert labels_of("V;PRS", "V;PRS;NEG") == {"Polarity": 2}


def test_no_more_than_so_many_forms_of_a_lemma():
    rows = [("a", f"a{n}", f"N;{tag}") for n, tag in enumerate(CASES)]
    rows += [(f"m{n}", f"m{n}", "X") for n in range(30)]
    # Two of ten a round: one pair of the 45, in at most ten rounds.
    assert 1 <= odd_features(rows, forms_a_lemma=2).facts["candidate_pairs"]["Case"] <= 10
    assert odd_features(rows, forms_a_lemma=10).facts["candidate_pairs"]["Case"] == 45


CASES = ["NOM", "ACC", "GEN", "DAT", "ESS", "ABL", "ALL", "LOC", "INS", "COM"]


def test_a_language_of_two_words_each():
    with pytest.raises(TooLittleData):
        odd_features([("a b", "a b", "N;SG"), ("a b", "a bs", "N;PL")])


def test_by_lemma_the_order_of_the_rows_does_not_matter():
    rows = [
        (f"{lemma}{n}", f"f{n}{number}", f"N;{number}")
        for lemma in ("a", "b")
        for n in range(60)
        for number in ("SG", "PL")
    ]
    rows += [(f"v{n}", f"v{n}{tense}", f"V;{tense}") for n in range(60) for tense in ("PRS", "PST")]
    draw = TypeLevelSettings(size=60, min_label_count=1, split_by="lemma")
    assert odd_features(rows[::-1], draw).splits == odd_features(rows, draw).splits
