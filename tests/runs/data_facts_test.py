from unicodedata import normalize

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from linspector_allennlp.dataset_readers import SingleFormReader
from linspector_allennlp.models import SingleFormProbe
from linspector_allennlp.representations import WordFormIndexer, WordVectorsEmbedder
from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.runs.data_facts import ProbedSplit, data_facts, data_warnings

WORDS = ["yö", "työ", "syö", "lyö", "myö", "vyö"]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "small.vec"
    path.write_text("".join(f"{word} 1.0 2.0\n" for word in WORDS), encoding="utf-8")
    vocab = Vocabulary(counter={"labels": {"X": 6, "Y": 5}})
    return SingleFormProbe(vocab, BasicTextFieldEmbedder({"w": WordVectorsEmbedder(str(path))}))


def instance_of(word, label):
    reader = SingleFormReader({"w": WordFormIndexer()})
    instance = reader.text_to_instance(word, label)
    reader.apply_token_indexers(instance)
    return instance


def splits(train, test=None):
    rows = {"train": train, "test": test or train}
    return {
        name: ProbedSplit(
            SimpleDataLoader([instance_of(*item) for item in items], 1),
            name,
            f"{name}.txt",
        )
        for name, items in rows.items()
    }


TRAIN = [*((word, "X") for word in WORDS), *((f"{word}n", "Y") for word in WORDS)]


def test_facts_by_hand(model):
    test = [("yö", "X"), ("uusi", "Y"), ("muu", "Z"), ("työ", "X")]
    facts = data_facts(splits(TRAIN, test), model)
    assert facts == {
        "num_labels": 2,
        "num_train": 12,
        "oov_train": 0.5,
        "num_test": 4,
        "oov_test": 0.5,
        "overlap_test": 0.5,
        "baseline_majority": 0.5,
        "baseline_form": 0.5,
        "baseline_suffix": 0.5,  # both known words; of the others only the empty ending is known
    }


def test_nothing_to_warn_of(model):
    assert data_warnings(splits(TRAIN[:6] + [(w, "Y") for w in WORDS]), model) == []


def test_a_header_or_a_cut_label_is_a_rare_label(model):
    train = [("form", "label"), *TRAIN]
    assert "fewer than 5 items: 'label' (1)" in data_warnings(splits(train), model)[0]


def test_labels_that_training_never_saw(model):
    (warning,) = data_warnings(splits(TRAIN, [("yö", "Dual"), ("työ", "X")]), model)
    assert "test.txt: 1 of 2 items have a label" in warning and "'Dual' (1)" in warning


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
    assert [warning for warning in warnings if setting in warning] == [
        "test.txt: 6 of 6 words that the representation does not know it would know with "
        + {"lowercase": 'the representation\'s "lowercase": true',
           "NFC": 'the reader\'s "unicode_normalization": "NFC"'}[setting]
    ]  # fmt: skip
    assert len(warnings) == 1


def test_a_representation_for_another_language(model):
    with pytest.raises(ConfigurationError, match="train.txt: the representation knows none"):
        data_facts(splits([("a", "X"), ("b", "Y")]), model)


def test_words_that_are_composed_need_not_be_known(model):
    unknown = [(f"{word}q", label) for word, label in TRAIN]
    with pytest.raises(ConfigurationError, match="knows none of the words"):
        data_facts(splits(unknown), model)
    (embedder,) = all_word_embedders(model)
    embedder.composes_unknown_words = True
    assert data_facts(splits(unknown), model)["oov_train"] == 1
