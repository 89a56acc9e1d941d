"""Making the sentence-level tasks of a language, from treebanks and plain text."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.sources.remote import unimorph_files
from linspector_allennlp.tasks.build import COLUMN_FILES, TaskWriter
from linspector_allennlp.tasks.making import (
    MadeTasks,
    TaskPlan,
    input_file,
    language_of,
    run_plans,
)
from linspector_allennlp.tasks.sentences.annotated_tasks import ANNOTATED_TASKS
from linspector_allennlp.tasks.sentences.balance import NATURAL, greatest_ratio
from linspector_allennlp.tasks.sentences.corpus import Corpus, read_corpus
from linspector_allennlp.tasks.sentences.draw import DrawnItems, draw_items
from linspector_allennlp.tasks.sentences.paradigms import Paradigms
from linspector_allennlp.tasks.sentences.sentence_items import (
    TEXT,
    TREEBANK,
    Given,
    SentenceItem,
    SentenceTask,
)
from linspector_allennlp.tasks.sentences.surface_tasks import SURFACE_TASKS
from linspector_allennlp.tasks.sentences.task_settings import (
    check_new_names,
    check_settings,
    read_word_list,
    settings_of,
)
from linspector_allennlp.tasks.sentences.word_tasks import replacement_task
from linspector_allennlp.tasks.splits import check_size
from linspector_allennlp.tasks.task_data import TaskData, TooLittleData, checked_tasks

KIND = "sentence"


def make_sentence_level_tasks(
    output: PathLike,
    language: Optional[str],
    treebank: Sequence[str] = (),
    text: Sequence[PathLike] = (),
    unimorph: Optional[str] = None,
    size: int = 10_000,
    seed: int = 0,
    balance: str = NATURAL,
    min_label_count: int = 5,
    tokenized: bool = False,
    layout: str = COLUMN_FILES,
    agreement: Sequence[str] = (),
    replace: Optional[Mapping[str, PathLike]] = None,
    wc_words: Optional[PathLike] = None,
    settings: Optional[Mapping[str, Any]] = None,
    tasks: Optional[Iterable[str]] = None,
    skip_bad_lines: bool = False,
    force: bool = False,
) -> MadeTasks:
    """
    Makes sentence-level tasks into `output/TASK/LANGUAGE/`; those that are there already, and would
    come out the same, are left as they are.

    # Parameters

    output, language, treebank, tasks, skip_bad_lines, force
        See `make_token_level_tasks`. There may be no treebank if there is text.
    text, tokenized
        See `read_corpus`. Text is for tasks that need no annotation, and for those of their items only
        that the treebank does not give.
    unimorph : `str`, optional
        A UniMorph file, or the code of a language whose file is then fetched: for SVAgree and other
        tasks of agreement.
    size, seed, balance, min_label_count
        See `draw_items`.
    layout : `str`, optional (default = `"columns"`)
        "columns" for train, dev and test files, "senteval" for one file as SentEval has it.
    agreement : `Sequence[str]`, optional
        Features, as "Number": a task "AgreeNumber" for each.
    replace : `Mapping[str, PathLike]`, optional
        For each name of a task the list of its words, see `replacement_task`.
    wc_words : `PathLike`, optional
        A list of words for WC, in place of nouns of the treebank.
    settings : `Mapping[str, Any]`, optional
        Those that the tasks read, see `SURFACE_TASKS` and `ANNOTATED_TASKS`.
    """
    check_size(size)
    greatest_ratio(balance)
    if not treebank and not text:
        raise ConfigurationError("sentence-level needs --treebank FILE or --text FILE.")
    spoken = language_of(language, [*treebank, *map(str, text)])
    words = {name: read_word_list(path) for name, path in (replace or {}).items()}
    known = _known_tasks(words, agreement)
    wanted = checked_tasks(tasks, known) or list(known)
    chosen = {**(settings or {}), **({"wc_words": read_word_list(wc_words)} if wc_words else {})}
    given = Given(spoken, seed, chosen)
    check_settings(given, known)
    drawing: dict[str, Any] = {
        "size": size,
        "seed": seed,
        "balance": balance,
        "min_label_count": min_label_count,
    }
    corpus = read_corpus(treebank, text, tokenized, skip_bad_lines)
    inputs = dict(corpus.inputs)
    if unimorph:
        (file,) = unimorph_files(unimorph)
        given = given._replace(paradigms=Paradigms.read(file.path))  # type: ignore[attr-defined]
        inputs["unimorph"] = [input_file(*file)]
    common = {**drawing, "tokenized": tokenized, "format": layout}
    plans = [
        TaskPlan(
            name,
            partial(sentence_task, name, known[name], corpus, given, **drawing),
            inputs,
            settings={**common, **settings_of(known[name], chosen), **_words_of(name, words)},
        )
        for name in wanted
    ]
    writer = TaskWriter(output, "sentence-level", spoken.name, common, force, layout)
    return run_plans(writer, plans, corpus.reading)


def sentence_task(
    name: str,
    task: SentenceTask,
    corpus: Corpus,
    given: Given,
    size: int,
    seed: int,
    balance: str = NATURAL,
    min_label_count: int = 5,
) -> TaskData:
    """Makes one task; for the parameters see `draw_items`."""
    if not task.takes_text and not corpus.treebank:
        raise TooLittleData("it needs the annotation of a treebank (--treebank)")
    sentences = corpus.treebank + (corpus.text if task.takes_text else [])
    items = list(task.make(sentences, given))
    if not items:
        raise TooLittleData(f"none of {len(sentences):,} sentences gives an item")
    drawn = draw_items(items, size, seed, balance, min_label_count)
    chosen = [each for split in drawn.splits.values() for each in split]
    facts = {
        "sentences": len(sentences),
        "candidates": _in_order(drawn.candidates),
        "candidates_from": _by_source(items),
        "items_from": _by_source(chosen),
        "left_out": dict(drawn.left_out),
        "rare_labels": drawn.rare,
        "settings": dict(task.facts(sentences, given)) if task.facts else {},
    }
    rows: dict[str, list[tuple[str, ...]]] = {
        split: [(" ".join(each.tokens), each.label) for each in some]
        for split, some in drawn.splits.items()
    }
    return TaskData(name, KIND, rows, facts, _notes(drawn, chosen, size, balance))


def _known_tasks(
    words: Mapping[str, Sequence[str]], agreement: Sequence[str]
) -> dict[str, SentenceTask]:
    """All tasks, those that the user asks for with a name of their own after the others."""
    known = {**SURFACE_TASKS, **ANNOTATED_TASKS}
    check_new_names(list(words), list(known), "--replace")
    known.update({name: replacement_task(name, some) for name, some in words.items()})
    if agreement:
        from linspector_allennlp.tasks.sentences.agreement import agreement_task

        names = {f"Agree{feature}": feature for feature in agreement}
        check_new_names(list(names), list(known), "--agreement")
        known.update({name: agreement_task(feature) for name, feature in names.items()})
    return known


def _words_of(name: str, words: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return {"words": list(words[name])} if name in words else {}


def _in_order(counts: Counter) -> dict[str, int]:
    """By label; bins by their numbers."""

    def place(label: str) -> tuple[float, str]:
        number = re.match(r"\d+", label)
        return (int(number[0]) if number else float("inf")), label

    return {label: counts[label] for label in sorted(counts, key=place)}


def _by_source(items: Iterable[SentenceItem]) -> dict[str, int]:
    counts = Counter(each.source for each in items)
    return {source: counts[source] for source in (TREEBANK, TEXT)}


def _notes(drawn: DrawnItems, chosen: Sequence[SentenceItem], size: int, balance: str) -> list[str]:
    notes = []
    if drawn.is_short:
        which = "all there are" if balance == NATURAL else f"all that --balance {balance} leaves"
        notes.append(f"{len(chosen):,} items of {size:,}: {which}")
    from_text = _by_source(chosen)[TEXT]
    if from_text:
        notes.append(f"{from_text:,} from text")
    if drawn.rare:
        notes.append(f"left out as too rare: {', '.join(_in_order(Counter(drawn.rare)))}")
    return notes
