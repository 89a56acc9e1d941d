"""`linspector probe-data type-level`: word forms from UniMorph paradigms."""

import argparse
import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Optional

from linspector_allennlp.commands.data.made_tasks import (
    add_common_arguments,
    positive,
    print_made,
    share,
)
from linspector_allennlp.commands.data.many_languages import check_alone, make_languages
from linspector_allennlp.commands.tables import say
from linspector_allennlp.sources.resource_folder import paradigms_in
from linspector_allennlp.sources.schema import dimensions
from linspector_allennlp.tasks.make_type_level import make_type_level_tasks
from linspector_allennlp.tasks.making import MadeTasks
from linspector_allennlp.tasks.word_forms import (
    ALTERNATIVES,
    AMBIGUITY,
    PAIRS,
    SPLIT_BY,
    TypeLevelSettings,
)

DEFAULTS = TypeLevelSettings()


def add_type_level_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `make_type_level` reads."""
    paradigms = parser.add_mutually_exclusive_group()
    paradigms.add_argument(
        "--unimorph",
        nargs="+",
        metavar="FILE",
        help="paradigms: lemma, form, tags; or a code (fin), whose file is then fetched",
    )
    paradigms.add_argument(
        "--unimorph-folder",
        metavar="FOLDER",
        help="such files of many languages, told by their names (ron.tsv, fin.1): the tasks of all of them",
    )
    parser.add_argument(
        "--frequencies",
        metavar="FILE",
        help="the frequent words, one a line; or a folder with such a file for each language (fi.txt); or "
        "wordfreq, the lists of that package (default: none, and all forms count alike)",
    )
    parser.add_argument(
        "--most-frequent",
        type=positive,
        metavar="N",
        help="only the first N words of the list are frequent (default: all; the study had the first "
        "million for Russian)",
    )
    parser.add_argument(
        "--lexicon",
        metavar="FILE",
        help="words with their syllables, for Pseudo (Wuggy's files); or wuggy:german, a language of the "
        "wuggy package, whose plugin and lexicon are then fetched; or wuggy:FOLDER with both",
    )
    parser.add_argument(
        "--segments",
        metavar="wuggy:LANGUAGE",
        help="cut the syllables of a lexicon of your own as this language of the wuggy package does "
        "(default: before and after their vowels)",
    )
    parser.add_argument("--pseudowords", metavar="FILE", help="generated pseudowords, for Pseudo")
    parser.add_argument(
        "--values",
        nargs="+",
        action="extend",
        type=feature_values,
        metavar="FEATURE=VALUE,…",
        help="only these values of a feature, as Voice=Active,Passive (the study's); forms with others "
        "leave its task, and are not None (default: all values)",
    )
    parser.add_argument(
        "--ambiguity",
        choices=AMBIGUITY,
        help="which forms are left out: those ambiguous for the feature of the task, or those with more "
        "than one analysis (default: feature; analysis for POS, TagCount and CharacterBin)",
    )
    parser.add_argument(
        "--pairs",
        choices=PAIRS,
        default=DEFAULTS.pairs,
        help="OddFeat and SameFeat: labels as even as the data allow, and no pair that has two; or drawn "
        "as the study did",
    )
    parser.add_argument(
        "--none-ratio",
        type=share,
        default=DEFAULTS.none_ratio,
        help="share of forms without the feature",
    )
    parser.add_argument(
        "--frequent-ratio",
        type=share,
        default=DEFAULTS.frequent_ratio,
        help="share of frequent forms",
    )
    parser.add_argument(
        "--rare-pair-ratio",
        type=share,
        default=DEFAULTS.rare_pair_ratio,
        help="share kept of the pairs that have a rare form",
    )
    parser.add_argument(
        "--split-by",
        choices=SPLIT_BY,
        default=DEFAULTS.split_by,
        help="lemma: all forms of a lemma in one split",
    )
    parser.add_argument(
        "--alternatives",
        choices=ALTERNATIVES,
        default=DEFAULTS.alternatives,
        help="what NOM/ACC is: ambiguous between two values, or a label",
    )
    parser.add_argument(
        "--graphemes",
        action="store_true",
        help="CharacterBin counts graphemes, not code points",
    )
    parser.add_argument(
        "--left-out",
        nargs="*",
        choices=dimensions(),
        metavar="FEATURE",
        help="features that SameFeat does not compare (default: POS, what the study left out, and "
        "what nearly all forms share)",
    )
    add_common_arguments(parser, DEFAULTS.size)


def make_type_level(args: argparse.Namespace) -> None:
    """Makes the tasks and prints what was made."""
    if args.unimorph_folder:
        alone = {
            "--lexicon": args.lexicon,
            "--pseudowords": args.pseudowords,
            "--segments": args.segments,
        }
        check_alone("--unimorph-folder", alone)
        make_languages(
            paradigms_in(args.unimorph_folder), args.language, args.output, partial(_make, args)
        )
    else:
        print_made(_make(args, args.language, args.unimorph or ()), args.output)
    if not args.frequencies and (args.unimorph or args.unimorph_folder):
        say("No --frequencies: frequent and rare forms were not told apart.")


def _make(args: argparse.Namespace, language: Optional[str], unimorph: Sequence[str]) -> MadeTasks:
    # Each of them is an argument of the same name.
    settings = TypeLevelSettings(*(getattr(args, name) for name in TypeLevelSettings._fields))
    return make_type_level_tasks(
        args.output,
        language,
        unimorph=unimorph,
        frequencies=args.frequencies,
        lexicon=args.lexicon,
        pseudowords=args.pseudowords,
        settings=settings._replace(values=_joined(args.values)),
        tasks=args.tasks,
        skip_bad_lines=args.skip_bad_lines,
        force=args.force,
        most_frequent=args.most_frequent,
        segments=args.segments,
    )


def feature_values(text: str) -> tuple[str, list[str]]:
    """`Voice=Active,Passive`; a comma before a space is part of a value."""
    feature, equals, values = text.partition("=")
    if not equals or not feature or not values:
        raise argparse.ArgumentTypeError(f"{text} is not FEATURE=VALUE,VALUE")
    return feature, re.split(",(?! )", values)


def _joined(pairs: Optional[Iterable[tuple[str, list[str]]]]) -> Optional[dict[str, list[str]]]:
    """The values of each feature; one that is named twice has those of both."""
    values: dict[str, list[str]] = {}
    for feature, some in pairs or ():
        values.setdefault(feature, []).extend(some)
    return values or None
