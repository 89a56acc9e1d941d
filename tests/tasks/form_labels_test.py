import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.formats import read_single_forms
from linspector_allennlp.tasks.form_labels import (
    NOT_CARRIED,
    OTHER_VALUE,
    UNDECIDED,
    character_bin,
    character_bin_labels,
    feature_labels,
    only_values,
    part_of_speech_labels,
    tag_count_labels,
)
from tests.tasks.paradigms import word_forms

BINS = {"1": (0, 4), "2": (5, 8), "3": (9, 12), "4": (13, 16), "5": (17, 20), "6": (21, 10_000)}


@given(st.integers(1, 60))
def test_the_bins_of_the_study(length):
    shortest, longest = BINS[character_bin("ä" * length)]
    assert shortest <= length <= longest


def test_code_points_or_graphemes():
    decomposed = "o\u0308" * 4
    assert character_bin(decomposed) == "2"
    assert character_bin(decomposed, graphemes=True) == "1"
    assert character_bin("abcd", graphemes=True) == "1"


@given(st.text(st.characters(categories=["Ll", "Lu"]), min_size=1))
def test_letters_are_graphemes(form):
    # Conjoining Hangul and Indic scripts apart, a letter is a grapheme.
    if form.isascii():
        assert character_bin(form) == character_bin(form, graphemes=True)


def test_only_forms_with_one_analysis():
    rows = [("a", "ab", "N"), ("b", "ab", "N"), ("a", "abcdef", "N"), ("a", "abcdef", "V")]
    words = word_forms(rows)
    labelled = character_bin_labels(words)
    labels = dict(zip(words.unimorph.forms, labelled.label_of.tolist()))
    assert labelled.labels[labels["ab"]] == "1" and labels["abcdef"] < 0


@pytest.mark.realdata
@pytest.mark.parametrize("language", ["finnish", "turkish"])
def test_the_released_labels(real_data, language):
    folder = real_data / "linspector_released" / "type_level" / "CharacterBin" / language
    rows = [row for path in sorted(folder.glob("*.txt")) for row in read_single_forms(path)]
    assert len(rows) == 10_000
    assert [row for row in rows if character_bin(row.form) != row.label] == []


def labels_by_form(words, labelled):
    """The label of each form, or why it has none."""
    names = {NOT_CARRIED: "no value", UNDECIDED: "ambiguous", OTHER_VALUE: "other value"}
    return {
        form: names.get(number) or labelled.labels[number]
        for form, number in zip(words.unimorph.forms, labelled.label_of.tolist())
    }


VOICES = [
    ("a", "acts", "V;ACT"), ("a", "passes", "V;PASS"), ("a", "reflects", "V;REFL"),
    ("a", "both", "V;ACT"), ("a", "both", "V;REFL"), ("a", "twice", "V;ACT;PRS"),
    ("a", "twice", "V;ACT;PST"), ("n", "noun", "N;SG"), ("n", "nouns", "N;PL"),
    ("n", "nouns", "N;SG;GEN"),
]  # fmt: skip


def test_other_values_leave_the_task_and_are_not_none():
    words = word_forms(VOICES)
    labelled = only_values(feature_labels(words, "Voice"), ["Passive", "Active"])
    assert labelled.labels == ["Active", "Passive"]
    assert labels_by_form(words, labelled) == {
        "acts": "Active", "passes": "Passive", "reflects": "other value", "both": "ambiguous",
        "twice": "Active", "noun": "no value", "nouns": "no value",
    }  # fmt: skip
    # Of acts, passes, both and twice.
    assert labelled.ambiguity == 1 / 4


def test_values_that_no_form_has():
    words = word_forms(VOICES)
    labelled = only_values(feature_labels(words, "Voice"), ["Middle", "Direct"])
    assert labelled.labels == [] and labelled.ambiguity == 1
    assert set(labels_by_form(words, labelled).values()) == {"other value", "ambiguous", "no value"}


def test_ambiguous_by_feature_or_by_analysis():
    words = word_forms(VOICES)
    by_feature = labels_by_form(words, feature_labels(words, "Voice"))
    by_analysis = labels_by_form(words, feature_labels(words, "Voice", ambiguity="analysis"))
    changed = {form for form, label in by_analysis.items() if label != by_feature[form]}
    # A form without the feature in any of its analyses is None, however many they are.
    assert changed == {"twice"} and by_analysis["twice"] == "ambiguous"


def test_parts_of_speech_by_feature():
    rows = [
        ("a", "ab", "N;SG"), ("a", "ab", "N;PL"), ("b", "cd", "N"), ("b", "cd", "V"),
        ("c", "ef", "N"), ("c", "ef", "PRO"), ("d", "gh", "PRO"), ("e", "ij", "V"),
    ]  # fmt: skip
    words = word_forms(rows)
    found = labels_by_form(words, part_of_speech_labels(words, ambiguity="feature"))
    assert found == {
        "ab": "Noun", "cd": "ambiguous", "ef": "ambiguous", "gh": "other value", "ij": "Verb",
    }  # fmt: skip
    found = labels_by_form(words, part_of_speech_labels(words))
    assert found["ab"] == found["cd"] == "ambiguous" and found["ij"] == "Verb"


def test_tag_counts_and_lengths_by_feature():
    words = word_forms(
        [("a", "ab", "N;SG"), ("b", "ab", "N;PL"), ("a", "c", "N"), ("a", "c", "N;SG")]
    )
    assert labels_by_form(words, tag_count_labels(words, "feature")) == {
        "ab": "2",
        "c": "ambiguous",
    }
    # A form has one length in all its analyses.
    found = labels_by_form(words, character_bin_labels(words, ambiguity="feature"))
    assert found == {"ab": "1", "c": "1"}
