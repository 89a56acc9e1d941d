import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from linspector_allennlp.analysis.pair_comparison import FEWEST_SAMPLES, METHODS
from linspector_allennlp.commands.compared_sides import ComparedSide, ComparisonOptions, Match
from linspector_allennlp.commands.comparison_text import describe
from linspector_allennlp.commands.run_comparison import compare_runs
from linspector_allennlp.commands.side_comparison import side_comparison
from linspector_allennlp.commands.side_comparison_text import (
    as_csv,
    as_latex,
    as_markdown,
    describe_sides,
)
from linspector_allennlp.commands.study_matches import study_matches
from linspector_allennlp.commands.table_files import add_format_arguments, write_formats
from linspector_allennlp.commands.tables import say
from linspector_allennlp.io.files import PathLike, write_json
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.study_folder import StudyFolder

FEW_SAMPLES = 100
FORMATS = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex}
OF_A_STUDY = ("by", "where", "pairs", "baseline")

DESCRIPTION = (
    "Tells whether one probe run is really better than another on the same items: the "
    "difference with its 95 % interval, by a randomisation test over sentences, and McNemar's test. "
    "Of several runs with different seeds (--a RUN RUN --b RUN RUN), the error that other seeds would "
    "make is part of the test. Of a study, all pairs of representations, or of another column, are "
    "compared within each task, with Holm's correction and a sign test over tasks."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs", nargs="*", metavar="RUN", help="two folders of probe runs, A and B; or one study"
    )
    for name in "ab":
        parser.add_argument(
            f"--{name}", nargs="+", metavar="RUN", help=f"the runs of {name.upper()}, one a seed"
        )
    parser.add_argument(
        "--by", metavar="COLUMNS", help="of a study: what is compared (default: representation)"
    )
    parser.add_argument(
        "--where", metavar="CONDITIONS", help="of a study: only these runs, as 'task=Case,layer=3'"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--pairs", nargs="+", metavar="A:B", help="of a study: only these pairs of values"
    )
    which.add_argument(
        "--baseline", metavar="A", help="of a study: only the pairs of this value and each other"
    )
    parser.add_argument(
        "--split",
        choices=["test", "validation"],
        default="test",
        help="whose predictions are compared",
    )
    parser.add_argument(
        "--common", action="store_true", help="compare only the items that the runs share"
    )
    parser.add_argument(
        "--method", choices=METHODS, default=METHODS[0], help="of several runs: how they are tested"
    )
    parser.add_argument(
        "--samples", type=int, help=f"of the test (default: {FEWEST_SAMPLES}; more for many pairs)"
    )
    parser.add_argument("--seed", type=int, default=13, help="of the test")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there too")
    add_format_arguments(parser, FORMATS, "of several runs: ")
    parser.set_defaults(func=_run, wrong_usage=parser.error)


def _run(args: argparse.Namespace) -> None:
    for name in ("json", *FORMATS):
        if (file := getattr(args, name)) and not Path(file).parent.is_dir():
            raise ValueError(f"--{name}: there is no folder {Path(file).parent}.")
    options = ComparisonOptions(args.split, args.common, args.samples, args.seed, args.method)
    if not (args.a or args.b) and len(args.runs) == 1 and StudyFolder.is_study(args.runs[0]):
        by = (args.by or "representation").split(",")
        numbers = compare_study(
            args.runs[0], by, args.where or "", args.pairs or (), args.baseline, options
        )
    else:
        _refuse(args, OF_A_STUDY, "a study")
        if not (args.a or args.b):
            if not args.runs:
                args.wrong_usage("expected two runs, --a RUN RUN … --b RUN RUN …, or a study")
            _compare_two(args)
            return
        if not (args.a and args.b) or args.runs:
            raise ValueError("expected the runs of both sides: --a RUN RUN … --b RUN RUN ….")
        numbers = compare_sides(args.a, args.b, options)
    if args.json:
        write_json(args.json, numbers)
    if write_formats(args, FORMATS, numbers):
        if args.csv or args.markdown:  # LaTeX has them as comments
            say("\n".join(numbers["notes"]), file=sys.stderr)
    else:
        say(describe_sides(numbers))


def _compare_two(args: argparse.Namespace) -> None:
    if len(args.runs) != 2:
        raise ValueError(
            "expected two runs, or the runs of two sides (--a RUN RUN … --b RUN RUN …), or a study, found "
            f"{' '.join(args.runs) or 'nothing'}."
        )
    _refuse(args, tuple(FORMATS), "several runs a side")
    if args.method != METHODS[0]:
        raise ValueError("--method is for several runs a side (--a, --b) or a study.")
    samples = FEWEST_SAMPLES if args.samples is None else args.samples
    run_a, run_b = args.runs
    numbers = probe_compare(run_a, run_b, args.split, args.common, samples, args.seed)
    if args.json:
        write_json(args.json, numbers)
    say(describe(numbers))


def _refuse(args: argparse.Namespace, names: Sequence[str], what: str) -> None:
    for name in names:
        if getattr(args, name):
            raise ValueError(f"--{name} is for {what}.")


def probe_compare(
    run_a: PathLike,
    run_b: PathLike,
    split: str = "test",
    common: bool = False,
    samples: int = FEWEST_SAMPLES,
    seed: int = 13,
) -> dict[str, Any]:
    """
    All numbers of the comparison of two run folders, and notes on the items, as `--json` has them.

    # Parameters

    common : `bool`, optional (default = `False`)
        Whether only the items that both runs have are compared.
    samples, seed : `int`, optional
        Of the randomisation test.
    """
    _check(samples, seed)
    return compare_runs(RunFolder.read(run_a), RunFolder.read(run_b), split, common, samples, seed)


def compare_sides(
    runs_a: Sequence[PathLike],
    runs_b: Sequence[PathLike],
    options: ComparisonOptions = ComparisonOptions(),
) -> dict[str, Any]:
    """All numbers of the comparison of two sides, whose runs differ in their seeds, as `--json` has them."""
    _check(options.samples, options.seed)
    first = RunFolder.read(runs_a[0])
    sides = [ComparedSide(name, list(runs)) for name, runs in (("A", runs_a), ("B", runs_b))]
    return side_comparison([Match({"task": first.task}, *sides)], options)


def compare_study(
    study: PathLike,
    by: Sequence[str] = ("representation",),
    where: str = "",
    pairs: Sequence[str] = (),
    baseline: Optional[str] = None,
    options: ComparisonOptions = ComparisonOptions(),
) -> dict[str, Any]:
    """
    All numbers of the comparisons within a study, as `--json` has them. For the parameters see
    `study_matches`.
    """
    _check(options.samples, options.seed)
    matches, notes = study_matches(study, by, where, pairs, baseline)
    numbers = side_comparison(matches, options)
    return {**numbers, "notes": [*notes, *numbers["notes"]]}


def _check(samples: Optional[int], seed: int) -> None:
    if samples is not None and samples < FEW_SAMPLES:
        raise ValueError(f"--samples: expected {FEW_SAMPLES} or more, found {samples}.")
    if seed < 0:
        raise ValueError(f"--seed: expected 0 or more, found {seed}.")
