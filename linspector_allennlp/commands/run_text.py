"""A single run as text for a terminal."""

from collections.abc import Callable
from typing import Any, Optional

from linspector_allennlp.commands.tables import number, percent, table
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.run_record import Column

MOST_LABELS = 100
SHOWN_LABELS = 20
"""Of more labels than that, as word forms, only so many are shown."""


def describe_run(run: RunFolder) -> list[str]:
    """Its scores, those of each label, the most frequent confusions, and notes."""
    # Of sentences, classifiers are compared as well as representations.
    head = [("classifier", run.classifier)] if run.record.level == "sentence" else []
    named = [("run", str(run.path)), ("task", run.task), ("representation", run.representation)]
    cells = [*named, *head, *((column.title, _cell(run, column)) for column in run.record.columns)]
    scores = table([*map(list, zip(*cells))], left=range(len(named + head)))
    try:
        return [scores, *_details(run)]
    except (KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise ValueError(
            f"{run.path}: in metrics.json or provenance.json there is something else than a run writes: "
            f"{error!r:.200}"
        ) from error


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
    unseen = metrics["test_unseen_labels"] / metrics["num_test"]
    return (
        f"Trained on {trained_on}, as the baselines are: they say little of another language. "
        f"{percent(metrics['baseline_test_majority'])} % of the test items have the label that is most "
        f"frequent there, {percent(unseen)} % one that training has not."
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
