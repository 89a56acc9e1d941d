import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Optional

from linspector_allennlp.commands.live_line import LiveLine
from linspector_allennlp.commands.probe_summary import summarize
from linspector_allennlp.commands.tables import say, table, visible
from linspector_allennlp.io.json_objects import read_json_object
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite.executors import NAMES
from linspector_allennlp.suite.planned_run import PlannedRun
from linspector_allennlp.suite.suite import Suite
from linspector_allennlp.suite.suite_file import read_suite

DESCRIPTION = (
    "Trains all runs of a suite: tasks × languages × representations × layers × probes × seeds, with one "
    "process start, and each representation computed once. The same command goes on with what is missing; "
    "a run that fails does not stop the others. It ends with the table of the means over the seeds."
)

EXAMPLE = """\
example, a file suite.jsonnet:

  {
    data: 'DATA',
    tasks: ['Case', 'Number'],
    languages: ['finnish'],
    representations: { fasttext: 'fi.vec', chars: 'char_ngrams' },
    seeds: 3,
  }

  linspector probe-suite suite.jsonnet -s STUDY --dry-run
  linspector probe-suite suite.jsonnet -s STUDY --workers 2
  linspector probe-suite suite.jsonnet -s STUDY --only 'task=Case|Number,representation=f*,seed=13'

docs/suites.md says what a suite may have, docs/suites_running.md how it is run, on a cluster too."""

KEYS = ("language", "task", "representation")
VARYING = ("level", "encoder", "probe", "test", "train_share", "settings")
NOTHING = "–"

MOST_FAILURES = 20
MOST_LETTERS = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("suite", metavar="SUITE", help="a jsonnet file: the grid of the study")
    parser.add_argument(
        "-s", "--serialization-dir", required=True, metavar="STUDY",
        help="the folder of the study: run folders, results.csv, results.parquet, log",
    )  # fmt: skip
    parser.add_argument(
        "--workers", type=int, metavar="N",
        help="how many processes train (default: as many as there are cores)",
    )  # fmt: skip
    parser.add_argument(
        "--executor", choices=NAMES, default=NAMES[0],
        help="processes of this machine (default), or workers of Dask",
    )  # fmt: skip
    parser.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="of Dask's, as tcp://host:8786; without one, --executor dask starts workers here",
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true", help="show the plan and what of it is done; train nothing"
    )
    parser.add_argument(
        "--only", metavar="CHOICE",
        help="train some of the runs: COLUMN=VALUE|VALUE,…; * and ? are as in names of files",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--overrides", default="", metavar="JSON",
        help="""changes to the suite, as '{"seeds": 1}'""",
    )  # fmt: skip
    parser.set_defaults(func=_run)


def _run(args: argparse.Namespace) -> None:
    suite = Suite(read_suite(args.suite, overrides=args.overrides), args.serialization_dir)
    train_and_show(suite, args, lambda study: summarize([study]))


def train_and_show(suite: Suite, args: argparse.Namespace, show: Callable[[str], str]) -> None:
    """Trains what the arguments ask for, and prints the plan or what is to be shown of the study."""
    for note in suite.notes:
        say(note)
    noted = len(suite.notes)
    if args.dry_run:
        say(plan(suite, args.only))
        return
    live = LiveLine()
    try:
        suite.run(
            workers=args.workers,
            executor=args.executor,
            scheduler=args.scheduler or None,
            only=args.only,
            packages=getattr(args, "include_package", None) or (),
            observe=live,
        )
    finally:
        live.end()
    if any(map(suite.is_finished, suite.runs)):
        say(show(args.serialization_dir))
        say(f"\nThe results are in {args.serialization_dir}: results.csv, results.parquet, runs.")
    for note in suite.notes[noted:]:
        say(note)
    if suite.failed:
        say(failures(suite.study, suite.failed), file=sys.stderr)
        sys.exit(1)


def plan(suite: Suite, only: Optional[str] = None) -> str:
    """
    The plan as a table: a row for the runs of a task and representation, and of whatever else varies but layers,
    seeds and control tasks, of which it says which and how many there are.
    """
    runs = suite.chosen(only)
    varied = [name for name in VARYING if len({str(run.columns.get(name)) for run in runs}) > 1]
    keys = [*KEYS, *varied]
    rows: dict[tuple[str, ...], list[PlannedRun]] = {}
    for run in runs:
        rows.setdefault(tuple(_called(run, key) for key in keys), []).append(run)
    counts = {
        "layers": [_layers(group) for group in rows.values()],
        "seeds": [str(len({run.columns.get("seed") for run in group})) for group in rows.values()],
        "control": [
            "yes" if any(run.columns.get("control") for run in group) else NOTHING
            for group in rows.values()
        ],
    }
    shown = {name: cells for name, cells in counts.items() if {*cells} - {NOTHING}}
    done = {names: sum(map(suite.is_finished, group)) for names, group in rows.items()}
    lines = [
        [*names, *cells, str(len(rows[names])), str(done[names])]
        for names, *cells in zip(rows, *shown.values())
    ]
    left = range(len(keys))
    return "\n".join(
        [
            table([[*keys, *shown, "runs", "done"], *lines], left=left),
            "",
            f"{len(runs)} runs, {sum(done.values())} of them done.",
            *suite.missing_files(runs),
        ]
    )


def _called(run: PlannedRun, key: str) -> str:
    value = run.columns.get(key)
    if isinstance(value, dict):
        return ", ".join(f"{name}={each}" for name, each in value.items()) or NOTHING
    return NOTHING if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _layers(runs: Sequence[PlannedRun]) -> str:
    """As `0–6`, or `0, 3`."""
    numbers = sorted({run.columns["layer"] for run in runs if run.columns.get("layer") is not None})
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers)) or NOTHING


def failures(study: StudyFolder, names: list[str]) -> str:
    """The runs that failed, and why."""
    lines = [f"{len(names)} of the runs failed; the same command tries them again:"]
    for name in names[:MOST_FAILURES]:
        error = str(read_json_object(study.failed / f"{name}.json").get("error"))
        lines.append(visible(f"  {name}: {' '.join(error.split())[:MOST_LETTERS]}"))
    if len(names) > MOST_FAILURES:
        lines.append(f"  and {len(names) - MOST_FAILURES} more")
    return "\n".join(
        [*lines, f"{study.failed} has a file for each, with its traceback and config."]
    )
