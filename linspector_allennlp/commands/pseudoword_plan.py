"""The part of `linspector probe-data type-level` that makes Pseudo."""

import argparse
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.task_making import TaskPlan, input_file
from linspector_allennlp.io.bad_lines import BadLines
from linspector_allennlp.sources.frequencies import FrequencyList
from linspector_allennlp.sources.lexicon import (
    GivenPseudoword,
    LexiconEntry,
    read_lexicon,
    read_pseudowords,
)
from linspector_allennlp.tasks.pseudoword import NAME, pseudoword_task
from linspector_allennlp.tasks.type_level import WordForms


def pseudoword_plan(
    args: argparse.Namespace,
    inputs: Mapping[str, Any],
    frequencies: Optional[FrequencyList],
    words: Optional[WordForms],
    reading: dict[str, dict],
) -> TaskPlan:
    """
    Pseudo from a lexicon, or from pseudowords that are given. The words then come from the lexicon,
    else from the file itself (the words its pseudowords were made from), else from the paradigms.
    """
    own = {role: inputs[role] for role in ("frequencies",) if role in inputs}
    given: Optional[list[GivenPseudoword]] = None
    if args.pseudowords:
        bad = BadLines(args.skip_bad_lines)
        given = list(read_pseudowords(args.pseudowords, bad))
        own["pseudowords"] = input_file(args.pseudowords, args.pseudowords)
        reading["pseudowords"] = {"bad_lines": bad.number}
    if args.lexicon:
        bad = BadLines(args.skip_bad_lines)
        entries = list(read_lexicon(args.lexicon, bad))
        own["lexicon"] = input_file(args.lexicon, args.lexicon)
        reading["lexicon"] = {"bad_lines": bad.number}
    elif given and any(item.word for item in given):
        entries = _entries(item.word for item in given if item.word)
    elif words:
        entries = _entries(_frequent_forms(words))
    else:
        raise ConfigurationError(
            "--pseudowords has no words beside its pseudowords: give --lexicon or --unimorph too."
        )
    # Who brings pseudowords needs no generator.
    packages = [] if given is not None else ["wuggy"]
    # A rare word is none to show as a word, but no pseudoword either.
    others = words.unimorph.forms if words and given else ()
    if others:
        own["unimorph"] = inputs["unimorph"]
    make = partial(pseudoword_task, entries, args.size, args.seed, given, frequencies, others)
    return TaskPlan(NAME, make, own, packages)


def _entries(words: Iterable[str]) -> list[LexiconEntry]:
    """Words without syllables, which only making pseudowords asks for."""
    return [LexiconEntry(0, word, (word,), 0.0) for word in dict.fromkeys(words)]


def _frequent_forms(words: WordForms) -> list[str]:
    forms = words.unimorph.forms
    if words.frequent is None:
        return forms
    return [form for form, is_frequent in zip(forms, words.frequent.tolist()) if is_frequent]
