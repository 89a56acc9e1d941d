import builtins
import random
from itertools import islice, product

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources.frequencies import FrequencyList
from linspector_allennlp.sources.lexicon import GivenPseudoword, LexiconEntry, read_lexicon
from linspector_allennlp.tasks.pseudoword import pseudoword_task
from linspector_allennlp.tasks.pseudoword_search import PseudowordSearch, onset_nucleus_coda
from linspector_allennlp.tasks.task_data import TooLittleData

WUGGY = pytest.importorskip("wuggy")


def regular_lexicon(number=300):
    """Words of two and three regular syllables, about a sixth of the possible ones."""
    syllables = [onset + vowel for onset, vowel in product("bdgklmnprst", "aeiou")]
    entries = []
    for place in range(number):
        length = 2 + place % 2
        chosen = [syllables[(place * 7 + step * (13 + place % 11)) % 55] for step in range(length)]
        entries.append(LexiconEntry(place + 1, "".join(chosen), tuple(chosen), 1.0))
    return list({entry.word: entry for entry in entries}.values())


def forms(data, label):
    return [form for rows in data.splits.values() for form, own in rows if own == label]


@pytest.fixture(scope="module")
def lexicon():
    return regular_lexicon()


@pytest.fixture(scope="module")
def data(lexicon):
    return pseudoword_task(lexicon, size=200, seed=1)


def test_rows(data, lexicon):
    assert (data.name, data.kind) == ("Pseudo", "single_form")
    assert {name: len(rows) for name, rows in data.splits.items()} == {
        "train": 140,
        "dev": 40,
        "test": 20,
    }
    for rows in data.splits.values():
        labels = [label for _, label in rows]
        assert labels.count("1") == labels.count("0") == len(rows) / 2
        assert labels != sorted(labels) and labels != sorted(labels, reverse=True)
    known = {entry.word for entry in lexicon}
    assert known.issuperset(forms(data, "1")) and known.isdisjoint(forms(data, "0"))
    assert len(set(forms(data, "1") + forms(data, "0"))) == 200


def test_pseudowords_match_a_word_of_their_split(data):
    """As long, and two thirds of the segments the same."""
    for rows in data.splits.values():
        words = [form for form, label in rows if label == "1"]
        for form in (form for form, label in rows if label == "0"):
            # A syllable is an onset, a nucleus and an empty coda, so that a third of the segments
            # is one letter a syllable.
            differences = {
                sum(a != b for a, b in zip(word, form)) for word in words if len(word) == len(form)
            }
            assert len(form) // 2 in differences


def test_candidates_match_their_word(lexicon):
    search = PseudowordSearch(lexicon)
    for entry in lexicon[:20]:
        found = list(islice(search.candidates(entry, seed=1), 5))
        assert len(found) == len(set(found)) == 5
        for form in found:
            assert len(form) == len(entry.word) and not search.is_word(form)
            assert sum(a != b for a, b in zip(entry.word, form)) == len(entry.syllables)


@pytest.mark.parametrize("size", [10, 30, 50, 90])
def test_odd_splits_are_half_and_half_all_in_all(lexicon, size):
    data = pseudoword_task(lexicon, size, seed=2)
    assert len(forms(data, "1")) == len(forms(data, "0")) == size // 2


def test_an_odd_size(lexicon):
    data = pseudoword_task(lexicon, size=31, seed=2)
    assert abs(len(forms(data, "1")) - len(forms(data, "0"))) == 1


def test_seeds_and_order(data, lexicon):
    assert pseudoword_task(lexicon, 200, seed=1).splits == data.splits
    assert pseudoword_task(lexicon[::-1], 200, seed=1).splits == data.splits
    assert pseudoword_task(lexicon, 200, seed=2).splits != data.splits


def test_the_global_generator_is_left_alone(lexicon):
    random.seed(5)
    state = random.getstate()
    pseudoword_task(lexicon, 20, seed=1)
    assert random.getstate() == state


def test_frequent_words_are_no_pseudowords(data, lexicon):
    frequent = FrequencyList("a list", forms(data, "0")[:50])
    again = pseudoword_task(lexicon, 200, seed=1, frequencies=frequent)
    assert not any(map(frequent.knows, forms(again, "0")))


def test_words_that_no_pseudoword_can_look_like_are_not_drawn(lexicon):
    odd = [
        LexiconEntry(1, "cafés", ("ca", "fes"), 1.0),
        LexiconEntry(2, "super8", ("su", "per8"), 1.0),
    ]
    data = pseudoword_task([*odd, *lexicon], len(lexicon) * 2 // 10 * 10 - 100, seed=1)
    assert data.facts["words_not_drawn_from"] == 2
    assert {"cafés", "super8", "cafes"}.isdisjoint(forms(data, "1") + forms(data, "0"))
    assert not any("8" in form for form in forms(data, "0"))


def test_too_little(lexicon):
    with pytest.raises(TooLittleData, match="words, 5,000 needed"):
        pseudoword_task(lexicon, 10_000, seed=1)
    # Two words that are made of one and the same syllable leave nothing to change.
    closed = [LexiconEntry(1, "ba", ("ba",), 1.0), LexiconEntry(2, "baba", ("ba", "ba"), 1.0)]
    with pytest.raises(TooLittleData, match="0 pseudowords, 2 needed"):
        pseudoword_task(closed, 2, seed=1)


def test_limits(lexicon):
    search = PseudowordSearch(lexicon, most_steps=3)
    assert list(search.candidates(lexicon[0], seed=1)) == [] and search.gave_up == 1
    search = PseudowordSearch(lexicon, most_seconds=0.0)
    assert list(search.candidates(lexicon[0], seed=1)) == [] and search.timed_out == 1


def test_given_pseudowords_stay_with_their_words(lexicon):
    given = [GivenPseudoword(n, e.word, f"{e.word}x") for n, e in enumerate(lexicon)]
    data = pseudoword_task(lexicon, 100, seed=1, pseudowords=given * 2)
    for rows in data.splits.values():
        words = {form for form, label in rows if label == "1"}
        assert words == {form[:-1] for form, label in rows if label == "0"}
    assert not data.notes


def test_given_pseudowords_without_words(lexicon):
    given = [GivenPseudoword(n, None, f"zz{e.word}") for n, e in enumerate(lexicon)]
    words = [GivenPseudoword(0, None, lexicon[0].word), GivenPseudoword(0, "zz", "known")]
    frequencies = FrequencyList("a list", ["known"])
    data = pseudoword_task(lexicon, 100, 1, [*words, *given[:50]], frequencies)
    assert data.facts["pseudowords_that_are_words_or_repeated"] == 2
    assert all(form.startswith("zz") for form in forms(data, "0"))
    assert "50 pseudowords" in data.notes[0]
    with pytest.raises(TooLittleData, match="49 pseudowords, 50 needed"):
        pseudoword_task(lexicon, 100, 1, given[:49])


@pytest.mark.parametrize(
    "syllable, parts",
    [
        ("tza", ["tz", "a", ""]),
        ("güen", ["g", "üe", "n"]),
        ("a", ["", "a", ""]),
        ("Öl", ["", "Ö", "l"]),
        ("prst", ["prst", "", ""]),
        ("свет", ["св", "е", "т"]),
    ],
)
def test_onset_nucleus_coda(syllable, parts):
    assert onset_nucleus_coda(syllable) == parts


def test_without_wuggy(lexicon, monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name.startswith("wuggy"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ConfigurationError, match="pip install wuggy"):
        pseudoword_task(lexicon, 10, seed=1)


@pytest.mark.realdata
def test_basque(real_data):
    lexicon = list(read_lexicon(real_data / "wuggy" / "orthographic_basque.txt"))
    data = pseudoword_task(lexicon, 60, seed=1)
    assert len(forms(data, "1")) == len(forms(data, "0")) == 30
    assert {entry.word for entry in lexicon}.isdisjoint(forms(data, "0"))
    assert data.facts["searches_timed_out"] == 0


def test_the_order_of_the_lexicon_does_not_matter(lexicon):
    both = [*lexicon, *(entry._replace(word=entry.word.capitalize()) for entry in lexicon)]
    there, back = (pseudoword_task(some, 60, seed=1) for some in (both, both[::-1]))
    assert there.splits == back.splits


def test_given_pseudowords_that_are_other_words(lexicon):
    given = [GivenPseudoword(1, None, f"{entry.word}zz") for entry in lexicon]
    words = [item.pseudoword for item in given[:30]]
    data = pseudoword_task(lexicon, 60, 1, given, other_words=words)
    assert not set(forms(data, "0")) & set(words)
