import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.formats import read_single_forms
from linspector_allennlp.tasks.form_labels import character_bin, character_bin_labels
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
