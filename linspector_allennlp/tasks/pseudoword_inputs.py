"""The words and pseudowords that Pseudo is made from, whichever files there are."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.lines import BadLines
from linspector_allennlp.sources.lexicon import (
    GivenPseudoword,
    LexiconEntry,
    read_lexicon,
    read_pseudowords,
)
from linspector_allennlp.sources.remote import SourceFile
from linspector_allennlp.sources.wuggy_languages import is_wuggy_language, wuggy_language
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
    plugin : `wuggy.BaseLanguagePlugin`, optional
        What cuts the syllables, where a language of Wuggy was named.
    """

    words: list[LexiconEntry]
    given: Optional[list[GivenPseudoword]]
    files: dict[str, Any]
    reading: dict[str, dict[str, Any]]
    plugin: Optional[Any] = None


def read_pseudoword_inputs(
    lexicon: Optional[str],
    pseudowords: Optional[str],
    forms: Optional[WordForms],
    skip_bad_lines: bool,
    segments: Optional[str] = None,
) -> PseudowordInputs:
    """
    Reads a lexicon, or pseudowords that are given, or both. The words then come from the lexicon,
    else from the pseudowords' file itself (the words they were made from), else from the paradigms.
    The lexicon, and `segments` beside it, may be a language of Wuggy, which then cuts the syllables.
    """
    files: dict[str, Any] = {}
    reading: dict[str, dict[str, Any]] = {}
    given: Optional[list[GivenPseudoword]] = None
    if pseudowords:
        bad = BadLines(skip_bad_lines)
        given = list(read_pseudowords(pseudowords, bad))
        files["pseudowords"] = input_file(pseudowords, pseudowords)
        reading["pseudowords"] = {"bad_lines": bad.number}
    language = wuggy_language(lexicon) if lexicon and is_wuggy_language(lexicon) else None
    cutting = wuggy_language(segments) if segments else language
    if cutting and not pseudowords:
        files["segments"] = input_file(*cutting.code)
    if lexicon:
        bad = BadLines(skip_bad_lines)
        file = language.lexicon if language else SourceFile(lexicon, Path(lexicon))
        words = list(read_lexicon(file.path, bad))
        files["lexicon"] = input_file(*file)
        reading["lexicon"] = {"bad_lines": bad.number}
    elif given and any(item.word for item in given):
        words = _entries(item.word for item in given if item.word)
    elif forms:
        words = _entries(_frequent_forms(forms))
    else:
        raise ConfigurationError(
            "--pseudowords has no words beside its pseudowords: give --lexicon or --unimorph too."
        )
    return PseudowordInputs(words, given, files, reading, cutting.plugin if cutting else None)


def _entries(words: Iterable[str]) -> list[LexiconEntry]:
    """Words without syllables, which only making pseudowords asks for."""
    return [LexiconEntry(0, word, (word,), 0.0) for word in dict.fromkeys(words)]


def _frequent_forms(words: WordForms) -> list[str]:
    forms = words.unimorph.forms
    if words.frequent is None:
        return forms
    return [form for form, is_frequent in zip(forms, words.frequent.tolist()) if is_frequent]
