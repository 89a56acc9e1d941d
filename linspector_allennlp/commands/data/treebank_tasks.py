"""`linspector probe-data token-level` and `syneval`: words of a treebank."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Optional

from linspector_allennlp.commands.data.made_tasks import (
    add_common_arguments,
    add_treebank_folder,
    deviation,
    print_made,
)
from linspector_allennlp.commands.data.many_languages import make_languages
from linspector_allennlp.sources.resource_folder import treebanks_in
from linspector_allennlp.tasks import syneval, token_in_context
from linspector_allennlp.tasks.make_treebank_tasks import (
    make_syneval_tasks,
    make_token_level_tasks,
)
from linspector_allennlp.tasks.making import MadeTasks

MakeOne = Callable[[Optional[str], Sequence[str]], MadeTasks]


def add_token_level_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `make_token_level` reads."""
    _add_treebank_argument(parser)
    parser.add_argument(
        "--split-by",
        choices=token_in_context.SPLIT_BY,
        default=token_in_context.SPLIT_BY[0],
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
    _make_of_treebanks(args, partial(_make_token_level, args))


def _make_token_level(
    args: argparse.Namespace, language: Optional[str], treebank: Sequence[str]
) -> MadeTasks:
    return make_token_level_tasks(
        args.output,
        language,
        treebank,
        size=args.size,
        seed=args.seed,
        min_label_count=args.min_label_count,
        split_by=args.split_by,
        max_length_deviation=args.max_length_deviation,
        tasks=args.tasks,
        skip_bad_lines=args.skip_bad_lines,
        force=args.force,
    )


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
        "--pos",
        "--pos-column",
        dest="pos_column",
        choices=syneval.POS_COLUMNS,
        default=syneval.POS_COLUMNS[0],
        help="the parts of speech of pos and headpos",
    )
    add_common_arguments(parser, size=None)


def make_syneval(args: argparse.Namespace) -> None:
    """Makes the tasks and prints what was made."""
    _make_of_treebanks(args, partial(_make_syneval, args))


def _make_syneval(
    args: argparse.Namespace, language: Optional[str], treebank: Sequence[str]
) -> MadeTasks:
    return make_syneval_tasks(
        args.output,
        language,
        treebank,
        size=args.size,
        seed=args.seed,
        min_label_count=args.min_label_count,
        split_by=args.split_by,
        pos_column=args.pos_column,
        tasks=args.tasks,
        skip_bad_lines=args.skip_bad_lines,
        force=args.force,
    )


def _make_of_treebanks(args: argparse.Namespace, make: MakeOne) -> None:
    if args.treebank_folder:
        make_languages(treebanks_in(args.treebank_folder), args.language, args.output, make)
    else:
        print_made(make(args.language, args.treebank), args.output)


def _add_treebank_argument(parser: argparse.ArgumentParser) -> None:
    treebanks = parser.add_mutually_exclusive_group(required=True)
    treebanks.add_argument(
        "--treebank",
        nargs="+",
        metavar="FILE",
        help="CoNLL-U files with UD features or UniMorph tags; or a name (UD_Finnish-TDT), whose "
        "files are then fetched",
    )
    add_treebank_folder(treebanks)
