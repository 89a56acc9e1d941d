from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sentences.odd_word import odd_word
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.annotated_sentences import analysed, given, plain

NOUNS = ["cat", "dog", "sea", "sun"]


def sentence(number, noun):
    return analysed(f"w{number}//ADV the//DET {noun}//NOUN sleeps//VERB")


CORPUS = [sentence(10 * n + k, noun) for k, noun in enumerate(NOUNS) for n in range(10)]


@pytest.mark.parametrize("seed", range(3))
def test_one_noun_becomes_another(seed):
    made = odd_word(CORPUS, given(seed=seed, somo_least=2, somo_frequency="5-20"))
    assert len(made) == 40 and set(Counter(item.label for item in made)) == {"O", "C"}
    before = {each.tokens[0]: each.tokens for each in CORPUS}
    for item in made:
        old = before[item.tokens[0]]
        assert item.tokens[:2] == old[:2] and item.tokens[3] == "sleeps"
        assert item.group == item.tokens[2] and item.tokens[2] in NOUNS
        assert (item.tokens[2] != old[2]) == (item.label == "C")
    again = odd_word(CORPUS[::-1], given(seed=seed, somo_least=2, somo_frequency="5-20"))
    assert sorted(again) == sorted(made)


def test_pairs_must_be_as_frequent():
    """`fox` stands in the same place, but three times as often; `yak` with other neighbours."""
    corpus = [sentence(n, "cat") for n in range(3)] + [sentence(n, "fox") for n in range(10, 19)]
    corpus += [analysed(f"a//DET yak//NOUN w{n}//ADV") for n in range(4)]
    with pytest.raises(
        TooLittleData, match="0 of 16 sentences have .* 2 needed; 3 nouns and verbs occur 3 to 9"
    ):
        odd_word(corpus, given(somo_least=2, somo_frequency="3-9"))
    made = odd_word(corpus, given(somo_least=2, somo_frequency="3-9", somo_ratio=3))
    assert {item.group for item in made} == {"cat", "fox"} and len(made) == 12


def test_text_counts_for_pairs():
    corpus = [sentence(n, "cat") for n in range(3)] + [sentence(n, "fox") for n in range(10, 19)]
    text = [plain(f"the cat sleeps {n}") for n in range(6)]
    made = odd_word([*corpus, *text], given(somo_least=2, somo_frequency="3-9"))
    assert len(made) == 12 and {item.source for item in made} == {"treebank"}


def test_parts_of_tokens_and_first_tokens_stay():
    first = [analysed(f"{noun}//NOUN sleeps//X") for noun in NOUNS for _ in range(9)]
    parts = [
        analysed(f"the//DET {noun}//NOUN s//PART", multiword=[(2, 3, noun + "s")])
        for noun in NOUNS
        for _ in range(9)
    ]
    with pytest.raises(TooLittleData, match="the corpus is too small"):
        odd_word([*first, *parts], given(somo_least=2, somo_frequency="5-20"))


def test_broken_settings():
    for setting in ("40", "4-2", "0-3", "a-b"):
        with pytest.raises(
            ConfigurationError, match="somo_frequency: expected a range like 40-400"
        ):
            odd_word(CORPUS, given(somo_frequency=setting))
    for setting in (0.5, "x", float("nan")):
        with pytest.raises(ConfigurationError, match="somo_ratio: expected a number from 1 on"):
            odd_word(CORPUS, given(somo_ratio=setting))
    with pytest.raises(ConfigurationError, match="somo_least: expected a number of items"):
        odd_word(CORPUS, given(somo_least="few"))
    with pytest.raises(
        TooLittleData, match="40 of 40 sentences have .* 100 needed; 4 nouns and verbs"
    ):
        odd_word(CORPUS, given(somo_frequency="5-20"))
    with pytest.raises(TooLittleData, match="no parts of speech"):
        odd_word([analysed("a b")], given())
