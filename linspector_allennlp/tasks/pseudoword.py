"""
The Pseudo task: is a form a word (label 1), or a pseudoword made to look like one (label 0)?

Words and pseudowords come in pairs: the word that a pseudoword was made from is the positive
instance beside it. Both classes so have the same lengths and syllables, and as a pair is never
cut, no probe sees in training the word from which a pseudoword of the test was made.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Optional

import numpy as np
from allennlp.common import Tqdm

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.sources.frequencies import FrequencyList
from linspector_allennlp.sources.lexicon import GivenPseudoword, LexiconEntry
from linspector_allennlp.tasks.pseudoword_search import VOWELS, PseudowordSearch, is_letters
from linspector_allennlp.tasks.sampling import draw_keys, stable_hashes
from linspector_allennlp.tasks.splits import cut, split_sizes
from linspector_allennlp.tasks.task_data import PSEUDOWORD_TASK, TaskData, TooLittleData

WORD, PSEUDOWORD = "1", "0"
CANDIDATES = 5


class _Pair(NamedTuple):
    word: str
    pseudoword: str


def pseudoword_task(
    lexicon: Iterable[LexiconEntry],
    size: int,
    seed: int,
    pseudowords: Optional[Sequence[GivenPseudoword]] = None,
    frequencies: Optional[FrequencyList] = None,
    other_words: Iterable[str] = (),
    vowels: str = VOWELS,
    most_steps: int = 100_000,
    most_seconds: float = 5.0,
    plugin: Optional[Any] = None,
) -> TaskData:
    """
    Draws words, and makes a pseudoword from each of them.

    # Parameters

    lexicon : `Iterable[LexiconEntry]`
        The words. Those that are not all letters, or whose syllables spell something else
        (Spanish ones have no accents), are not drawn: no pseudoword could look like them.
    size : `int`
        How many instances, half of them words.
    seed : `int`
        Of all draws.
    pseudowords : `Sequence[GivenPseudoword]`, optional (default = `None`)
        Pseudowords to take instead of making them, one a word.
    frequencies : `FrequencyList`, optional (default = `None`)
        What is in this list is no pseudoword, even if the lexicon does not have it.
    other_words : `Iterable[str]`, optional
        Words that are not drawn, but of which none is a pseudoword that is given.
    vowels : `str`, optional (default = `VOWELS`)
        See `PseudowordSearch`, as for the next three.
    most_steps : `int`, optional (default = 100,000)
    most_seconds : `float`, optional (default = 5.0)
    plugin : `wuggy.BaseLanguagePlugin`, optional

    # Returns

    `TaskData`
    """
    # Of two spellings the smaller one is drawn from, wherever it stands.
    lexicon = sorted(lexicon, key=lambda entry: entry.word, reverse=True)
    drawable = {entry.word.casefold(): entry for entry in lexicon if _is_drawable(entry)}
    words = _in_drawn_order(drawable, seed, "words of Pseudo")
    sizes = split_sizes(size)
    # Where a split is odd its last instance stands alone, and the rest of its pair is left out.
    needed = sum((number + 1) // 2 for number in sizes)
    if len(words) < needed:
        raise TooLittleData(f"{len(words):,} words, {needed:,} needed")
    facts: dict[str, Any] = {
        "lexicon_words": len(lexicon),
        "words_not_drawn_from": len(lexicon) - len(words),
    }
    pairs: Iterator[_Pair]
    if pseudowords is None:
        search = PseudowordSearch(lexicon, vowels, most_steps, most_seconds, plugin)
        pairs = _made(words, search, frequencies, seed, facts)
    else:
        known = {text.casefold() for e in lexicon for text in (e.word, e.spelling)}
        known.update(word.casefold() for word in other_words)
        pairs = _given(words, pseudowords, known, frequencies, seed, facts)
    bar = Tqdm.tqdm(islice(pairs, needed), total=needed, desc="pseudowords")
    chosen = list(bar)
    if len(chosen) < needed:
        raise TooLittleData(f"{len(chosen):,} pseudowords, {needed:,} needed")
    return TaskData(
        PSEUDOWORD_TASK, "single_form", _splits(chosen, sizes, seed), facts, _notes(facts)
    )


def _made(
    words: Sequence[LexiconEntry],
    search: PseudowordSearch,
    frequencies: Optional[FrequencyList],
    seed: int,
    facts: dict[str, Any],
) -> Iterator[_Pair]:
    facts.update(words_without_pseudoword=0, searches_given_up=0, searches_timed_out=0)
    taken: set[str] = set()
    for entry in words:
        for form in islice(search.candidates(entry, seed), CANDIDATES):
            if form.casefold() not in taken and not (frequencies and frequencies.knows(form)):
                taken.add(form.casefold())
                yield _Pair(entry.word, form)
                break
        else:
            facts["words_without_pseudoword"] += 1
        facts.update(searches_given_up=search.gave_up, searches_timed_out=search.timed_out)


def _given(
    words: Sequence[LexiconEntry],
    pseudowords: Sequence[GivenPseudoword],
    known: set[str],
    frequencies: Optional[FrequencyList],
    seed: int,
    facts: dict[str, Any],
) -> Iterator[_Pair]:
    """Each with the word it was made from, or where that is not known with any other word."""
    fit: dict[str, GivenPseudoword] = {}
    for given in sorted(pseudowords, key=lambda given: (given.pseudoword, given.word or "")):
        form = given.pseudoword
        if form.casefold() not in known and not (frequencies and frequencies.knows(form)):
            fit.setdefault(form.casefold(), given)
    word_of = {entry.word.casefold(): entry.word for entry in words}
    seeds = {(given.word or "").casefold() for given in fit.values()} & word_of.keys()
    others = (word for key, word in word_of.items() if key not in seeds)
    facts.update(
        pseudowords_given=len(pseudowords),
        pseudowords_that_are_words_or_repeated=len(pseudowords) - len(fit),
        pseudowords_of_unknown_words=0,
    )
    for given in _in_drawn_order(fit, seed, "pseudowords given"):
        key = (given.word or "").casefold()
        if key in seeds:
            # The next ones of this word are left out.
            word: Optional[str] = word_of.pop(key, None)
        else:
            word = next(others, None)
            facts["pseudowords_of_unknown_words"] += word is not None
        if word is not None:
            yield _Pair(word, given.pseudoword)


def _splits(
    pairs: Sequence[_Pair], sizes: Sequence[int], seed: int
) -> dict[str, list[tuple[str, ...]]]:
    splits, spare = {}, 0
    for name, size, own in zip(SPLITS, sizes, cut(pairs, [(size + 1) // 2 for size in sizes])):
        rows = {form: label for pair in own for form, label in zip(pair, (WORD, PSEUDOWORD))}
        if size % 2:
            # Odd splits in turn have a word more and a pseudoword more: all in all half and half.
            del rows[own[-1].word if spare % 2 else own[-1].pseudoword]
            spare += 1
        # Another purpose than that of drawing the words, or all words would come first.
        instances = {form: (form, label) for form, label in rows.items()}
        splits[name] = _in_drawn_order(instances, seed, "rows of Pseudo")
    return splits


def _notes(facts: dict[str, Any]) -> list[str]:
    notes = []
    if number := facts.get("searches_timed_out"):
        notes.append(
            f"{number:,} searches were ended by the clock: another machine may give other "
            "pseudowords."
        )
    if number := facts.get("pseudowords_of_unknown_words"):
        notes.append(
            f"Of {number:,} pseudowords it is not known which word they were made from; it may be "
            "in another split."
        )
    return notes


def _in_drawn_order(items: dict[str, Any], seed: int, purpose: str) -> list[Any]:
    """The values in an order that depends on the keys, the seed and the purpose only."""
    order = np.argsort(draw_keys(stable_hashes(items), seed, purpose), kind="stable")
    values = list(items.values())
    return [values[place] for place in order.tolist()]


def _is_drawable(entry: LexiconEntry) -> bool:
    return entry.spelling == entry.word and is_letters(entry.word)
