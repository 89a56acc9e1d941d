"""`linspector probe-data sentence-level`: whole sentences of treebanks and plain text."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.data.made_tasks import (
    add_common_arguments,
    positive,
    print_made,
)
from linspector_allennlp.tasks.build import COLUMN_FILES, LAYOUTS
from linspector_allennlp.tasks.sentences.balance import NATURAL, greatest_ratio
from linspector_allennlp.tasks.sentences.length_tasks import EOS_BINS, SENTLEN_BINS
from linspector_allennlp.tasks.sentences.make_sentence_tasks import make_sentence_level_tasks

# The arguments that are settings of tasks, by the names that these have for them.
SETTINGS = {
    "bins": "sentlen_bins",
    "eos_bins": "eos_bins",
    "svdist_bins": "svdist_bins",
    "voice_rule": "voice_rule",
    "wc_count": "wc_count",
    "wc_skip": "wc_skip",
    "wo_noun": "wo_noun",
    "wo_zone": "wo_zone",
    "wo_least_length": "wo_least_length",
    "both_versions": "bishift_both",
    "skip_punctuation": "skip_punctuation",
    "spelling_least_letters": "spelling_least_letters",
}
VOICE_RULES = ("feat", "aux:pass", "any_pass")


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
        "rarest and the most frequent at most so far apart (default: %(default)s)",
    )
    parser.add_argument(
        "--format",
        choices=LAYOUTS,
        default=COLUMN_FILES,
        help="columns: train.txt, dev.txt and test.txt; senteval: one file as SentEval has it",
    )
    _add_settings(parser.add_argument_group("settings of single tasks"))


def make_sentence_level(args: argparse.Namespace) -> None:
    """Makes the tasks and prints what was made."""
    made = make_sentence_level_tasks(
        args.output,
        args.language,
        args.treebank,
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
        settings=_settings(args),
        tasks=args.tasks,
        skip_bad_lines=args.skip_bad_lines,
        force=args.force,
    )
    print_made(made, args.output)


def balance(text: str) -> str:
    try:
        greatest_ratio(text)
    except ConfigurationError as error:
        raise argparse.ArgumentTypeError(str(error.message)) from error
    return text


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--treebank",
        nargs="+",
        default=[],
        metavar="FILE",
        help="CoNLL-U files; or a name (UD_Finnish-TDT), whose files are then fetched",
    )
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


def _add_settings(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--bins",
        metavar="BINS",
        help=f"of SentLen: {', '.join(SENTLEN_BINS)}, or your own as 1-10,11-20,21+ (default: study)",
    )
    group.add_argument(
        "--eos-bins",
        metavar="BINS",
        help=f"of EOS: {', '.join(EOS_BINS)}, or your own (default: six for Turkish and Georgian, else "
        "eight)",
    )
    group.add_argument(
        "--svdist-bins", metavar="BINS", help="of SVDist: five (default), two, or your own"
    )
    group.add_argument(
        "--voice-rule",
        choices=VOICE_RULES,
        help="of Voice: the feature Voice=Pass, the relation aux:pass, or any relation that ends in "
        ":pass (default: by language)",
    )
    group.add_argument("--wc-words", metavar="FILE", help="the words of WC, one a line")
    group.add_argument(
        "--wc-count",
        type=positive,
        metavar="N",
        help="so many words for WC (30), in place of --wc-words: nouns of the treebank",
    )
    group.add_argument(
        "--wc-skip", type=int, metavar="N", help="after the so many most frequent nouns (30)"
    )
    group.add_argument(
        "--wo-noun", metavar="WORD", help="of WO (default: the most frequent noun of the treebank)"
    )
    group.add_argument(
        "--wo-zone",
        type=positive,
        metavar="N",
        help="so many tokens are the beginning of a sentence, and its end (4 for Turkish and "
        "Georgian, else 5)",
    )
    group.add_argument(
        "--wo-least-length",
        type=positive,
        metavar="N",
        help="sentences of WO have so many tokens or more (9 for Turkish and Georgian, else 13)",
    )
    group.add_argument(
        "--both-versions",
        action="store_true",
        default=None,
        help="BiShift has each sentence shifted and not, as in the thesis (default: one of the two)",
    )
    group.add_argument(
        "--skip-punctuation",
        action="store_true",
        default=None,
        help="BiShift shifts neither punctuation nor the first word, as SentEval's",
    )
    group.add_argument(
        "--spelling-least-letters",
        type=positive,
        metavar="N",
        help="the misspelt word has so many letters or more (3)",
    )
    group.add_argument(
        "--setting",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        help="any other setting of a task, by the name that it has in the manifest",
    )


def _settings(args: argparse.Namespace) -> dict[str, Any]:
    """Those that are given; a task has its own defaults for the others."""
    named = {name: getattr(args, argument) for argument, name in SETTINGS.items()}
    settings = {name: value for name, value in named.items() if value is not None}
    for name, value in _pairs(args.setting, "--setting", "NAME=VALUE"):
        settings[name] = _value(value)
    return settings


def _value(text: str) -> Any:
    """A number, a list, true or false as JSON has them; else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _replacements(texts: Sequence[str]) -> dict[str, str]:
    pairs = _pairs(texts, "--replace", "NAME=LIST.txt")
    lists = dict(pairs)
    if len(lists) < len(pairs):
        raise ConfigurationError("--replace: each NAME can have one list.")
    return lists


def _pairs(texts: Sequence[str], option: str, expected: str) -> list[tuple[str, str]]:
    pairs = []
    for text in texts:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise ConfigurationError(f"{option}: expected {expected}, found {text!r}.")
        pairs.append((name, value))
    return pairs
