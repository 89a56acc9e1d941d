"""`linspector probe-data token-level` and `syneval`: words of a treebank."""

import argparse
from functools import partial
from typing import Any

from linspector_allennlp.commands.task_arguments import (
    add_common_arguments,
    checked_tasks,
    deviation,
    language_of,
)
from linspector_allennlp.commands.task_making import TaskPlan, input_file, make_tasks
from linspector_allennlp.sources.analysed_sentences import AnalysedTreebank, analysed
from linspector_allennlp.sources.remote import treebank_files
from linspector_allennlp.sources.schema import LANGUAGE_SPECIFIC, dimensions
from linspector_allennlp.tasks import syneval, word_values
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.token_in_context import (
    CHARACTER_BIN,
    SPLIT_BY,
    TAG_COUNT,
    token_task,
)
from linspector_allennlp.treebanks import Sentence, TreebankCounts, read_treebank

TOKEN_TASKS = [
    *(name for name in dimensions() if name != LANGUAGE_SPECIFIC),
    TAG_COUNT,
    CHARACTER_BIN,
]


def add_token_level_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `make_token_level` reads."""
    _add_treebank_argument(parser)
    parser.add_argument(
        "--split-by",
        choices=SPLIT_BY,
        default=SPLIT_BY[0],
        help="sentence: no sentence in two splits; token: the study's own way, which lets train and "
        "test share sentences",
    )
    parser.add_argument(
        "--max-length-deviation",
        type=deviation,
        metavar="Z",
        help="only sentences whose length is within Z standard deviations of the mean",
    )
    add_common_arguments(parser, size=10_000)


def make_token_level(args: argparse.Namespace) -> None:
    """Makes the tasks and prints what was made."""
    language = language_of(args.language, args.treebank)
    wanted = checked_tasks(args.tasks, TOKEN_TASKS)
    settings = {
        "size": args.size,
        "seed": args.seed,
        "min_label_count": args.min_label_count,
        "split_by": args.split_by,
        "max_length_deviation": args.max_length_deviation,
    }
    inputs, counts, sentences = _read(args)
    treebank = analysed(sentences, counts)
    plans = [
        TaskPlan(name, partial(token_task, treebank.sentences, name, **settings), inputs)
        for name in wanted or _carried(treebank)
    ]
    writer = TaskWriter(args.output, "token-level", language.name, settings, args.force)
    _write(writer, plans, args.output, {**vars(counts), "unknown_tags": treebank.unknown})


def add_syneval_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `make_syneval` reads."""
    _add_treebank_argument(parser)
    parser.add_argument(
        "--split-by",
        choices=syneval.SPLIT_BY,
        default=syneval.SPLIT_BY[0],
        help="files: the treebank's own splits, named train, dev and test; sentence: 70/20/10; "
        "auto: files where they are so named",
    )
    parser.add_argument(
        "--pos-column",
        choices=syneval.POS_COLUMNS,
        default=syneval.POS_COLUMNS[0],
        help="the parts of speech of pos and headpos",
    )
    add_common_arguments(parser, size=None)


def make_syneval(args: argparse.Namespace) -> None:
    """Makes the tasks and prints what was made."""
    language = language_of(args.language, args.treebank)
    wanted = checked_tasks(args.tasks, word_values.TASKS)
    settings = {
        "size": args.size,
        "seed": args.seed,
        "min_label_count": args.min_label_count,
        "split_by": args.split_by,
        "pos_column": args.pos_column,
    }
    inputs, counts, sentences = _read(args)
    plans = [
        TaskPlan(name, partial(syneval.syneval_task, sentences, name, **settings), inputs)
        for name in wanted or word_values.TASKS
    ]
    writer = TaskWriter(args.output, "syneval", language.name, settings, args.force)
    _write(writer, plans, args.output, vars(counts))


def _add_treebank_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--treebank",
        nargs="+",
        required=True,
        metavar="FILE",
        help="CoNLL-U files with UD features or UniMorph tags; or a name (UD_Finnish-TDT), whose "
        "files are then fetched",
    )


def _read(args: argparse.Namespace) -> tuple[dict[str, Any], TreebankCounts, list[Sentence]]:
    files = [file for source in args.treebank for file in treebank_files(source)]
    inputs = {"treebank": sorted((input_file(*file) for file in files), key=str)}
    counts = TreebankCounts()
    # The name of a file tells its split, even where the cache has another name for it.
    sentences = [
        sentence._replace(path=file.name)
        for file in files
        for sentence in read_treebank([file.path], counts, args.skip_bad_lines)
    ]
    return inputs, counts, sentences


def _write(writer: TaskWriter, plans: list[TaskPlan], output: str, reading: dict[str, Any]) -> None:
    print(make_tasks(writer, plans, {"treebank": reading}))
    print(f"\nIn {output}; the manifest.json there says how.")


def _carried(treebank: AnalysedTreebank) -> list[str]:
    """The tasks for whose feature some word has a value."""
    analyses = {id(a): a for sentence in treebank.sentences for a in sentence.analyses if a}
    found = {name for analysis in analyses.values() for name in analysis.values}
    return [name for name in TOKEN_TASKS if name in found | {TAG_COUNT, CHARACTER_BIN}]
