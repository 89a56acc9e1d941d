"""Making the sentence-level tasks of a language, from treebanks and plain text."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.sources.remote import SourceFile, unimorph_files
from linspector_allennlp.tasks.build import COLUMN_FILES, TaskWriter
from linspector_allennlp.tasks.making import (
    MadeTasks,
    TaskPlan,
    input_file,
    language_of,
    run_plans,
)
from linspector_allennlp.tasks.sentences.agreement import agreement_task
from linspector_allennlp.tasks.sentences.annotated_tasks import ANNOTATED_TASKS
from linspector_allennlp.tasks.sentences.balance import NATURAL, greatest_ratio
from linspector_allennlp.tasks.sentences.corpus import read_corpus
from linspector_allennlp.tasks.sentences.paradigms import Paradigms
from linspector_allennlp.tasks.sentences.sentence_items import Given, SentenceTask
from linspector_allennlp.tasks.sentences.sentence_task import sentence_task
from linspector_allennlp.tasks.sentences.surface_tasks import SURFACE_TASKS
from linspector_allennlp.tasks.sentences.task_settings import (
    check_new_names,
    check_settings,
    read_word_list,
    settings_of,
)
from linspector_allennlp.tasks.sentences.word_tasks import replacement_task
from linspector_allennlp.tasks.splits import check_size
from linspector_allennlp.tasks.task_data import checked_tasks


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
        file = _only_file(unimorph)
        given = given._replace(paradigms=Paradigms.read(file.path))
        inputs["unimorph"] = [input_file(*file)]
    common = {**drawing, "tokenized": tokenized, "format": layout}
    plans = [
        TaskPlan(
            name,
            partial(sentence_task, name, known[name], corpus, given, **drawing),
            _inputs_of(name, known[name], inputs, words),
            settings={**common, **settings_of(known[name], chosen), **_words_of(name, words)},
        )
        for name in wanted
    ]
    writer = TaskWriter(output, "sentence-level", spoken.name, common, force, layout)
    return run_plans(writer, plans, corpus.reading)


def _known_tasks(
    words: Mapping[str, Sequence[str]], agreement: Sequence[str]
) -> dict[str, SentenceTask]:
    """All tasks, those that the user asks for with a name of their own after the others."""
    known = {**SURFACE_TASKS, **ANNOTATED_TASKS}
    check_new_names(list(words), list(known), "--replace")
    known.update({name: replacement_task(name, some) for name, some in words.items()})
    if agreement:
        names = {f"Agree{feature}": feature for feature in agreement}
        check_new_names(list(names), list(known), "--agreement")
        known.update({name: agreement_task(feature) for name, feature in names.items()})
    return known


def _only_file(source: str) -> SourceFile:
    files = unimorph_files(source)
    if len(files) > 1:
        names = ", ".join(file.name for file in files)
        raise ConfigurationError(
            f"--unimorph {source} is several files ({names}): join those that you want into one."
        )
    return files[0]


def _inputs_of(
    name: str, task: SentenceTask, inputs: Mapping[str, Any], words: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Those that the task is made from, so that no other changes what it is said to be."""
    needless = set() if task.takes_text else {"text"}
    if name in SURFACE_TASKS or name in words:
        needless.add("unimorph")
    return {role: files for role, files in inputs.items() if role not in needless}


def _words_of(name: str, words: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return {"words": list(words[name])} if name in words else {}
