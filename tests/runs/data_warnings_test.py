from unicodedata import normalize

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data.data_loaders import SimpleDataLoader

from linspector_allennlp.dataset_readers import (
    PairedFormsReader,
    PairedTokensReader,
    TokenInContextReader,
)
from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.runs.data_facts import ProbedSplit
from linspector_allennlp.runs.data_warnings import data_warnings
from tests.runs.small_splits import TRAIN, WORDS, small_probe, splits

KNOWN = [*((word, "X") for word in WORDS), *((word, "Y") for word in WORDS)]
# Thirty items of one word that training does not have.
TEST = [("syön", "X")] * 15 + [("syön", "Y")] * 15
FEW = "test.txt: only 1 items: a score from so few says little."


@pytest.fixture
def model(tmp_path):
    return small_probe(tmp_path)


def of_train(*rows):
    return [*KNOWN, *rows] * 5


def test_nothing_to_warn_of(model):
    known = [("yö", "X"), ("työ", "Y")] * 5
    assert data_warnings({"train": splits(known)["train"]}, model) == []


def test_a_header_is_no_item(model):
    """In the form of every file, or of one."""
    header = [("Form", "Case")]
    found = splits(header + KNOWN, header + TEST)
    warnings = [w for w in data_warnings(found, model) if "header" in w]
    assert warnings == [
        f"{file}: its first line ('Form', 'Case') looks like a header, and is read as an item. The "
        "format has none: remove the line."
        for file in ("train.txt", "test.txt")
    ]
    # A word with a label that others have is an item; so is a rare label of another word.
    for first in [("form", "X"), ("talo", "label")]:
        warnings = data_warnings(splits([first, *KNOWN], TEST), model)
        assert not any("header" in warning for warning in warnings)
    assert (
        "fewer than 5 items: 'label' (1)"
        in data_warnings(splits([("talo", "label"), *KNOWN], TEST), model)[0]
    )


@pytest.mark.parametrize("leaked, number", [(0, 0), (1, 1), (15, 15)])
def test_test_items_in_training(model, leaked, number):
    test = [("yö", "X")] * leaked + TEST[leaked:]
    warnings = [w for w in data_warnings(splits(KNOWN, test), model) if "too:" in w]
    text = f"test.txt: items whose form is in train too: {number} of 30, such as 'yö'."
    assert warnings == ([text] if number else [])


def test_a_leak_of_less_than_one_percent(model):
    test = [("yö", "X")] + TEST * 4
    assert not any("too:" in w for w in data_warnings(splits(KNOWN, test), model))


def test_pairs_in_any_order_and_sentences(model):
    """The share of what is given, not of single words, which come back in any text."""

    def found(reader, train, test, which):
        rows = {"train": train * 30, "test": test * 30}
        of_name = {}
        for name, of_split in rows.items():
            instances = [reader.text_to_instance(*row) for row in of_split]
            for instance in instances:
                reader.apply_token_indexers(instance)
            of_name[name] = ProbedSplit(SimpleDataLoader(instances, 1), name, f"{name}.txt")
        return [w for w in data_warnings(of_name, model) if which in w]

    pairs = [("yö", "työ", "X"), ("syö", "lyö", "Y")]
    (warning,) = found(PairedFormsReader(), pairs, [("työ", "yö", "X"), ("yö", "lyö", "Y")], "pair")
    assert warning.endswith("items whose pair is in train too: 30 of 60, such as 'työ' / 'yö'.")
    train = [(["yö", "on"], 0, "X"), (["syö", "on"], 0, "Y")]
    test = [(["yö", "on"], 1, "X"), (["yö", "jo"], 0, "Y")]
    (warning,) = found(TokenInContextReader(), train, test, "sentence")
    assert warning.endswith("items whose sentence is in train too: 30 of 60, such as 'yö on'.")
    train = [(["yö", "on"], 0, ["jo", "on"], 0, "X"), (["syö", "on"], 0, ["yö", "on"], 0, "Y")]
    test = [(["a", "b"], 1, ["jo", "on"], 1, "X"), (["yö", "jo"], 0, ["c"], 0, "Y")]
    (warning,) = found(PairedTokensReader(), train, test, "sentence")
    assert warning.endswith("items whose sentence is in train too: 30 of 60, such as 'jo on'.")


def test_few_test_items(model):
    assert FEW in data_warnings(splits(KNOWN, [("syön", "X")]), model)
    assert not any("only" in warning for warning in data_warnings(splits(KNOWN, TEST), model))


def test_most_words_are_unknown(model):
    """By occurrences: 15 of 30 are not most, 16 are."""
    for unknown, is_said in [(15, False), (16, True)]:
        test = [("uusi", "X")] * unknown + [("yö", "Y")] * (30 - unknown)
        warnings = [w for w in data_warnings(splits(KNOWN, test), model) if "does not know" in w]
        assert len(warnings) == is_said
    assert warnings == [
        "test.txt: the representation does not know 53.3 % of the words, such as 'uusi': they have no "
        "vectors of their own"
    ]
    (embedder,) = all_word_embedders(model)
    embedder.composes_unknown_words = True
    assert not any("does not know" in w for w in data_warnings(splits(KNOWN, test), model))


def test_labels_that_training_never_saw(model):
    warnings = data_warnings(splits(of_train(), [("yö", "Dual"), ("työ", "X")]), model)
    (warning,) = (warning for warning in warnings if "label" in warning)
    assert warning == (
        "test.txt: 1 of 2 items have a label that is not in the training data, and count as errors: "
        "'Dual' (1)."
    )


def test_columns_in_another_order(model):
    with pytest.raises(ConfigurationError, match="test.txt: none of its labels.*'yö'. Are the col"):
        data_warnings(splits(TRAIN, [("X", "yö"), ("X", "työ")]), model)


@pytest.mark.parametrize(
    "respell, setting",
    [(str.upper, "lowercase"), (lambda word: normalize("NFD", word), "NFC")],
)
def test_words_that_are_known_in_another_spelling(model, respell, setting):
    test = [(respell(word), "X") for word in WORDS]
    warnings = data_warnings(splits(TRAIN, test), model)
    assert [warning for warning in warnings if "would know" in warning] == [
        "test.txt: 6 of 6 words that the representation does not know it would know with "
        + {"lowercase": 'the representation\'s "lowercase": true',
           "NFC": 'the reader\'s "unicode_normalization": "NFC"'}[setting]
    ]  # fmt: skip
