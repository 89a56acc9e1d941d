"""
Syllabified lexicons as Wuggy has them, `word⇥syl-la-bles⇥frequency`, and files of pseudowords,
one a line, or each after the word it was made from.
"""

import unicodedata
from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple, Optional

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.header_lines import check_no_header
from linspector_allennlp.io.lines import BadLines, MalformedLine, numbered_lines

COLUMNS = "3 tab-separated columns (word, syllables joined by hyphens, frequency)"


class LexiconEntry(NamedTuple):
    line: int
    word: str
    syllables: tuple[str, ...]
    frequency: float

    @property
    def spelling(self) -> str:
        """The syllables as one word; some lexicons have no accents in them ("a-ba-di-a", abadía)."""
        return "".join(self.syllables)


class GivenPseudoword(NamedTuple):
    """A pseudoword that someone made, and the word it was made from where that is known."""

    line: int
    word: Optional[str]
    pseudoword: str


def read_lexicon(path: PathLike, bad: Optional[BadLines] = None) -> Iterator[LexiconEntry]:
    """
    The entries of a syllabified lexicon, one at a time.

    # Parameters

    path : `PathLike`
        The file.
    bad : `BadLines`, optional (default = `None`)
        Counts the lines that are no entry; without it the first of them is an error.
    """
    bad = bad or BadLines(skip=False)
    entries = 0
    for line, text in numbered_lines(path, "a word", bad):
        columns = _columns(text)
        if len(columns) != 3:
            bad.add(MalformedLine(path, line, COLUMNS, f"{len(columns)}: {text!r}"))
            continue
        word, syllables, frequency = columns[0], tuple(columns[1].split("-")), columns[2]
        if not _is_word(word):
            bad.add(MalformedLine(path, line, "a word without spaces", repr(word)))
        elif not all(map(_is_word, syllables)):
            bad.add(MalformedLine(path, line, "syllables joined by one hyphen", repr(columns[1])))
        elif not (frequency.replace(".", "", 1).isdecimal() and isfinite(float(frequency))):
            bad.add(MalformedLine(path, line, "a frequency (15.09)", repr(frequency)))
        else:
            entries += 1
            yield LexiconEntry(line, word, syllables, float(frequency))
    if not entries:
        raise ValueError(f"{path} has no entries: expected lines with {COLUMNS}.")


def read_pseudowords(path: PathLike, bad: Optional[BadLines] = None) -> Iterator[GivenPseudoword]:
    """
    The pseudowords of a file, one at a time: one a line, or `word⇥pseudoword`.

    # Parameters

    path : `PathLike`
        The file.
    bad : `BadLines`, optional (default = `None`)
        Counts the lines that are no pseudoword; without it the first of them is an error.
    """
    bad = bad or BadLines(skip=False)
    expected = "a pseudoword, or a word, a tab and a pseudoword"
    found = 0
    for line, text in numbered_lines(path, "a word", bad):
        columns = _columns(text)
        if len(columns) > 2 or not all(map(_is_word, columns)):
            bad.add(MalformedLine(path, line, expected, repr(text)))
            continue
        if line == 1 and not check_no_header(path, line, columns, bad):
            continue
        found += 1
        yield GivenPseudoword(line, columns[0] if len(columns) == 2 else None, columns[-1])
    if not found:
        raise ValueError(f"{path} has no pseudowords: expected lines with {expected}.")


def _columns(text: str) -> list[str]:
    """Composed, so that the letters of words and of pseudowords are the same characters."""
    return [column.strip(" ") for column in unicodedata.normalize("NFC", text).split("\t")]


def _is_word(text: str) -> bool:
    return len(text.split()) == 1
