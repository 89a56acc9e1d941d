import pytest
from hypothesis import given

from linspector_allennlp.tasks.sentences.word_choice import middle_nouns, nouns
from linspector_allennlp.tasks.sentences.word_tasks import make_wc, replacement_task
from linspector_allennlp.tasks.task_data import TooLittleData
from tests.tasks.sentences.corpora import corpora, given_for, plain, seeds, tagged


@given(corpora, seeds)
def test_wc_has_exactly_one_target(corpus, seed):
    words = ["kala", "vesi", "Meri"]
    items = list(make_wc(corpus, given_for("fi", seed, wc_words=words)))
    for each in items:
        assert [token for token in each.tokens if token in words] == [each.label]
    counts = [sum(token in words for token in sentence.tokens) for sentence in corpus]
    assert len(items) == counts.count(1)


def test_nouns():
    corpus = [
        tagged("back/NOUN back/ADV Time/NOUN 1990s/NOUN de/ADP+le/NOUN=du"),
        tagged("Time/NOUN time/NOUN"),
    ]
    # Half of back is none, 1990s has digits, le is no token; case matters.
    assert nouns(corpus) == {"Time", "time"}


def test_nouns_in_the_middle():
    # In 4, 3, 2, 2 and 1 sentences; a is there often, but not in many.
    corpus = [tagged(text) for text in (
        "e/NOUN d/NOUN", "e/NOUN d/NOUN c/NOUN", "e/NOUN d/NOUN b/NOUN", "e/NOUN c/NOUN b/NOUN",
        "a/NOUN a/NOUN a/NOUN a/NOUN a/NOUN",
    )]  # fmt: skip
    assert middle_nouns(corpus, 3, 1) == ["d", "b", "c"]
    assert middle_nouns(corpus, 30, 0) == ["e", "d", "b", "c", "a"]
    assert middle_nouns(corpus + [plain("a")] * 9, 2, 0) == ["e", "d"]
    items = list(make_wc(corpus, given_for(wc_count=2, wc_skip=2)))
    assert [(each.group, each.label) for each in items] == [("e d c", "c"), ("e d b", "b")]
    with pytest.raises(TooLittleData, match="5 nouns, more than 31 needed"):
        list(make_wc(corpus, given_for()))
    with pytest.raises(TooLittleData, match="no word is given .--wc-words FILE."):
        list(make_wc([plain("a")], given_for()))


@given(corpora, seeds)
def test_a_replacement_is_another_word_of_the_list(corpus, seed):
    words = ["ja", "on", "ui"]
    with_one = [sentence for sentence in corpus if set(words) & set(sentence.tokens)]
    make = replacement_task("Verbs", words).make(corpus, given_for("fi", seed))
    if not with_one:
        with pytest.raises(TooLittleData, match="no sentence has a word of the list"):
            list(make)
        return
    items = list(make)
    assert [each.group for each in items] == [sentence.text for sentence in with_one]
    for sentence, each in zip(with_one, items):
        changed = [(a, b) for a, b in zip(sentence.tokens, each.tokens) if a != b]
        assert len(changed) == (each.label == "C") and each.label in "OC"
        assert len(each.tokens) == len(sentence.tokens)
        assert all({a, b} <= set(words) for a, b in changed)


def test_capitals_of_replacements():
    corpus = [plain("İçin", str(n)) for n in range(40)]
    items = list(replacement_task("x", ["için", "ile"]).make(corpus, given_for("tr")))
    changed = {each.tokens[0] for each in items if each.label == "C"}
    assert changed == {"İle"} and {each.label for each in items} == {"O", "C"}
    # A form of the list as it is, if it is there with a capital.
    both = replacement_task("x", ["a", "A"]).make(
        [plain("A", str(n)) for n in range(20)], given_for()
    )
    assert {each.tokens[0] for each in both if each.label == "C"} == {"a"}
