import argparse
from collections.abc import Sequence
from typing import Any

from allennlp.commands.subcommand import Subcommand

from linspector_allennlp.commands.tables import correlation, percent, table
from linspector_allennlp.suite.results import RunFolder

# By the main metric of a probe, the columns of its table, and what they show of metrics.json.
COLUMNS = {
    "accuracy": {
        "test accuracy": "test_accuracy",
        "95 % interval": "test_accuracy_low",
        "majority": "baseline_majority",
        "suffix": "baseline_suffix",
        "form": "baseline_form",
        "macro-F1": "test_macro_f1",
        "unknown words": "oov_test",
    },
    "uuas": {
        "test UUAS": "test_uuas",
        "95 % interval": "test_uuas_low",
        "adjacent": "baseline_adjacent_uuas",
        "DSpr": "test_dspr",
        "adjacent DSpr": "baseline_adjacent_dspr",
        "DSpr (P+FW)": "test_dspr_pfw",
        "unknown words": "oov_test",
    },
    "root_accuracy": {
        "test root accuracy": "test_root_accuracy",
        "95 % interval": "test_root_accuracy_low",
        "first word": "baseline_first_root_accuracy",
        "last word": "baseline_last_root_accuracy",
        "NSpr": "test_nspr",
        "first NSpr": "baseline_first_nspr",
        "last NSpr": "baseline_last_nspr",
        "unknown words": "oov_test",
    },
}


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
    parts = _score_tables(runs)
    if len(runs) == 1:
        parts += _details(runs[0])
    parts += ["\n".join(_warnings(runs) + unfinished)]
    return "\n\n".join(part for part in parts if part)


def _score_tables(runs: list[RunFolder]) -> list[str]:
    """A table for each kind of probe: those of labels and heads, of distances, and of depths."""
    tables = []
    for main, columns in COLUMNS.items():
        of_kind = [run for run in runs if run.main_metric == main]
        if of_kind:
            rows = [["run", "task", "representation", *columns]]
            rows += [_score_row(run, list(columns.values())) for run in of_kind]
            tables.append(table(rows, left=(0, 1, 2)))
    return tables


def _score_row(run: RunFolder, names: list[str]) -> list[str]:
    cells = [str(run.path), run.task, run.representation]
    for name in names:
        if name.endswith("_low"):
            high = run.metrics.get(f"{name.removesuffix('_low')}_high")
            cells.append(f"{percent(run.metrics.get(name))} – {percent(high)}")
        elif "spr" in name:
            cells.append(correlation(run.metrics.get(name)))
        else:
            cells.append(percent(run.metrics.get(name)))
    return cells


def _details(run: RunFolder) -> list[str]:
    """What a single run has to say beyond its scores, on its test data or, without, validation."""
    data = run.provenance["data"]
    split = next((name for name in ("test", "validation") if name in data), None)
    if split is None:
        return []
    if "num_labels" not in run.metrics:
        return [_footnote(run, split)]
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
    sizes = ", ".join(f"{_size(part)} {name}" for name, part in data.items())
    labels = f"; {metrics['num_labels']} labels" if "num_labels" in metrics else ""
    best = metrics.get(f"best_validation_{run.main_metric}")
    notes = [
        f"{split.capitalize()} data: {data[split]['path']} ({sizes}{labels}).",
        f"Best epoch {metrics.get('best_epoch')} with validation "
        f"{run.main_metric.replace('_', ' ')} {percent(best)}; seed {run.provenance['seed']}.",
    ]
    if "overlap_test" in metrics:
        share = percent(metrics["overlap_test"])
        notes.append(f"{share} % of the test items have words that training has, too.")
    if "overlap_test_sentences" in metrics:
        share = percent(metrics["overlap_test_sentences"])
        notes.append(f"{share} % of the test sentences are in training too.")
    if metrics.get(f"multiword_{split}"):
        share = percent(metrics[f"multiword_{split}"])
        notes.append(
            f"{share} % of the words are parts of multiword tokens, and share their vectors."
        )
    for name, part in data.items():
        for reason, number in part.get("left_out", {}).items():
            notes.append(f"Left out of {name}: {number} sentences {reason}.")
    if "test_usable_bits" in metrics:
        notes.append(
            f"An item takes {metrics['test_bits']:.2f} bits, {metrics['test_usable_bits']:.2f} less than "
            f"the {metrics['test_label_bits']:.2f} without the representation."
        )
    if "mdl_bits" in metrics:
        notes.append(
            f"The training labels take {metrics['mdl_bits'] / 1000:.2f} kbit by the online code and "
            f"{metrics['mdl_uniform_bits'] / 1000:.2f} without a probe: compression "
            f"{metrics['mdl_compression']:.2f}."
        )
    return "\n".join(notes)


def _size(part: dict[str, Any]) -> str:
    if "sentences" not in part:
        return str(part["items"])
    return f"{part['items']} words in {part['sentences']} sentences"


def _warnings(runs: list[RunFolder]) -> list[str]:
    """What looked wrong in the data of the runs."""
    return [
        f"Warning: {warning} ({run.path})" if len(runs) > 1 else f"Warning: {warning}"
        for run in runs
        for warning in run.provenance["warnings"]
    ]
