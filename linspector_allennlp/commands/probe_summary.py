import argparse
from collections.abc import Sequence

from allennlp.commands.subcommand import Subcommand

from linspector_allennlp.commands.tables import percent, table
from linspector_allennlp.suite.results import RunFolder


@Subcommand.register("probe-summary")
class ProbeSummary(Subcommand):
    """Prints the scores of finished probe runs beside their baselines."""

    def add_subparser(self, parser: argparse._SubParsersAction) -> argparse.ArgumentParser:
        description = (
            "Prints the test scores of finished probe runs beside their baselines, all in percent; "
            "for a single run also the scores of each label and the most frequent confusions."
        )
        subparser = parser.add_parser(self.name, description=description, help=description)
        subparser.add_argument(
            "runs", nargs="+", metavar="RUN", help="the folder that a probe run was saved in"
        )
        subparser.set_defaults(func=lambda args: print(summarize(args.runs)))
        return subparser


def summarize(paths: Sequence[str]) -> str:
    """The summary of these run folders, as text for a terminal."""
    runs, unfinished = [], []
    for path in paths:
        try:
            runs.append(RunFolder.read(path))
        except FileNotFoundError as error:
            unfinished.append(str(error))
    if not runs:
        raise FileNotFoundError(" ".join(unfinished))
    parts = [_score_table(runs)]
    if len(runs) == 1:
        parts += _details(runs[0])
    parts += ["\n".join(_warnings(runs) + unfinished)]
    return "\n\n".join(part for part in parts if part)


def _score_table(runs: list[RunFolder]) -> str:
    header = [
        "run",
        "task",
        "representation",
        "test accuracy",
        "95 % interval",
        "majority",
        "suffix",
        "form",
        "macro-F1",
        "unknown words",
    ]
    rows = []
    for run in runs:
        metrics = run.metrics
        interval = (
            f"{percent(metrics.get('test_accuracy_low'))} – "
            f"{percent(metrics.get('test_accuracy_high'))}"
        )
        rows.append(
            [
                str(run.path),
                run.task,
                run.representation,
                percent(metrics.get("test_accuracy")),
                interval,
                percent(metrics.get("baseline_majority")),
                percent(metrics.get("baseline_suffix")),
                percent(metrics.get("baseline_form")),
                percent(metrics.get("test_macro_f1")),
                percent(metrics.get("oov_test")),
            ]
        )
    return table([header, *rows], left=(0, 1, 2))


def _details(run: RunFolder) -> list[str]:
    """What a single run has to say beyond its scores, on its test data or, without, validation."""
    data = run.provenance["data"]
    split = next((name for name in ("test", "validation") if name in data), None)
    if split is None:
        return []
    return [_label_table(run, split), _confusions(run, split), _footnote(run, split)]


def _label_table(run: RunFolder, split: str) -> str:
    rows = [
        [
            row["label"],
            *(percent(float(row[key])) for key in ("precision", "recall", "f1")),
            row["support"],
        ]
        for row in run.label_report(split)
    ]
    return table([["label", "precision", "recall", "F1", "items"], *rows])


def _confusions(run: RunFolder, split: str, most: int = 5) -> str:
    confusions = run.confusions(split)[:most]
    if not confusions:
        return ""
    lines = [f"  {gold} taken for {predicted}: {count}" for count, gold, predicted in confusions]
    return "\n".join(["Most frequent confusions:", *lines])


def _footnote(run: RunFolder, split: str) -> str:
    metrics, data = run.metrics, run.provenance["data"]
    sizes = ", ".join(f"{split['items']} {name}" for name, split in data.items())
    notes = [
        f"{split.capitalize()} data: {data[split]['path']} ({sizes}; {metrics['num_labels']} labels).",
        f"Best epoch {metrics.get('best_epoch')} with validation accuracy "
        f"{percent(metrics.get('best_validation_accuracy'))}; seed {run.provenance['seed']}.",
    ]
    if "overlap_test" in metrics:
        notes.append(f"{percent(metrics['overlap_test'])} % of the test items are in training too.")
    return "\n".join(notes)


def _warnings(runs: list[RunFolder]) -> list[str]:
    """What looked wrong in the data of the runs."""
    return [
        f"Warning: {warning} ({run.path})" if len(runs) > 1 else f"Warning: {warning}"
        for run in runs
        for warning in run.provenance["warnings"]
    ]
