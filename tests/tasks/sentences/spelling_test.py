import string

from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tasks.sentences.chance import Chance
from linspector_allennlp.tasks.sentences.spelling import common_letters, make_spelling, one_edit
from tests.tasks.sentences.corpora import corpora, given_for, plain, seeds


def one_edit_away(one, other):
    """Whether an insertion, a deletion, a substitution or a swap of neighbours makes other of one."""
    if len(one) > len(other):
        one, other = other, one
    if len(one) == len(other):
        places = [i for i, (a, b) in enumerate(zip(one, other)) if a != b]
        if len(places) == 2:
            first, second = places
            return second == first + 1 and one[first] + one[second] == other[second] + other[first]
        return len(places) == 1
    return any(other[:i] + other[i + 1 :] == one for i in range(len(other)))


@given(corpora, seeds)
def test_one_edit_of_one_word(corpus, seed):
    vocabulary = {token.lower() for sentence in corpus for token in sentence.tokens}
    letters = set("".join(vocabulary))
    sources = {sentence.text: sentence.tokens for sentence in corpus}
    items = list(make_spelling(corpus, given_for("fi", seed))) if letters - set('.,!"') else []
    for each in items:
        original = sources[each.group]
        changed = [(a, b) for a, b in zip(original, each.tokens) if a != b]
        assert len(original) == len(each.tokens) and len(changed) == (each.label == "C")
        for before, after in changed:
            assert len(before) >= 3 and one_edit_away(before, after)
            assert after.lower() not in vocabulary and set(after.lower()) <= letters
    # One version of each sentence that has a word of three letters.
    able = [s.text for s in corpus if any(len(token) >= 3 for token in s.tokens)]
    assert [each.group for each in items] == able


def test_a_coin_and_all_kinds_of_edits():
    corpus = [plain("kalastaja", str(n)) for n in range(2000)]
    items = list(make_spelling(corpus, given_for()))
    changed = [each.tokens[0] for each in items if each.label == "C"]
    assert 900 < len(changed) < 1100
    lengths = [len(word) - len("kalastaja") for word in changed]
    assert min(lengths.count(1), lengths.count(-1)) > 180 and lengths.count(0) > 380
    assert any(sorted(word) == sorted("kalastaja") for word in changed)


@given(st.text(string.ascii_letters, min_size=3, max_size=8), st.integers(0, 500))
def test_an_edit_is_one_or_none(word, seed):
    edited = one_edit(word, ["a", "b"], Chance(seed, "x", word))
    assert edited == word or one_edit_away(word, edited)


def test_capitals_stay():
    words = {one_edit("KALA", ["z"], Chance(n, "x", "y")) for n in range(50)}
    assert all(word.isupper() for word in words)


def test_words_of_the_corpus_are_never_made():
    # Every edit of aaa is there already, or is none; of aaaa only aaaaa is not.
    corpus = [plain("aaa"), plain("aa"), plain("aaaa")]
    items = list(make_spelling(corpus, given_for()))
    assert [each.group for each in items] == ["aaaa"] and items[0].tokens[0] in ("aaaa", "aaaaa")
    assert list(make_spelling([plain("ab", "x1y", ".")], given_for())) == []


def test_stray_letters_are_no_part_of_the_alphabet():
    corpus = [plain("kala", "Kivi", "3d")] * 300 + [plain("ж")]
    assert common_letters(corpus, given_for()) == list("aiklv")
    assert common_letters([plain("ж")], given_for()) == ["ж"]
