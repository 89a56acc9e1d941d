"""A noun or verb that is odd where it stands, though both pairs of neighbours are as frequent as before."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sentences.annotation import analysed_sentences, own_token
from linspector_allennlp.tasks.sentences.choices import coins, one_of_each, ranked
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.tasks.task_data import TooLittleData
from linspector_allennlp.treebanks import Sentence

ORIGINAL, CHANGED = "O", "C"
PARTS = ("NOUN", "VERB")
FREQUENCIES = "40-400"
RATIO = 2.0
LEAST = 100
END = "\n"


class _Corpus(NamedTuple):
    """
    Words of the wanted frequency with their part of speech; the frequencies of pairs of neighbours; the words
    (with their part of speech) that follow a token.
    """

    words: dict[tuple[str, str], int]
    pairs: Counter
    after: dict[str, set[tuple[str, str]]]


def odd_word(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    SOMO: `O`, or `C` where a noun or verb is changed for another form of its part of speech. Of both words
    the frequency is 40 to 400 (setting `somo_frequency`, "40-400"), and each of the two pairs that the new
    word makes with its neighbours is in the corpus, not more than twice as frequent or rare as the pair
    that was there (setting `somo_ratio`, 2). The corpus is all sentences that are given; plain text has no
    parts of speech, and counts for pairs only. The first token of a sentence stays: its capital would tell.

    A sentence is in one version, and whether it can be changed is asked of those that stay too. Items are
    grouped by the word in question, the changed one or that which could have been: it is in one split only.
    Fewer than 100 items (setting `somo_least`) are none.
    """
    low, high = _frequencies(given)
    ratio = _ratio(given)
    distinct = one_of_each(sentences)
    found = analysed_sentences(distinct, upos=True)
    corpus = _corpus(sentences, low, high)
    texts = [sentence.text for sentence, _ in found]
    items = []
    for (sentence, some), text, changed in zip(found, texts, coins(texts, given.seed, "SOMO")):
        change = _change(some, text, corpus, math.log(ratio), given.seed)
        if change is None:
            continue
        place, word = change
        tokens = list(sentence.tokens)
        tokens[place] = word if changed else tokens[place]
        label = CHANGED if changed else ORIGINAL
        items.append(item(sentence, label, tokens)._replace(group=tokens[place]))
    least = _least(given)
    if len(items) < least or len({each.label for each in items}) < 2:
        raise TooLittleData(
            f"the corpus is too small: {len(items):,} of {len(found):,} sentences have a noun or verb that can be "
            f"changed, {least:,} needed; {len(corpus.words):,} nouns and verbs occur {low:,} to {high:,} times "
            "(somo_frequency)"
        )
    return items


def _change(
    sentence: Sentence, text: str, corpus: _Corpus, difference: float, seed: int
) -> Optional[tuple[int, str]]:
    """The place and the new word of the first place, in an order by hash, where one will do."""
    tokens, place_of, whole = own_token(sentence)
    upos_at = {
        place: word.upos
        for word, place, alone in zip(sentence.words, place_of, whole)
        if place and alone and (tokens[place], word.upos) in corpus.words
    }
    places = sorted(upos_at)
    for number in ranked(list(map(str, places)), text, seed, "SOMO: place"):
        place = places[number]
        before, after = tokens[place - 1], tokens[place + 1] if place + 1 < len(tokens) else END
        left, right = corpus.pairs[before, tokens[place]], corpus.pairs[tokens[place], after]
        options = sorted(
            form
            for form, upos in corpus.after[before]
            if upos == upos_at[place]
            and form != tokens[place]
            and _comparable(corpus.pairs[before, form], left, difference)
            and _comparable(corpus.pairs[form, after], right, difference)
        )
        if options:
            return place, options[ranked(options, text, seed, "SOMO: word")[0]]
    return None


def _comparable(one: int, other: int, difference: float) -> bool:
    """Whether the logarithms of two frequencies are close; those of 0 are not."""
    return bool(one and other) and abs(math.log(one) - math.log(other)) <= difference + 1e-9


def _corpus(sentences: Sequence[CorpusSentence], low: int, high: int) -> _Corpus:
    frequency: Counter = Counter()
    pairs: Counter = Counter()
    for sentence in sentences:
        pairs.update(zip(sentence.tokens, (*sentence.tokens[1:], END)))
        if sentence.annotated is None:
            continue
        tokens, place_of, whole = own_token(sentence.annotated)
        frequency.update(
            (tokens[place], word.upos)
            for word, place, alone in zip(sentence.annotated.words, place_of, whole)
            if alone and word.upos in PARTS
        )
    words = {word: number for word, number in frequency.items() if low <= number <= high}
    parts_of: dict[str, list[str]] = defaultdict(list)
    for form, upos in words:
        parts_of[form].append(upos)
    after: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for before, form in pairs:
        after[before].update((form, upos) for upos in parts_of.get(form, ()))
    return _Corpus(words, pairs, after)


def _frequencies(given: Given) -> tuple[int, int]:
    setting = str(given.settings.get("somo_frequency") or FREQUENCIES)
    low, _, high = setting.partition("-")
    if not (low.isdecimal() and high.isdecimal() and 1 <= int(low) <= int(high)):
        raise ConfigurationError(
            f"somo_frequency: expected a range like 40-400, found {setting!r}."
        )
    return int(low), int(high)


def _least(given: Given) -> int:
    setting = given.settings.get("somo_least", LEAST)
    if not str(setting).isdecimal():
        raise ConfigurationError(f"somo_least: expected a number of items, found {setting!r}.")
    return int(setting)


def _ratio(given: Given) -> float:
    setting = given.settings.get("somo_ratio", RATIO)
    try:
        ratio = float(setting)
    except (TypeError, ValueError):
        ratio = 0.0
    if not 1 <= ratio < math.inf:
        raise ConfigurationError(f"somo_ratio: expected a number from 1 on, found {setting!r}.")
    return ratio
