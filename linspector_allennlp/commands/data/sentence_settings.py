"""The settings of single sentence-level tasks, as arguments of `probe-data sentence-level`."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.data.made_tasks import positive
from linspector_allennlp.tasks.sentences.clause_labels import VOICE_RULES
from linspector_allennlp.tasks.sentences.length_tasks import EOS_BINS, SENTLEN_BINS

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


def add_setting_arguments(group: argparse._ArgumentGroup) -> None:
    """The arguments that `given_settings` reads."""
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
        choices=list(VOICE_RULES),
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


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """Those that are given; a task has its own defaults for the others."""
    named = {name: getattr(args, argument) for argument, name in SETTINGS.items()}
    settings = {name: value for name, value in named.items() if value is not None}
    for name, value in named_values(args.setting, "--setting", "NAME=VALUE"):
        settings[name] = _value(value)
    return settings


def _value(text: str) -> Any:
    """A number, a list, true or false as JSON has them; else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def named_values(texts: Sequence[str], option: str, expected: str) -> list[tuple[str, str]]:
    """The words `NAME=VALUE` behind an option, in two."""
    pairs = []
    for text in texts:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise ConfigurationError(f"{option}: expected {expected}, found {text!r}.")
        pairs.append((name, value))
    return pairs
