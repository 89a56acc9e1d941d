"""
Pseudowords by the Wuggy algorithm (Keuleers and Brysbaert 2010): chains of sub-syllabic segments
that the lexicon attests, as long as those of a word, with transitions about as frequent, two
thirds of the segments equal.

The chains are those of the `wuggy` package. They are walked here and not by the package, which
shuffles with Python's global random generator, stops by the clock, and follows a chain to its end
before it looks at the overlap with the word.
"""

import io
import random
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources.lexicon import LexiconEntry
from linspector_allennlp.sources.wuggy_languages import WUGGY_MISSING
from linspector_allennlp.tasks.sampling import stable_hash

# Latin, Greek and Cyrillic, without the accents.
VOWELS = "aeiouyæœøıəαεηιουωаеиоуыэюяєі"


class PseudowordSearch:
    """
    Finds pseudowords for the words of a lexicon.

    # Parameters

    entries : `Iterable[LexiconEntry]`
        The lexicon; those of its entries that are all letters make the chains, and none of them
        is a pseudoword.
    vowels : `str`, optional (default = `VOWELS`)
        What the nucleus of a syllable is made of. An accented vowel is one too.
    most_steps : `int`, optional (default = 100,000)
        Give up a word after so many steps along the chains: a limit that is the same on every
        machine.
    most_seconds : `float`, optional (default = 5.0)
        The last resort. `timed_out` counts how often it was needed; if it ever was, another
        machine may find other pseudowords.
    plugin : `wuggy.BaseLanguagePlugin`, optional
        What cuts the syllables of the language, instead of the vowels.
    """

    def __init__(
        self,
        entries: Iterable[LexiconEntry],
        vowels: str = VOWELS,
        most_steps: int = 100_000,
        most_seconds: float = 5.0,
        plugin: Optional[Any] = None,
    ) -> None:
        self.gave_up = 0
        self.timed_out = 0
        self._most_steps = most_steps
        self._most_seconds = most_seconds
        self._steps = 0
        self._deadline = 0.0
        entries = list(entries)
        self._words = {entry.word.casefold() for entry in entries}
        self._words.update(entry.spelling.casefold() for entry in entries)
        lettered = [entry for entry in entries if is_letters(entry.spelling)]
        self._plugin = _cutting_at_vowels(vowels) if plugin is None else plugin
        self._chain = _chain(lettered, self._plugin)
        self._chain_of_shape: dict[tuple[int, ...], Any] = {}
        frequencies = (n for following in self._chain.values() for n in following.values())
        self._widest = max(frequencies, default=0).bit_length()

    def is_word(self, form: str) -> bool:
        """Whether the lexicon has the form as a word, or as the spelling of its syllables."""
        return form.casefold() in self._words

    def candidates(self, entry: LexiconEntry, seed: int) -> Iterator[str]:
        """Pseudowords for a word of the lexicon, those of the most similar transitions first."""
        self._steps = 0
        self._deadline = time.monotonic() + self._most_seconds
        reference = self._plugin.transform("-".join(entry.syllables)).representation
        found = set()

        @cache
        def rank(link: Any) -> int:
            return stable_hash(f"{seed} {entry.word} {link.position} {link.value.letters}")

        for exponent in range(1, self._widest + 1):
            window = 2**exponent
            chain = self._of_shape(reference).frequency_filter(reference, window, window)
            for sequence in self._walk(chain, reference, rank):
                form = self._plugin.output_plain(sequence)
                if form not in found and not self.is_word(form):
                    found.add(form)
                    yield form
            if self._is_spent():
                break
        self.gave_up += self._steps >= self._most_steps
        self.timed_out += time.monotonic() >= self._deadline

    def _of_shape(self, reference: tuple) -> Any:
        """The chains whose segments are as many and as long as those of the reference."""
        shape = tuple(segment.segment_length for segment in reference)
        if shape not in self._chain_of_shape:
            # Without the first filter, longer words that begin with this shape would be walked.
            chain = self._chain.attribute_filter(reference, "sequence_length")
            self._chain_of_shape[shape] = chain.attribute_filter(reference, "segment_length")
        return self._chain_of_shape[shape]

    def _walk(self, chain: Any, reference: tuple, rank: Callable[[Any], int]) -> Iterator[tuple]:
        """The sequences that share two thirds of their segments with the reference."""
        end = len(reference) - 1
        different = (end - 1) - 2 * (end - 1) // 3

        def continued(path: tuple, key: Any, left: int) -> Iterator[tuple]:
            if key.position == end:
                yield path
                return
            for following in sorted(chain.get(key, ()), key=rank):
                self._steps += 1
                if self._is_spent():
                    return
                here = left - (following.value != reference[following.position])
                # As many must differ as are left, in the segments that are still to come.
                if 0 <= here <= max(end - 1 - following.position, 0):
                    yield from continued((*path, following.value), following, here)

        for start in [key for key in chain if key.position == 0]:
            yield from continued((start.value,), start, different)

    def _is_spent(self) -> bool:
        return self._steps >= self._most_steps or time.monotonic() >= self._deadline


def _cutting_at_vowels(vowels: str) -> Any:
    """The package's description of a language, for one that it has none of."""
    try:
        from wuggy import BaseLanguagePlugin
    except ImportError as error:
        raise ConfigurationError(WUGGY_MISSING) from error

    class Syllables(BaseLanguagePlugin):
        def transform(self, input_sequence: str, frequency: int = 1) -> Any:
            return self.pre_transform(input_sequence, frequency, self)

        def onsetnucleuscoda(self, syllable: str, lang: Any = None) -> list[str]:
            return onset_nucleus_coda(syllable, vowels)

    return Syllables()


def _chain(entries: Iterable[LexiconEntry], plugin: Any) -> Any:
    """The chain of all words of a language."""
    from wuggy.utilities.bigramchain import BigramChain

    chain = BigramChain(plugin)
    lines = (f"{entry.word}\t{'-'.join(entry.syllables)}\t1\n" for entry in entries)
    state = random.getstate()
    # It draws a number for each line even where it takes all of them.
    chain.load(io.StringIO("".join(lines)))
    random.setstate(state)
    return chain


def onset_nucleus_coda(syllable: str, vowels: str = VOWELS) -> list[str]:
    """Cuts a syllable before and after its first vowels; one without a vowel is all onset."""
    places = [_is_vowel(letter, vowels) for letter in syllable]
    start = places.index(True) if any(places) else len(places)
    end = start + [*places[start:], False].index(False)
    return [syllable[:start], syllable[start:end], syllable[end:]]


def _is_vowel(letter: str, vowels: str) -> bool:
    return letter in vowels or unicodedata.normalize("NFD", letter)[0].lower() in vowels


def is_letters(text: str) -> bool:
    """Whether there is nothing but letters, and the marks that some scripts put on them."""
    return all(unicodedata.category(character)[0] in "LM" for character in text)
