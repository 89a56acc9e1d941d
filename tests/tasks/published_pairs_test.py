from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.languages import find_language
from linspector_allennlp.tasks.feature_values import LEMMA
from linspector_allennlp.tasks.published_pairs import (
    of_two_sets_of_tags,
    one_to_one,
    published_shares,
)
from linspector_allennlp.tasks.splits import split_sizes
from linspector_allennlp.tasks.word_forms import TypeLevelSettings
from tests.tasks import odd_feature_test, shared_feature_test
from tests.tasks.odd_feature_test import odd_features
from tests.tasks.paradigms import (
    LABELS_OF_PAIRS,
    all_rows,
    every_other,
    languages,
    made,
    rows_of_forms,
    word_forms,
)
from tests.tasks.shared_feature_test import shared_features

PUBLISHED = TypeLevelSettings(size=20, min_label_count=1, pairs="as-published")
MAKERS = {
    "OddFeat": (odd_features, odd_feature_test.possible_labels),
    "SameFeat": (shared_features, shared_feature_test.possible_labels),
}


@settings(max_examples=20)
@given(languages(), st.integers(0, 5), st.booleans(), st.sampled_from(sorted(MAKERS)))
def test_each_row_is_one_reading_of_a_pair(rows, seed, tell_frequent, task):
    make, possible_labels = MAKERS[task]
    draw = PUBLISHED._replace(seed=seed)
    data = made(make, rows, draw, every_other(rows) if tell_frequent else None)
    found = rows_of_forms(rows)
    drawn = all_rows(data)
    assert tuple(map(len, data.splits.values())) == split_sizes(draw.size)
    assert all(label in possible_labels(found, one, other) for one, other, label in drawn)
    assert all(one != other for one, other, _ in drawn)
    # A pair may be there with two labels, but with each of them once.
    assert len({(frozenset(pair), label) for *pair, label in drawn}) == draw.size


@settings(max_examples=6)
@given(languages(), st.data(), st.sampled_from(sorted(MAKERS)))
def test_the_order_of_the_rows_does_not_matter_but_the_seed_does(rows, data, task):
    make, _ = MAKERS[task]
    first = made(make, rows, PUBLISHED)
    assert make(data.draw(st.permutations(rows)), PUBLISHED) == first
    assert make(rows, PUBLISHED._replace(seed=9)).splits != first.splits


def nouns(number, *tags):
    return [(f"n{n}", f"n{n}{tag}", tag) for n in range(number) for tag in tags]


def test_labels_are_as_frequent_as_they_are():
    """Case: 1 pair of forms a noun, three sets of tags with halves of 20: 30 pairs one to one."""
    rows = nouns(20, "N;NOM", "N;GEN", "N;DAT")
    even = odd_features(rows, PUBLISHED._replace(pairs="even", size=40)).label_counts
    assert even == {"Case": 20, LEMMA: 20}
    data = odd_features(rows, PUBLISHED._replace(size=90))
    assert data.facts["candidate_pairs"] == {"Case": 60, LEMMA: 30}
    assert data.label_counts == {"Case": 60, LEMMA: 30} and data.facts["shares"] == {}


def test_a_share_of_a_label_is_kept():
    rows = nouns(20, "N;NOM", "N;GEN", "N;DAT")
    data = odd_features(rows, PUBLISHED._replace(size=30), shares={"Case": 0.3})
    assert data.facts["candidate_pairs"] == {"Case": 18, LEMMA: 30}
    assert data.facts["shares"] == {"Case": 0.3}


def test_pairs_with_a_second_reading_are_kept():
    """Two lemmas share all their forms but one: their genitives differ in the lemma, or in Case."""
    rows = nouns(10, "N;NOM", "N;GEN")
    rows += [("both", "b1", "N;NOM"), ("both", "b2", "N;GEN"), ("other", "b2", "N;NOM")]
    draw = PUBLISHED._replace(size=10)
    assert odd_features(rows, draw._replace(pairs="even")).facts["candidate_pairs"]["Case"] == 10
    assert odd_features(rows, draw).facts["candidate_pairs"]["Case"] == 11


def test_one_to_one():
    words = word_forms(nouns(9, "N;NOM") + nouns(3, "N;GEN"))
    keys = words.row_hashes
    first, second = one_to_one(words, keys, forms_a_half=3)
    rows = np.concatenate([first, second])
    assert len(first) == len(second) == 3 + 1 and len(set(rows.tolist())) == 8
    analyses = words.unimorph.analysis_of
    assert (analyses[first] == analyses[second]).all()


def test_rows_of_a_lemma_from_two_sets_of_tags():
    words = word_forms(nouns(8, "N;NOM", "N;GEN", "N;DAT"))
    for seed in range(5):
        first, second = of_two_sets_of_tags(words, words.row_hashes, 8, seed)
        unimorph = words.unimorph
        assert (unimorph.lemma_of[first] == unimorph.lemma_of[second]).all()
        # Each set of tags is once on either side, and as long as a set meets itself or all of another.
        sides = Counter(
            zip(unimorph.analysis_of[first].tolist(), unimorph.analysis_of[second].tolist())
        )
        assert sum(sides.values()) == 24 and {*sides.values()} == {8}


def test_the_shares_of_the_study():
    assert published_shares("SameFeat", "romanian") == {"Number": 0.3}
    assert published_shares("OddFeat", "romanian") == {}
    assert published_shares("OddFeat", "german") == {"Case": 0.4, "Number": 0.3, "Person": 0.4}


@pytest.mark.parametrize("task", sorted(MAKERS))
def test_the_table_of_shares(task):
    """Every row of it is found again, under names that we know."""
    from importlib.resources import files

    text = files("linspector_allennlp.tasks").joinpath("published_pair_shares.tsv").read_text()
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    for of, language, label, share in rows:
        assert find_language(language).name == language and label in LABELS_OF_PAIRS | {LEMMA}
        if of == task:
            assert 0 < published_shares(task, language)[label] == float(share) < 1
