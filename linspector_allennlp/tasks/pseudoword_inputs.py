"""The words and pseudowords that Pseudo is made from, whichever files there are."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.lines import BadLines
from linspector_allennlp.sources.lexicon import (
    GivenPseudoword,
    LexiconEntry,
    read_lexicon,
    read_pseudowords,
)
from linspector_allennlp.tasks.making import input_file
from linspector_allennlp.tasks.word_forms import WordForms


class PseudowordInputs(NamedTuple):
    """
    # Parameters

    words : `list[LexiconEntry]`
        The words to draw.
    given : `list[GivenPseudoword]`, optional
        The pseudowords to draw, if they are not to be made.
    files : `dict[str, Any]`
        The files that were read, for the manifest.
    reading : `dict[str, dict[str, Any]]`
        For each of them what was found in it.
    """

    words: list[LexiconEntry]
    given: Optional[list[GivenPseudoword]]
    files: dict[str, Any]
    reading: dict[str, dict[str, Any]]


def read_pseudoword_inputs(
    lexicon: Optional[str],
    pseudowords: Optional[str],
    forms: Optional[WordForms],
    skip_bad_lines: bool,
) -> PseudowordInputs:
    """
    Reads a lexicon, or pseudowords that are given, or both. The words then come from the lexicon,
    else from the pseudowords' file itself (the words they were made from), else from the paradigms.
    """
    files: dict[str, Any] = {}
    reading: dict[str, dict[str, Any]] = {}
    given: Optional[list[GivenPseudoword]] = None
    if pseudowords:
        bad = BadLines(skip_bad_lines)
        given = list(read_pseudowords(pseudowords, bad))
        files["pseudowords"] = input_file(pseudowords, pseudowords)
        reading["pseudowords"] = {"bad_lines": bad.number}
    if lexicon:
        bad = BadLines(skip_bad_lines)
        words = list(read_lexicon(lexicon, bad))
        files["lexicon"] = input_file(lexicon, lexicon)
        reading["lexicon"] = {"bad_lines": bad.number}
    elif given and any(item.word for item in given):
        words = _entries(item.word for item in given if item.word)
    elif forms:
        words = _entries(_frequent_forms(forms))
    else:
        raise ConfigurationError(
            "--pseudowords has no words beside its pseudowords: give --lexicon or --unimorph too."
        )
    return PseudowordInputs(words, given, files, reading)


def _entries(words: Iterable[str]) -> list[LexiconEntry]:
    """Words without syllables, which only making pseudowords asks for."""
    return [LexiconEntry(0, word, (word,), 0.0) for word in dict.fromkeys(words)]


def _frequent_forms(words: WordForms) -> list[str]:
    forms = words.unimorph.forms
    if words.frequent is None:
        return forms
    return [form for form, is_frequent in zip(forms, words.frequent.tolist()) if is_frequent]
