import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

from linspector_allennlp.commands.tables import number, percent, table
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.run_record import Column

DESCRIPTION = (
    "Prints the test scores of finished probe runs beside their baselines, all in percent; "
    "for a single run also the scores of each label and the most frequent confusions."
)


MOST_LABELS = 100
SHOWN_LABELS = 20
"""Of more labels than that, as word forms, only so many are shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="the folder that a probe run was saved in"
    )
    parser.set_defaults(func=lambda args: print(summarize(args.runs)))


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
    parts += [
        "\n".join(
            [f"Warning: {w}" for w in warnings_of({str(run.path): run for run in runs})]
            + unfinished
        )
    ]
    return "\n\n".join(part for part in parts if part)


def _score_tables(runs: list[RunFolder]) -> list[str]:
    """A table for each kind of run: those whose records name the same columns."""
    kinds: dict[tuple[Column, ...], list[RunFolder]] = {}
    for run in runs:
        kinds.setdefault(tuple(run.record.columns), []).append(run)
    tables = []
    for columns, of_kind in kinds.items():
        # Of sentences, classifiers are compared as well as representations.
        with_head = any(run.record.level == "sentence" for run in of_kind)
        head = ["classifier"] * with_head
        rows = [["run", "task", "representation", *head, *(column.title for column in columns)]]
        rows += [
            [str(run.path), run.task, run.representation, *[run.classifier] * with_head]
            + [_cell(run, c) for c in columns]
            for run in of_kind
        ]
        tables.append(table(rows, left=range(3 + with_head)))
    return tables


def _form_of(run: RunFolder, metric: str) -> Callable[[Optional[float]], str]:
    """How a metric is printed: as that column of the run which shows it."""
    forms = [column.form for column in run.record.columns if column.metric == f"test_{metric}"]
    return number if "number" in forms else percent


def _cell(run: RunFolder, column: Column) -> str:
    if column.form == "interval":
        low, high = (run.metrics.get(f"{column.metric}_{end}") for end in ("low", "high"))
        return percent(None) if low is None else f"{percent(low)} – {percent(high)}"
    form = number if column.form == "number" else percent
    return form(run.metrics.get(column.metric))


def _details(run: RunFolder) -> list[str]:
    """The details of a single run beyond its scores, on its test data or, without, validation."""
    data = run.provenance["data"]
    tested = {"test"} if run.record.folds else set()
    split = next((name for name in ("test", "validation") if name in {*data, *tested}), None)
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
    if not rows:
        return ""
    if len(rows) <= MOST_LABELS:
        return table([["label", "precision", "recall", "F1", "items"], *rows])
    rows.sort(key=lambda row: -int(row[-1]))
    shown = table([["label", "precision", "recall", "F1", "items"], *rows[:SHOWN_LABELS]])
    return f"{shown}\n… and {len(rows) - SHOWN_LABELS:,} labels with fewer items."


def _confusions(run: RunFolder, split: str, most: int = 5) -> str:
    confusions = run.confusions(split)[:most]
    if not confusions:
        return ""
    lines = [f"  {gold} taken for {predicted}: {count}" for count, gold, predicted in confusions]
    return "\n".join(["Most frequent confusions:", *lines])


def _footnote(run: RunFolder, split: str) -> str:
    metrics, data = run.metrics, run.provenance["data"]
    names = {"train": "items"} if run.record.folds else {}
    sizes = ", ".join(f"{_size(part)} {names.get(name, name)}" for name, part in data.items())
    labels = f"; {metrics['num_labels']} labels" if "num_labels" in metrics else ""
    main_metric = run.record.main_metric
    best = metrics.get(f"best_validation_{main_metric}")
    if run.record.folds:
        notes = _fold_notes(run, sizes, labels)
    else:
        notes = [
            f"{split.capitalize()} data: {data[split]['path']} ({sizes}{labels}).",
            f"Best epoch {metrics.get('best_epoch')} with validation "
            f"{main_metric.replace('_', ' ')} {_form_of(run, main_metric)(best)}; seed {run.record.seed}.",
        ]
    if "baseline_test_majority" in metrics:
        notes.append(_transfer(run))
    if "overlap_test" in metrics:
        share = percent(metrics["overlap_test"])
        what = "sentences" if run.record.level == "sentence" else "items"
        which = "are in training, too, maybe in another order of words"
        which = which if what == "sentences" else "have words that training has, too"
        notes.append(f"{share} % of the test {what} {which}.")
    if "overlap_test_sentences" in metrics:
        share = percent(metrics["overlap_test_sentences"])
        notes.append(f"{share} % of the test sentences are in training too.")
    if metrics.get(f"multiword_{split}"):
        share = percent(metrics[f"multiword_{split}"])
        notes.append(
            f"{share} % of the words are parts of multiword tokens, and share their vectors."
        )
    for name, part in data.items():
        for reason, count in part.get("left_out", {}).items():
            notes.append(f"Left out of {name}: {count} sentences {reason}.")
        if "skipped" in part:
            notes.append(_skipped(name, part))
    if "test_usable_bits" in metrics:
        notes.append(_bits(metrics))
    if "mdl_bits" in metrics:
        notes.append(
            f"The training labels take {metrics['mdl_bits'] / 1000:.2f} kbit by the online code and "
            f"{metrics['mdl_uniform_bits'] / 1000:.2f} without a probe: compression "
            f"{metrics['mdl_compression']:.2f}."
        )
    return "\n".join(notes)


def _transfer(run: RunFolder) -> str:
    """What tells how much a score in another language or domain is worth."""
    metrics, trained_on = run.metrics, run.provenance["data"]["train"]["path"]
    return (
        f"Trained on {trained_on}, as the baselines are: those of suffixes and forms say little of another "
        f"language. {percent(metrics['baseline_test_majority'])} % of the test items have the label that is "
        f"most frequent there, {percent(metrics['unseen_labels_test'])} % one that training has not."
    )


def _skipped(split: str, part: dict[str, Any]) -> str:
    """What a representation had no vectors for."""
    skipped = part["skipped"]
    share = percent(skipped["items"] / (skipped["items"] + part["items"]))
    sentences = f", {skipped['sentences']} whole sentences" if skipped.get("sentences") else ""
    return (
        f"Left out of {split} for want of vectors: {skipped['items']} items ({share} %){sentences}."
    )


def _fold_notes(run: RunFolder, sizes: str, labels: str) -> list[str]:
    """The data and the scores of the folds of a run."""
    folds, metrics, data = run.record.folds or {}, run.metrics, run.provenance["data"]["train"]
    files = [file["path"] for file in data.get("files", [data])]
    scores = (
        f"{name.replace('_', '-')} {percent(metrics[f'fold_{name}_mean'])} ± "
        f"{percent(metrics[f'fold_{name}_sd'])}"
        for name in ("accuracy", "macro_f1")
    )
    ways = [name for name in ("grouped", "stratified") if folds.get(name)]
    return [
        f"Data: {', '.join(files)} ({sizes}{labels}).",
        f"{folds['number']} folds ({', '.join([folds['type'], *ways])}; seed {folds['seed']}), mean and "
        f"standard deviation: {', '.join(scores)}.",
    ]


def _bits(metrics: dict[str, Any]) -> str:
    epoch = metrics.get("least_loss_epoch")
    last = "the last one: it was still falling" if epoch == metrics.get("epoch") else "the least"
    return (
        f"Usable information: {metrics['test_usable_bits']:.2f} bits an item "
        f"({metrics['test_bits']:.2f} with the representation, {metrics['test_label_bits']:.2f} without)"
        + (f"; epoch {epoch}, by validation loss, {last}." if epoch is not None else ".")
    )


def _size(part: dict[str, Any]) -> str:
    if "sentences" not in part:
        return str(part["items"])
    return f"{part['items']} words in {part['sentences']} sentences"


def warnings_of(runs: Mapping[str, RunFolder]) -> list[str]:
    """What looked wrong in the data and results of the runs, each once; of several with their names."""
    names: dict[str, list[str]] = {}
    for name, run in runs.items():
        for warning in run.provenance["warnings"]:
            names.setdefault(warning, []).append(name)
    return [
        f"{warning} ({_listed(of_warning)})" if len(runs) > 1 else warning
        for warning, of_warning in names.items()
    ]


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) < 3 else f"{len(names)} runs, such as {names[0]}"
