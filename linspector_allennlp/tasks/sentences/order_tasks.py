"""Tasks about the order of words: two neighbours swapped (BiShift), the place of a noun (WO)."""

from collections.abc import Iterator, Sequence

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.tasks.sentences.chance import Chance
from linspector_allennlp.tasks.sentences.length_tasks import LONG_WORDS
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.tasks.sentences.surface_words import is_punctuation
from linspector_allennlp.tasks.sentences.word_choice import most_frequent_noun
from linspector_allennlp.tasks.task_data import TooLittleData

ORIGINAL, INVERTED = "O", "I"
BEGIN, MIDDLE, END = "begin", "middle", "end"
DOUBLE_QUOTES = ('"', "“", "”", "„", "‟", "«", "»", "''", "``")


SWITCHES = ("bishift_both", "skip_punctuation")


def switch(given: Given, name: str) -> bool:
    """A setting that is on or off."""
    value = given.settings.get(name, False)
    if not isinstance(value, bool):
        raise ConfigurationError(f"{name}: expected true or false, found {value!r}.")
    return value


def make_bishift(sentences: Sequence[CorpusSentence], given: Given) -> Iterator[SentenceItem]:
    """
    `I` if a token and its right neighbour have changed places, `O` if the sentence is as it was. A
    sentence is there in one of the versions, by chance, or in both (`bishift_both`). Sentences in
    which no two different tokens are neighbours are left out. With `skip_punctuation`, as in
    SentEval, punctuation and the first token stay in their places, and sentences with double quotes
    are left out.
    """
    both, skip = (switch(given, name) for name in SWITCHES)
    for sentence in sentences:
        places = _places_to_shift(sentence.tokens, skip)
        if not places:
            continue
        chance = Chance(given.seed, "BiShift", sentence.text)
        is_shifted = chance.coin()
        place = chance.one_of(places)
        if both or not is_shifted:
            yield item(sentence, ORIGINAL)
        if both or is_shifted:
            tokens = list(sentence.tokens)
            tokens[place : place + 2] = tokens[place + 1], tokens[place]
            yield item(sentence, INVERTED, tokens)


def _places_to_shift(tokens: Sequence[str], skip_punctuation: bool) -> list[int]:
    """The places of tokens that may be swapped with the next."""
    text = " ".join(tokens)
    if skip_punctuation and any(quote in text for quote in DOUBLE_QUOTES):
        return []
    places = [i for i in range(len(tokens) - 1) if tokens[i] != tokens[i + 1]]
    if not skip_punctuation:
        return places
    marks = [is_punctuation(token) for token in tokens]
    return [i for i in places if i > 0 and not marks[i] and not marks[i + 1]]


def wo_zone(given: Given) -> int:
    """The number of tokens that are the beginning of a sentence, and as many are its end."""
    zone = int(given.settings.get("wo_zone", 4 if given.language.code in LONG_WORDS else 5))
    if not 1 <= zone <= (wo_least_length(given) - 1) // 2:
        raise ConfigurationError(
            f"wo_zone is {zone}, but must be 1 or more, and sentences of wo_least_length "
            f"({wo_least_length(given)}) tokens must have a middle."
        )
    return zone


def wo_least_length(given: Given) -> int:
    default = 9 if given.language.code in LONG_WORDS else 13
    return int(given.settings.get("wo_least_length", default))


def wo_noun(sentences: Sequence[CorpusSentence], given: Given) -> str:
    """The noun that is given, or the most frequent one."""
    return given.settings.get("wo_noun") or most_frequent_noun(sentences, wo_least_length(given))


def make_wo(sentences: Sequence[CorpusSentence], given: Given) -> Iterator[SentenceItem]:
    """
    Is a noun, always the same, among the first tokens of a sentence, among the last, or in between?
    Of each sentence that has it once there are three items, one for each zone: the sentence itself,
    and two permutations of it by chance.
    """
    zone, least = wo_zone(given), wo_least_length(given)
    noun = wo_noun(sentences, given)
    found = False
    for sentence in sentences:
        tokens = sentence.tokens
        if len(tokens) < least or tokens.count(noun) != 1:
            continue
        found = True
        chance = Chance(given.seed, "WO", sentence.text)
        here = tokens.index(noun)
        others = tokens[:here] + tokens[here + 1 :]
        for label, places in _zones(len(tokens), zone).items():
            if here in places:
                yield item(sentence, label)
                continue
            mixed = chance.shuffled(others)
            mixed.insert(chance.one_of(places), noun)
            yield item(sentence, label, mixed)
    if not found:
        raise TooLittleData(f"no sentence of {least} tokens or more has {noun!r} exactly once")


def _zones(length: int, zone: int) -> dict[str, range]:
    return {
        BEGIN: range(zone),
        MIDDLE: range(zone, length - zone),
        END: range(length - zone, length),
    }
