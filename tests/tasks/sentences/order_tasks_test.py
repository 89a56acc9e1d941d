from collections import Counter

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.order_tasks import make_bishift, make_wo
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.corpora import MARKS, WORDS, corpora, given_for, plain, seeds, tagged


def differing(one, other):
    return [i for i, (a, b) in enumerate(zip(one, other)) if a != b]


@given(corpora, seeds, st.booleans())
def test_bishift_is_one_swap_of_neighbours_and_never_none(corpus, seed, skip):
    items = list(make_bishift(corpus, given_for("fi", seed, skip_punctuation=skip)))
    sources = {sentence.text: sentence.tokens for sentence in corpus}
    for each in items:
        original = sources[each.group]
        places = differing(original, each.tokens)
        if each.label == "O":
            assert each.tokens == original
        else:
            assert each.label == "I"
            first, second = places
            assert second == first + 1
            assert each.tokens[first] == original[second] != original[first] == each.tokens[second]
            if skip:
                assert first > 0 and not {original[first], original[second]} & set(MARKS)
        if skip:
            assert '"' not in original
    # One version of each sentence in which anything can be shifted.
    able = [s for s in corpus if len(set(s.tokens)) > 1]
    assert skip or [each.group for each in items] == [sentence.text for sentence in able]


@given(corpora, seeds)
def test_bishift_in_both_versions(corpus, seed):
    items = list(make_bishift(corpus, given_for("fi", seed, bishift_both=True)))
    one = list(make_bishift(corpus, given_for("fi", seed)))
    assert [each.label for each in items] == ["O", "I"] * (len(items) // 2)
    assert len(items) == 2 * len(one) and set(one) <= set(items)


def test_bishift_is_a_coin_and_hits_every_place():
    corpus = [plain(str(n), "a", "b", "c", ".") for n in range(2000)]
    items = list(make_bishift(corpus, given_for()))
    assert 900 < sum(each.label == "I" for each in items) < 1100
    places = Counter(
        differing(sentence.tokens, each.tokens)[0]
        for sentence, each in zip(corpus, items)
        if each.label == "I"
    )
    assert set(places) == {0, 1, 2, 3} and min(places.values()) > 180
    assert list(make_bishift([plain("a"), plain("a", "a")], given_for())) == []


@given(st.lists(st.lists(st.sampled_from([*WORDS, *MARKS]), max_size=12), min_size=1, max_size=6),
       st.integers(0, 12), seeds, st.sampled_from(["fi", "tr"]))  # fmt: skip
def test_wo_is_one_variant_a_zone(lists, place, seed, language):
    corpus = [plain(*words[:place], "NOUN", *words[place:]) for words in lists]
    zone, least = (4, 9) if language == "tr" else (5, 13)
    long_enough = [sentence for sentence in corpus if len(sentence.tokens) >= least]
    make = make_wo(corpus, given_for(language, seed, wo_noun="NOUN"))
    if not long_enough:
        with pytest.raises(TooLittleData, match="has 'NOUN' exactly once"):
            list(make)
        return
    items = list(make)
    assert len(items) == 3 * len(long_enough)
    for number, sentence in enumerate(long_enough):
        three = items[3 * number : 3 * number + 3]
        assert [each.label for each in three] == ["begin", "middle", "end"]
        assert sum(each.tokens == sentence.tokens for each in three) == 1
        for each in three:
            assert each.group == sentence.text and Counter(each.tokens) == Counter(sentence.tokens)
            here, length = each.tokens.index("NOUN"), len(each.tokens)
            found = "begin" if here < zone else "end" if here >= length - zone else "middle"
            assert found == each.label


def test_wo_chooses_the_most_frequent_noun():
    corpus = [
        tagged("a/X time/NOUN b/X c/X"),
        tagged("time/NOUN day/NOUN b/X day/NOUN"),
        tagged("a/X day/NOUN b/X c/X"),
        tagged("day/NOUN b/X"),
    ]
    settings = {"wo_zone": 1, "wo_least_length": 3}
    # day is more frequent, but time is more often there just once in three tokens or more.
    items = list(make_wo(corpus, given_for(**settings)))
    assert {each.group for each in items} == {"a time b c", "time day b day"}
    with pytest.raises(TooLittleData, match="no noun in a sentence of 13 tokens or more"):
        list(make_wo(corpus, given_for()))
    with pytest.raises(TooLittleData, match="is a NOUN, and no word is given .--wo-noun WORD."):
        list(make_wo([plain("a")], given_for()))


@pytest.mark.parametrize("settings", [{"wo_zone": 7}, {"wo_zone": 3, "wo_least_length": 6}])
def test_wo_needs_a_middle(settings):
    with pytest.raises(ConfigurationError, match="wo_zone is .* must have a middle"):
        list(make_wo([plain("a")], given_for(wo_noun="a", **settings)))
