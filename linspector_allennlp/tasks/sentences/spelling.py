"""Spelling: has a word of the sentence been misspelt, by one edit of one character?"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Optional

from linspector_allennlp.tasks.sentences.casing import lowered
from linspector_allennlp.tasks.sentences.chance import Chance
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.tasks.sentences.surface_words import number_of_letters
from linspector_allennlp.tasks.task_data import TooLittleData

ORIGINAL, CHANGED = "O", "C"
# A stray letter of another alphabet would give the edit away.
LEAST_SHARE = 0.001
# Sentences in which none of so many edits makes a new word are left out.
ATTEMPTS = 100


def make_spelling(sentences: Sequence[CorpusSentence], given: Given) -> Iterator[SentenceItem]:
    """
    `C` if a character of one word was inserted, deleted, substituted, or swapped with the next; `O` if
    the sentence is as it was. The word has three letters or more (`spelling_least_letters`) and
    becomes no other word of the corpus. A sentence is there in one of the versions, by chance.
    """
    least = int(given.settings.get("spelling_least_letters", 3))
    vocabulary = {token for sentence in sentences for token in sentence.tokens}
    small = {lowered(token, given.language) for token in vocabulary}
    alphabet = common_letters(sentences, given)
    if not alphabet:
        raise TooLittleData("no word is made of letters")
    long_enough = {token for token in vocabulary if number_of_letters(token) >= least}

    def is_new(word: str) -> bool:
        return lowered(word, given.language) not in small and number_of_letters(word) > 0

    for sentence in sentences:
        places = [i for i, token in enumerate(sentence.tokens) if token in long_enough]
        if not places:
            continue
        chance = Chance(given.seed, "Spelling", sentence.text)
        is_changed = chance.coin()
        # Also where it is not asked for: of both kinds, only sentences that could be of the other.
        edited = _misspelt(sentence.tokens, places, alphabet, is_new, chance)
        if edited is not None:
            yield item(sentence, CHANGED, edited) if is_changed else item(sentence, ORIGINAL)


def common_letters(sentences: Sequence[CorpusSentence], given: Given) -> list[str]:
    """The small letters that make up a thousandth of all or more; all of them if none does."""
    words = Counter(token for sentence in sentences for token in sentence.tokens)
    counts: Counter = Counter()
    for word, number in words.items():
        if number_of_letters(word):
            for letter in lowered(word, given.language):
                counts[letter] += number * letter.isalpha()
    enough = LEAST_SHARE * sum(counts.values())
    found = sorted(letter for letter, number in counts.items() if number)
    return [letter for letter in found if counts[letter] >= enough] or found


def _misspelt(
    tokens: Sequence[str],
    places: Sequence[int],
    alphabet: Sequence[str],
    is_new: Callable[[str], bool],
    chance: Chance,
) -> Optional[list[str]]:
    """The tokens with one edit that makes a new word, if there is one."""
    for _ in range(ATTEMPTS):
        place = chance.one_of(places)
        word = one_edit(tokens[place], alphabet, chance)
        if is_new(word):
            return [*tokens[:place], word, *tokens[place + 1 :]]
    return None


def one_edit(word: str, alphabet: Sequence[str], chance: Chance) -> str:
    """
    A word with one character inserted, deleted, substituted, or swapped with the next, each equally
    often. It may come out as it was.
    """
    kind = chance.below(4)
    letter = chance.one_of(alphabet)
    # A capital at the beginning stays: one elsewhere would give the edit away.
    first = int(word[:1].isupper() and not word.isupper())
    letter = letter.upper() if word.isupper() and len(letter.upper()) == 1 else letter
    if kind == 0:
        place = first + chance.below(len(word) + 1 - first)
        return word[:place] + letter + word[place:]
    if kind == 1:
        place = first + chance.below(len(word) - first)
        return word[:place] + word[place + 1 :]
    if kind == 2:
        place = first + chance.below(len(word) - first)
        return word[:place] + letter + word[place + 1 :]
    place = first + chance.below(len(word) - 1 - first)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
