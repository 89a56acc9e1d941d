import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Optional

from linspector_allennlp.analysis.chosen_settings import ChosenSettings
from linspector_allennlp.analysis.run_groups import group_runs
from linspector_allennlp.commands.run_text import describe_run
from linspector_allennlp.commands.run_warnings import warnings_of
from linspector_allennlp.commands.summary_formats import as_csv, as_latex, as_markdown, as_text
from linspector_allennlp.commands.summary_tables import SummaryTable, summary_table
from linspector_allennlp.commands.table_files import add_format_arguments, write_formats
from linspector_allennlp.commands.tables import say, visible
from linspector_allennlp.run_folders.config_differences import with_differences
from linspector_allennlp.run_folders.found_runs import FoundRun, find_runs
from linspector_allennlp.run_folders.run_filter import (
    check_conditions,
    check_names,
    fulfils,
    read_conditions,
)
from linspector_allennlp.run_folders.run_record import Column
from linspector_allennlp.run_folders.table_columns import BASELINES

DESCRIPTION = (
    "Prints the test scores of finished probe runs, and of the studies of probe-suite, beside their "
    "baselines, all in percent. Runs that differ only in their seed are one row, with mean ± standard "
    "deviation. Of a single run, it prints the scores of each label and the most frequent confusions, too."
)

SPLITS = {"test": "test_", "validation": "best_validation_", "train": "training_"}

# Of metrics that no column of a run says how to print; the others are numbers.
IN_PERCENT = ("accuracy", "f1", "uuas", "oov", "overlap")

FORMATS = {"csv": as_csv, "markdown": as_markdown, "latex": as_latex}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="the folder of a finished run, or of a study"
    )
    parser.add_argument(
        "--by",
        metavar="COLUMNS",
        help="what tells rows apart, as task,representation; otherwise all but the seed",
    )
    parser.add_argument("--metric", help="another score, as macro_f1 or loss")
    parser.add_argument(
        "--split", choices=SPLITS, default="test", help="which data the score is of"
    )
    parser.add_argument(
        "--where", default="", metavar="CONDITIONS", help="only these runs, as 'task=Case,layer=3'"
    )
    parser.add_argument(
        "--sort", metavar="COLUMNS", help="such as score (the best first), selectivity or task"
    )
    parser.add_argument(
        "--all-settings", action="store_true", help="also the settings that a search did not choose"
    )
    add_format_arguments(parser, FORMATS)
    parser.set_defaults(func=_run)


class Wanted(NamedTuple):
    """
    What is to be shown of runs.

    # Parameters

    by : `Sequence[str]`, optional
        The columns that tell rows apart; by default all but the seed.
    metric : `str`, optional
        In the place of the scores that such runs usually show.
    split : `str`, optional (default = `"test"`)
    where : `str`, optional
        Conditions, as `task=Case,layer=3`.
    sort : `Sequence[str]`, optional
        Columns, or `score`, `selectivity`, `seeds`.
    all_settings : `bool`, optional (default = `False`)
        Whether the settings are shown that a search did not choose.
    """

    by: Optional[Sequence[str]] = None
    metric: Optional[str] = None
    split: str = "test"
    where: str = ""
    sort: Sequence[str] = ()
    all_settings: bool = False


class Summary(NamedTuple):
    """A table for each kind of run, and what there is to say of the runs."""

    tables: list[SummaryTable]
    notes: list[str]


def _run(args: argparse.Namespace) -> None:
    wanted = Wanted(
        args.by and args.by.split(","),
        args.metric,
        args.split,
        args.where,
        args.sort.split(",") if args.sort else (),
        args.all_settings,
    )
    if not any(getattr(args, name) for name in FORMATS):
        say(summarize(args.runs, wanted))
        return
    summary = summary_of(args.runs, wanted)
    write_formats(args, FORMATS, summary.tables)
    for note in summary.notes:
        say(note, file=sys.stderr)


def summarize(paths: Sequence[str], wanted: Wanted = Wanted()) -> str:
    """The summary of run folders and studies, as text for a terminal."""
    notes: list[str] = []
    runs = list(find_runs(paths, notes.append))
    if len(runs) == 1 and not runs[0].study and wanted == Wanted():
        run = runs[0].run
        warnings = [f"Warning: {warning}" for warning in warnings_of({runs[0].name: run})]
        parts = [*describe_run(run), "\n".join(map(visible, [*warnings, *notes]))]
    else:
        summary = _summary(runs, notes, wanted)
        parts = [as_text(summary.tables), "\n".join(summary.notes)]
    return visible("\n\n".join(part for part in parts if part), keep="\n")


def summary_of(paths: Sequence[str], wanted: Wanted = Wanted()) -> Summary:
    """The tables of run folders and studies."""
    notes: list[str] = []
    return _summary(list(find_runs(paths, notes.append)), notes, wanted)


def _summary(runs: list[FoundRun], notes: list[str], wanted: Wanted) -> Summary:
    if not runs:
        raise FileNotFoundError(" ".join(notes))
    runs = with_differences(runs)
    chosen = ChosenSettings(runs)
    called = [found.columns for found in runs]
    check_names(wanted.by or (), called, ("study",))
    conditions = read_conditions(wanted.where)
    check_conditions(called, conditions)
    shown = [found for found in runs if fulfils(found.columns, conditions)]
    if not shown:
        raise ValueError(f"{wanted.where}: there is no such run among {len(runs)}.")
    tried = [found for found in shown if not chosen.has(found)]
    if not wanted.all_settings and len(tried) < len(shown):
        shown = [found for found in shown if chosen.has(found)]
        if tried:
            notes = [
                f"{len(tried)} runs with settings that a search did not choose: --all-settings.",
                *notes,
            ]
    kinds: dict[tuple[Column, ...], list[FoundRun]] = {}
    for found in shown:
        kinds.setdefault(tuple(found.run.record.columns), []).append(found)
    tables = []
    for of_kind in kinds.values():
        columns = _columns(of_kind, wanted)
        for found in of_kind:
            found.run.check_scores(columns)
        if not any(columns[0].metric in found.run.metrics for found in of_kind):
            notes.append(f"{len(of_kind)} runs have no {columns[0].metric}.")
            continue
        tables.append(summary_table(of_kind, columns, wanted.by, wanted.sort))
    notes += [note for of_kind in kinds.values() for note in _other_test_data(of_kind, wanted.by)]
    warnings = warnings_of({found.name: found.run for found in shown})
    notes = [*chosen.notes, *notes, *(f"Warning: {each}" for each in warnings)]
    return Summary(tables, [visible(note) for note in notes])


def _other_test_data(runs: list[FoundRun], by: Optional[Sequence[str]]) -> Iterator[str]:
    """Says of which rows the seeds were tested on different data, so that their mean means nothing."""
    for group in group_runs(runs, by):
        data = {
            json.dumps([d.get("sha256"), d.get("files")]): found.name
            for found in group.runs
            if isinstance(d := found.run.provenance.get("data", {}).get("test"), dict)
        }
        if group.differs_in_seed_only and len(data) > 1:
            first, second = list(data.values())[:2]
            yield (
                f"Warning: one row is a mean of runs that were tested on different data, such as {first} and "
                f"{second}. Have some of them trained again."
            )


def _columns(runs: list[FoundRun], wanted: Wanted) -> list[Column]:
    """The columns of runs of a kind; of another score than their own, it and its baselines."""
    record = runs[0].run.record
    if wanted.metric is None and wanted.split == "test" and record.columns:
        return record.columns
    metric = wanted.metric or record.main_metric
    key = f"{SPLITS[wanted.split]}{metric}"
    forms = {column.metric: column.form for column in record.columns if column.form != "interval"}
    in_percent = "percent" if any(part in metric for part in IN_PERCENT) else "number"
    form = forms.get(f"test_{metric}", in_percent)
    columns = [Column(f"{wanted.split} {metric.replace('_', ' ')}", key, form)]
    if wanted.split != "test":
        return columns
    if form == "percent":
        columns.append(Column("95 % interval", key, "interval"))
    keys = {key for found in runs for key in found.run.metrics}
    for title, start in BASELINES.items():
        baseline = start if metric == record.main_metric and start in keys else f"{start}_{metric}"
        columns += [Column(title, baseline, form)] if baseline in keys else []
    return columns
