import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.word_embedder import all_word_embedders
from linspector_allennlp.runs.data_facts import data_facts
from tests.runs.small_splits import TRAIN, small_probe, splits


@pytest.fixture
def model(tmp_path):
    return small_probe(tmp_path)


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
