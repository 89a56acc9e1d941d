"""`linspector probe-data sentence-level`: whole sentences of treebanks and plain text."""

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.data.made_tasks import (
    add_common_arguments,
    add_treebank_folder,
    print_made,
)
from linspector_allennlp.commands.data.many_languages import check_alone, make_languages
from linspector_allennlp.commands.data.sentence_settings import (
    add_setting_arguments,
    given_settings,
    named_values,
)
from linspector_allennlp.sources.resource_folder import treebanks_in
from linspector_allennlp.tasks.build import COLUMN_FILES, LAYOUTS
from linspector_allennlp.tasks.making import MadeTasks
from linspector_allennlp.tasks.sentences.balance import NATURAL, greatest_ratio
from linspector_allennlp.tasks.sentences.make_sentence_tasks import make_sentence_level_tasks

# Inputs and settings that are words of a language.
OF_ONE_LANGUAGE = ("text", "unimorph", "replace", "wc_words", "wo_noun")


def add_sentence_level_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `make_sentence_level` reads."""
    _add_inputs(parser)
    add_common_arguments(parser, size=10_000)
    parser.add_argument(
        "--balance",
        type=balance,
        default=NATURAL,
        metavar="natural|even|1:N",
        help="natural: labels as frequent as they are; even: all equally frequent; 1:5, 1:10, …: the "
        "rarest and the most frequent at most so far apart",
    )
    parser.add_argument(
        "--format",
        choices=LAYOUTS,
        default=COLUMN_FILES,
        help="columns: train.txt, dev.txt and test.txt; senteval: one file as SentEval has it",
    )
    add_setting_arguments(parser.add_argument_group("settings of single tasks"))


def make_sentence_level(args: argparse.Namespace) -> None:
    """Makes the tasks and prints what was made."""
    if args.treebank_folder:
        of_one = {f"--{name.replace('_', '-')}": getattr(args, name) for name in OF_ONE_LANGUAGE}
        check_alone("--treebank-folder", of_one)
        make_languages(
            treebanks_in(args.treebank_folder), args.language, args.output, partial(_make, args)
        )
    else:
        print_made(_make(args, args.language, args.treebank), args.output)


def _make(args: argparse.Namespace, language: Optional[str], treebank: Sequence[str]) -> MadeTasks:
    return make_sentence_level_tasks(
        args.output,
        language,
        treebank,
        args.text,
        unimorph=args.unimorph,
        size=args.size,
        seed=args.seed,
        balance=args.balance,
        min_label_count=args.min_label_count,
        tokenized=args.tokenized,
        layout=args.format,
        agreement=args.agreement,
        replace=_replacements(args.replace),
        wc_words=args.wc_words,
        settings=given_settings(args),
        tasks=args.tasks,
        skip_bad_lines=args.skip_bad_lines,
        force=args.force,
    )


def balance(text: str) -> str:
    try:
        greatest_ratio(text)
    except ConfigurationError as error:
        raise argparse.ArgumentTypeError(str(error.message)) from error
    return text


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    treebanks = parser.add_mutually_exclusive_group()
    treebanks.add_argument(
        "--treebank",
        nargs="+",
        default=[],
        metavar="FILE",
        help="CoNLL-U files; or a name (UD_Finnish-TDT), whose files are then fetched",
    )
    add_treebank_folder(treebanks)
    parser.add_argument(
        "--text",
        nargs="+",
        default=[],
        metavar="FILE",
        help="plain text, one sentence a line, also .gz: for tasks that need no annotation, and where "
        "the treebank does not have --size items; a blank line ends a document",
    )
    parser.add_argument(
        "--tokenized",
        action="store_true",
        help="the tokens of --text are those between its spaces",
    )
    parser.add_argument(
        "--unimorph",
        metavar="FILE",
        help="a UniMorph file, or a language code whose file is then fetched: the forms that SVAgree "
        "and --agreement choose from",
    )
    parser.add_argument(
        "--agreement",
        nargs="+",
        default=[],
        metavar="FEATURE",
        help="make a task of agreement in this feature (Number, Gender, …), called AgreeFEATURE",
    )
    parser.add_argument(
        "--replace",
        nargs="+",
        default=[],
        metavar="NAME=LIST",
        help="make a task NAME: was a word of a list (a file, one word a line) replaced by another of "
        "the list (C) or not (O)?",
    )


def _replacements(texts: Sequence[str]) -> dict[str, str]:
    pairs = named_values(texts, "--replace", "NAME=LIST.txt")
    lists = dict(pairs)
    if len(lists) < len(pairs):
        raise ConfigurationError("--replace: each NAME can have one list.")
    return lists
