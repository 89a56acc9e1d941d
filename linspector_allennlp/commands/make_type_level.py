"""`linspector probe-data type-level`: word forms from UniMorph paradigms."""

import argparse
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.pseudoword_plan import pseudoword_plan
from linspector_allennlp.commands.task_arguments import (
    add_common_arguments,
    checked_tasks,
    language_of,
    share,
)
from linspector_allennlp.commands.task_making import TaskPlan, input_file, make_tasks
from linspector_allennlp.sources.frequencies import WORDFREQ, read_frequencies
from linspector_allennlp.sources.remote import unimorph_files
from linspector_allennlp.sources.schema import dimensions
from linspector_allennlp.sources.unimorph import read_unimorph
from linspector_allennlp.tasks import pseudoword
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.type_level import DrawSettings, WordForms
from linspector_allennlp.tasks.type_level_tasks import (
    CHARACTER_BIN,
    PARADIGM_TASKS,
    TypeLevelSettings,
    type_level_tasks,
)

DEFAULTS = DrawSettings()


def add_type_level_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that `make_type_level` reads."""
    parser.add_argument(
        "--unimorph",
        nargs="+",
        metavar="FILE",
        help="paradigms: lemma, form, tags; or a code (fin), whose file is then fetched",
    )
    parser.add_argument(
        "--frequencies",
        metavar="FILE",
        help="the frequent words, one a line; or wordfreq, the list of that package (default: none, "
        "and all forms count alike)",
    )
    parser.add_argument(
        "--lexicon", metavar="FILE", help="words with their syllables, for Pseudo (Wuggy's files)"
    )
    parser.add_argument("--pseudowords", metavar="FILE", help="generated pseudowords, for Pseudo")
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
        choices=["form", "lemma"],
        default=DEFAULTS.split_by,
        help="lemma: all forms of a lemma in one split",
    )
    parser.add_argument(
        "--alternatives",
        choices=["ambiguous", "label"],
        default="ambiguous",
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
    with_pseudo = bool(args.lexicon or args.pseudowords)
    if not args.unimorph and not with_pseudo:
        raise ConfigurationError(
            "type-level needs --unimorph FILE; or --lexicon FILE, for Pseudo alone."
        )
    language = language_of(args.language, args.unimorph)
    known = [*PARADIGM_TASKS] * bool(args.unimorph) + [pseudoword.NAME] * with_pseudo
    wanted = checked_tasks(args.tasks, known)
    draw = DrawSettings(
        args.size, args.seed, args.none_ratio, args.frequent_ratio, args.rare_pair_ratio,
        args.min_label_count, args.split_by,
    )  # fmt: skip
    settings = {
        **draw._asdict(),
        "alternatives": args.alternatives,
        "graphemes": args.graphemes,
        "left_out": args.left_out,
    }
    reading: dict[str, dict] = {}
    inputs: dict[str, Any] = {}
    plans: list[TaskPlan] = []
    frequencies = words = None
    if args.frequencies:
        code = language.code or None
        if args.frequencies == WORDFREQ and code is None:
            raise ConfigurationError(
                f"--frequencies wordfreq needs a language with a code, not {language.name!r}."
            )
        frequencies = read_frequencies(args.frequencies, code, skip_bad_lines=args.skip_bad_lines)
        inputs["frequencies"] = frequencies.provenance()
        reading["frequencies"] = {"bad_lines": inputs["frequencies"].get("bad_lines", 0)}
    if args.unimorph:
        files = [file for source in args.unimorph for file in unimorph_files(source)]
        inputs["unimorph"] = sorted((input_file(*file) for file in files), key=str)
        paths = [file.path for file in files]
        unimorph = read_unimorph(*paths, skip_bad_lines=args.skip_bad_lines).single_words()
        reading["unimorph"] = unimorph.counts
        words = WordForms(unimorph, frequencies.knows if frequencies else None)
        of_paradigms = TypeLevelSettings(
            draw, language.name, args.alternatives == "label", args.graphemes, args.left_out
        )
        names = None if wanted is None else [name for name in wanted if name in PARADIGM_TASKS]
        for name, make in type_level_tasks(words, of_paradigms, names):
            regex = ["regex"] * (args.graphemes and name == CHARACTER_BIN)
            plans.append(TaskPlan(name, make, inputs, regex))
    if with_pseudo and (wanted is None or pseudoword.NAME in wanted):
        plans.append(pseudoword_plan(args, inputs, frequencies, words, reading))
    writer = TaskWriter(args.output, "type-level", language.name, settings, args.force)
    print(make_tasks(writer, plans, reading))
    print(f"\nIn {args.output}; the manifest.json there says how.")
    if not args.frequencies and args.unimorph:
        print("No --frequencies: frequent and rare forms were not told apart.")
