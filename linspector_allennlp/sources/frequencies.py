"""
Which words of a language are frequent: a file with one word a line, the most frequent one first,
or the lists that come with the `wordfreq` package.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import sha256
from linspector_allennlp.io.header_lines import check_no_header
from linspector_allennlp.io.lines import BadLines, MalformedLine, numbered_lines

WORDFREQ = "wordfreq"
COLUMNS = "a word, or a word and its count, separated by space or tab"

# In these languages the capitals of i and ı are İ and I.
DOTLESS_I = {"az", "tr"}

# Far enough for Croatian to have the list of Serbo-Croatian, not for Basque to have the Spanish one.
NEAR_LANGUAGE = 10


class FrequencyList:
    """
    The frequent words of a language.

    # Parameters

    name : `str`
        What to call the list in a sentence.
    words : `Iterable[str]`
        The words, the most frequent one first; lists are mostly lower-cased.
    language_code : `str`, optional (default = `None`)
        ISO 639-1, for a language that lower-cases in its own way.
    provenance : `dict[str, Any]`, optional (default = `None`)
        Where the words are from.
    """

    def __init__(
        self,
        name: str,
        words: Iterable[str],
        language_code: Optional[str] = None,
        provenance: Optional[dict[str, Any]] = None,
    ) -> None:
        self.name = name
        self._ranks: dict[str, int] = {}
        for number, word in enumerate(words, start=1):
            self._ranks.setdefault(_composed(word), number)
        self._language_code = language_code
        self._provenance = provenance or {}

    def __len__(self) -> int:
        return len(self._ranks)

    def knows(self, form: str) -> bool:
        """Whether the form is in the list, as it is or lower-cased."""
        return self.rank(form) is not None

    def rank(self, form: str) -> Optional[int]:
        """The place of the form in the list, from 1, as it is or lower-cased; nothing if it is not there."""
        form = _composed(form)
        own = self._ranks.get(form)
        return own or self._ranks.get(lowered(form, self._language_code))

    def provenance(self) -> dict[str, Any]:
        """The origin of the words, for a manifest; the same on every machine."""
        return {**self._provenance, "words": len(self)}


def read_frequencies(
    source: str,
    language_code: Optional[str] = None,
    skip_bad_lines: bool = False,
    most_frequent: Optional[int] = None,
) -> FrequencyList:
    """
    Reads a list of frequent words.

    # Parameters

    source : `str`
        A file with `word` or `word count` lines by rank, or `wordfreq` for that package's list.
    language_code : `str`, optional (default = `None`)
        ISO 639-1. `wordfreq` needs it; with a file it tells how to lower-case (Turkish).
    skip_bad_lines : `bool`, optional (default = `False`)
        Count the lines that are no word, and go on; the default is to stop at the first.
    most_frequent : `int`, optional (default = `None`)
        Only so many words, the first ones; the lines after them are not read.

    # Returns

    `FrequencyList`
    """
    if most_frequent is not None and most_frequent < 1:
        raise ConfigurationError(f"most_frequent: expected 1 or more, found {most_frequent}.")
    if source == WORDFREQ:
        return _of_package(language_code, most_frequent)
    bad = BadLines(skip_bad_lines)
    words = list(islice(_words(source, bad), most_frequent))
    if not words:
        raise ValueError(f"{source} has no words: expected lines with {COLUMNS}.")
    name = Path(source).name
    provenance = {"file": name, "sha256": sha256(source), "bad_lines": bad.number}
    if most_frequent is not None:
        provenance["most_frequent"] = most_frequent
    return FrequencyList(name, words, language_code, provenance)


def lowered(text: str, language_code: Optional[str] = None) -> str:
    """`text` in lower case, as the language has it."""
    if language_code in DOTLESS_I:
        text = text.replace("İ", "i").replace("I", "ı")
    return text.lower()


def _words(path: str, bad: BadLines) -> Iterator[str]:
    for line, text in numbered_lines(path, "a word", bad):
        # Other Unicode spaces are part of a word.
        columns = re.split("[ \t]+", text.strip(" \t"))
        if len(columns) > 2 or not columns[0]:
            bad.add(MalformedLine(path, line, COLUMNS, repr(text)))
        elif len(columns) == 2 and not _is_count(columns[1]):
            bad.add(MalformedLine(path, line, "a count after the word", repr(columns[1])))
        elif line == 1 and not check_no_header(path, line, columns, bad):
            continue
        else:
            yield columns[0]


def _is_count(text: str) -> bool:
    try:
        return 0 <= float(text) < math.inf
    except ValueError:
        return False


def _of_package(language_code: Optional[str], most_frequent: Optional[int]) -> FrequencyList:
    try:
        import wordfreq
        from langcodes import closest_match, tag_is_valid
    except ImportError as error:
        raise ConfigurationError(
            "The frequency list `wordfreq` needs that package: pip install wordfreq==3.1.1"
        ) from error
    known = sorted(wordfreq.available_languages("best"))
    # The package itself would take the nearest language it has, however far away that is.
    nearest = "und"
    if language_code and tag_is_valid(language_code):
        nearest, _ = closest_match(language_code, known, max_distance=NEAR_LANGUAGE)
    if nearest not in known:
        raise ConfigurationError(
            f"wordfreq has no list for language code {language_code!r}. It has: {', '.join(known)}."
        )
    words = islice(wordfreq.iter_wordlist(nearest, "best"), most_frequent)
    number = version("wordfreq")
    provenance: dict[str, Any] = {
        "package": f"wordfreq {number}",
        "language": nearest,
        "list": "best",
    }
    if most_frequent is not None:
        provenance["most_frequent"] = most_frequent
    return FrequencyList(f"wordfreq {number} ({nearest})", words, language_code, provenance)


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
