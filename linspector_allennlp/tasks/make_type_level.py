"""Making the type-level tasks of a language, from its paradigms and its lexicon."""

import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.languages import Language
from linspector_allennlp.sources.frequencies import WORDFREQ, FrequencyList, read_frequencies
from linspector_allennlp.sources.remote import unimorph_files
from linspector_allennlp.sources.resource_folder import file_of_language
from linspector_allennlp.sources.unimorph import read_unimorph
from linspector_allennlp.sources.wuggy_languages import is_wuggy_language
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.making import (
    MadeTasks,
    TaskPlan,
    input_file,
    language_of,
    run_plans,
)
from linspector_allennlp.tasks.pseudoword import pseudoword_task
from linspector_allennlp.tasks.pseudoword_inputs import PseudowordInputs, read_pseudoword_inputs
from linspector_allennlp.tasks.task_data import CHARACTER_BIN, PSEUDOWORD_TASK, checked_tasks
from linspector_allennlp.tasks.type_level_tasks import PARADIGM_TASKS, type_level_tasks
from linspector_allennlp.tasks.word_forms import TypeLevelSettings, WordForms


def make_type_level_tasks(
    output: PathLike,
    language: Optional[str],
    unimorph: Sequence[str] = (),
    frequencies: Optional[str] = None,
    lexicon: Optional[str] = None,
    pseudowords: Optional[str] = None,
    settings: TypeLevelSettings = TypeLevelSettings(),
    tasks: Optional[Iterable[str]] = None,
    skip_bad_lines: bool = False,
    force: bool = False,
    most_frequent: Optional[int] = None,
    segments: Optional[str] = None,
) -> MadeTasks:
    """
    Makes tasks into `output/TASK/LANGUAGE/`; those that are there already, and would come out the
    same, are left as they are.

    # Parameters

    output : `PathLike`
        The folder for the tasks.
    language : `str`, optional
        Its name or ISO 639 code; `None` where the name of a UniMorph file tells it.
    unimorph : `Sequence[str]`, optional
        Files of paradigms, or codes (`fin`), whose files are then fetched.
    frequencies : `str`, optional
        A file with the frequent words, a folder with one for each language (`fi.txt`), or `wordfreq`.
        Without it all forms count alike.
    lexicon, pseudowords : `str`, optional
        Files for Pseudo: words with their syllables, or a language of Wuggy (`wuggy:german`);
        pseudowords that are given.
    settings : `TypeLevelSettings`, optional
        The sizes, shares and splits of the tasks.
    tasks : `Iterable[str]`, optional
        Only these; by default all that the inputs may be enough for.
    skip_bad_lines : `bool`, optional (default = `False`)
        Count broken lines and go on; the default is to stop at the first.
    force : `bool`, optional (default = `False`)
        Replace tasks that are there and were made otherwise.
    most_frequent : `int`, optional
        How many words of the list of frequent words are taken to be frequent, from its beginning;
        by default all.
    segments : `str`, optional
        The language of Wuggy (`wuggy:german`) that cuts the syllables of the lexicon; by default
        the one that the lexicon is of, else they are cut before and after their vowels.
    """
    settings.check()
    if most_frequent is not None and not frequencies:
        raise ConfigurationError("--most-frequent needs --frequencies, the list that it cuts.")
    if segments and (not lexicon or pseudowords):
        raise ConfigurationError(
            "--segments is for pseudowords made from the words of a --lexicon."
        )
    if segments and not is_wuggy_language(segments):
        raise ConfigurationError(
            f"--segments: expected a language as wuggy:german, found {segments!r}."
        )
    with_pseudo = bool(lexicon or pseudowords)
    if not unimorph and not with_pseudo:
        raise ConfigurationError(
            "type-level needs --unimorph FILE; or --lexicon FILE, for Pseudo alone."
        )
    spoken = language_of(language, unimorph)
    known = [*PARADIGM_TASKS] * bool(unimorph) + [PSEUDOWORD_TASK] * with_pseudo
    wanted = checked_tasks(tasks, known)
    inputs: dict[str, Any] = {}
    reading: dict[str, dict[str, Any]] = {}
    plans: list[TaskPlan] = []
    frequent = forms = None
    if frequencies:
        frequent = _frequent_words(frequencies, spoken, skip_bad_lines, most_frequent)
        inputs["frequencies"] = frequent.provenance()
        reading["frequencies"] = {"bad_lines": inputs["frequencies"].get("bad_lines", 0)}
    if unimorph:
        files = [file for source in unimorph for file in unimorph_files(source)]
        inputs["unimorph"] = sorted((input_file(*file) for file in files), key=str)
        paths = [file.path for file in files]
        paradigms = read_unimorph(*paths, skip_bad_lines=skip_bad_lines).single_words()
        reading["unimorph"] = paradigms.counts
        forms = WordForms(paradigms, frequent.knows if frequent else None)
        names = None if wanted is None else [name for name in wanted if name in PARADIGM_TASKS]
        for name, make in type_level_tasks(forms, spoken.name, settings, names):
            regex = ["regex"] * (settings.graphemes and name == CHARACTER_BIN)
            plans.append(TaskPlan(name, make, inputs, regex))
    if with_pseudo and (wanted is None or PSEUDOWORD_TASK in wanted):
        found = read_pseudoword_inputs(lexicon, pseudowords, forms, skip_bad_lines, segments)
        reading.update(found.reading)
        plans.append(_pseudoword_plan(found, settings, frequent, forms, inputs))
    writer = TaskWriter(output, "type-level", spoken.name, _recorded(settings), force)
    return run_plans(writer, plans, reading)


def _frequent_words(
    source: str, language: Language, skip_bad_lines: bool, most_frequent: Optional[int]
) -> FrequencyList:
    if source == WORDFREQ and not language.code:
        raise ConfigurationError(
            f"--frequencies wordfreq needs a language with a code, not {language.name!r}."
        )
    if os.path.isdir(source):
        source = file_of_language(source, language)
    return read_frequencies(source, language.code or None, skip_bad_lines, most_frequent)


def _pseudoword_plan(
    found: PseudowordInputs,
    settings: TypeLevelSettings,
    frequent: Optional[FrequencyList],
    forms: Optional[WordForms],
    inputs: dict[str, Any],
) -> TaskPlan:
    # Rare words are not used as words, and must not be used as pseudowords.
    others = forms.unimorph.forms if forms and found.given else ()
    own = {role: inputs[role] for role in ("frequencies",) if role in inputs}
    own.update(found.files)
    if others:
        own["unimorph"] = inputs["unimorph"]
    make = partial(
        pseudoword_task,
        found.words,
        settings.size,
        settings.seed,
        pseudowords=found.given,
        frequencies=frequent,
        other_words=others,
        plugin=found.plugin,
    )
    # Who brings pseudowords needs no generator.
    packages = [] if found.given is not None else ["wuggy"]
    return TaskPlan(PSEUDOWORD_TASK, make, own, packages)


def _recorded(settings: TypeLevelSettings) -> dict[str, Any]:
    """The settings as a manifest has them: JSON knows no tuples, and a set has no order."""
    left_out = None if settings.left_out is None else list(settings.left_out)
    values = settings.values and {name: sorted(some) for name, some in settings.values.items()}
    return settings._replace(left_out=left_out, values=values)._asdict()
