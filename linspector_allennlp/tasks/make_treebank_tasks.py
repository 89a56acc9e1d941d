"""Making tasks from a treebank: token-level tasks, and syneval's."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Optional

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.sources.analysed_sentences import AnalysedTreebank, analysed
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.making import (
    MadeTasks,
    TaskPlan,
    language_of,
    run_plans,
)
from linspector_allennlp.tasks.splits import check_size
from linspector_allennlp.tasks.syneval import syneval_task
from linspector_allennlp.tasks.syneval_values import TASKS as SYNEVAL_TASKS
from linspector_allennlp.tasks.task_data import (
    CHARACTER_BIN,
    PAIR_TASKS,
    TAG_COUNT,
    TOKEN_TASKS,
    TaskData,
    checked_tasks,
)
from linspector_allennlp.tasks.token_in_context import token_task
from linspector_allennlp.tasks.token_pairs import token_pair_task
from linspector_allennlp.tasks.treebank_input import read_treebank_input


def make_token_level_tasks(
    output: PathLike,
    language: Optional[str],
    treebank: Sequence[str],
    size: int = 10_000,
    seed: int = 0,
    min_label_count: int = 5,
    split_by: str = "sentence",
    max_length_deviation: Optional[float] = None,
    tasks: Optional[Iterable[str]] = None,
    skip_bad_lines: bool = False,
    force: bool = False,
) -> MadeTasks:
    """
    Makes tasks of tokens in context, and of pairs of them, into `output/TASK/LANGUAGE/`; those that are
    there already, and would come out the same, are left as they are.

    # Parameters

    output : `PathLike`
        The folder for the tasks.
    language : `str`, optional
        Its name or ISO 639 code; `None` where the name of a file tells it.
    treebank : `Sequence[str]`
        CoNLL-U files, or names (`UD_Finnish-TDT`), whose files are then fetched.
    size, seed, min_label_count, split_by, max_length_deviation
        See `token_task`.
    tasks : `Iterable[str]`, optional
        Only these; by default all whose feature some word has, and OddFeat and SameFeat.
    skip_bad_lines : `bool`, optional (default = `False`)
        Count broken lines and go on; the default is to stop at the first.
    force : `bool`, optional (default = `False`)
        Replace tasks that are there and were made otherwise.
    """
    check_size(size)
    spoken = language_of(language, treebank)
    wanted = checked_tasks(tasks, [*TOKEN_TASKS, *PAIR_TASKS])
    settings: dict[str, Any] = {
        "size": size,
        "seed": seed,
        "min_label_count": min_label_count,
        "split_by": split_by,
        "max_length_deviation": max_length_deviation,
    }
    read = read_treebank_input(treebank, skip_bad_lines)
    words = analysed(read.sentences, read.counts)
    plans = [
        TaskPlan(name, _maker(name, words, spoken.name, settings), read.inputs)
        for name in wanted or [*_carried(words), *PAIR_TASKS]
    ]
    writer = TaskWriter(output, "token-level", spoken.name, settings, force)
    return run_plans(writer, plans, {"treebank": {**read.found(), "unknown_tags": words.unknown}})


def make_syneval_tasks(
    output: PathLike,
    language: Optional[str],
    treebank: Sequence[str],
    size: Optional[int] = None,
    seed: int = 0,
    min_label_count: int = 5,
    split_by: str = "auto",
    pos_column: str = "upos",
    tasks: Optional[Iterable[str]] = None,
    skip_bad_lines: bool = False,
    force: bool = False,
) -> MadeTasks:
    """
    Makes syneval's tasks, as `make_token_level_tasks` makes its own.

    # Parameters

    size, seed, min_label_count, split_by, pos_column
        See `syneval_task`; the others are those of `make_token_level_tasks`.
    """
    if size is not None:
        check_size(size)
    spoken = language_of(language, treebank)
    wanted = checked_tasks(tasks, SYNEVAL_TASKS)
    settings: dict[str, Any] = {
        "size": size,
        "seed": seed,
        "min_label_count": min_label_count,
        "split_by": split_by,
        "pos_column": pos_column,
    }
    read = read_treebank_input(treebank, skip_bad_lines)
    plans = [
        TaskPlan(name, partial(syneval_task, read.sentences, name, **settings), read.inputs)
        for name in wanted or SYNEVAL_TASKS
    ]
    writer = TaskWriter(output, "syneval", spoken.name, settings, force)
    return run_plans(writer, plans, {"treebank": read.found()})


def _maker(
    name: str, words: AnalysedTreebank, language: str, settings: dict[str, Any]
) -> Callable[[], TaskData]:
    if name in PAIR_TASKS:
        return partial(token_pair_task, words.sentences, name, language, **settings)
    return partial(token_task, words.sentences, name, **settings)


def _carried(treebank: AnalysedTreebank) -> list[str]:
    """The tasks for whose feature some word has a value."""
    analyses = {id(a): a for sentence in treebank.sentences for a in sentence.analyses if a}
    found = {name for analysis in analyses.values() for name in analysis.values}
    return [name for name in TOKEN_TASKS if name in found | {TAG_COUNT, CHARACTER_BIN}]
