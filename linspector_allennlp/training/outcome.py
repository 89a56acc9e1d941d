"""What a trained probe does on a split, and the files of the run folder that tell of it."""

import copy
import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.dataset_readers.probe_label_field import UNSEEN_LABEL
from linspector_allennlp.files import replacing_text
from linspector_allennlp.metrics.interval import bootstrap_interval
from linspector_allennlp.metrics.label_report import LabelReport, LabelScore
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.training.split import Split

UNSEEN_ROW = "(label unseen in training)"


class Outcome(NamedTuple):
    """The answers of a probe on a split."""

    metrics: dict[str, Any]
    report: LabelReport
    predictions: list[dict[str, Any]]
    """One for each item, in the order of the data file."""


@torch.no_grad()
def evaluate_split(model: FrozenProbe, split: Split, device: torch.device) -> Outcome:
    """Runs the whole probe, from the words on, over a split."""
    model.eval()
    model.label_report.reset()
    split.loader.set_target_device(device)
    predictions: list[dict[str, Any]] = []
    loss_sum = 0.0
    for batch in Tqdm.tqdm(split.loader, desc=f"evaluating on {split.name}"):
        output = model(**batch)
        loss_sum += output["loss"].item() * int((batch["label"] != UNSEEN_LABEL).sum())
        metadata = output["metadata"]
        readable = model.make_output_human_readable(output)
        for data, *values in zip(metadata, *readable.values()):
            predictions.append({"line": data.get("line"), **dict(zip(readable, values))})
    if len(predictions) != len(split.items):
        raise ConfigurationError(
            f"{split.path} has {len(split.items)} items, but the data loader gave "
            f"{len(predictions)}: the loader of validation and test data must not leave any out."
        )
    report = copy.deepcopy(model.label_report)
    metrics: dict[str, Any] = model.get_metrics(reset=True)
    num_correct = int(report.confusion.diagonal().sum())
    num_items = len(predictions)
    low, high = bootstrap_interval(num_correct, num_items)
    metrics.update(
        loss=loss_sum / max(1, num_items - report.num_unseen),
        accuracy_low=low,
        accuracy_high=high,
        unseen_labels=report.num_unseen,
    )
    predictions.sort(key=lambda prediction: prediction["line"] or 0)
    return Outcome(metrics, report, predictions)


def write_outcome(folder: str, name: str, outcome: Outcome, label_names: Sequence[str]) -> None:
    """
    Writes `NAME_predictions.jsonl`, `NAME_report.tsv` (precision, recall and F1 by label) and
    `NAME_confusion.tsv` (rows: gold, columns: predicted) into the run folder.
    """
    with replacing_text(os.path.join(folder, f"{name}_predictions.jsonl")) as file:
        for prediction in outcome.predictions:
            file.write(json.dumps(prediction, ensure_ascii=False) + "\n")
    labels = list(label_names)
    scores = outcome.report.label_scores()
    if outcome.report.num_unseen:
        labels.append(UNSEEN_ROW)
        scores.append(LabelScore(0.0, 0.0, 0.0, outcome.report.num_unseen))
    _write_tsv(
        os.path.join(folder, f"{name}_report.tsv"),
        ["label", "precision", "recall", "f1", "support"],
        (
            [label, *(f"{value:.4f}" for value in score[:3]), score.support]
            for label, score in zip(labels, scores)
        ),
    )
    _write_tsv(
        os.path.join(folder, f"{name}_confusion.tsv"),
        ["gold \\ predicted", *label_names],
        ([label, *counts] for label, counts in zip(labels, outcome.report.confusion.tolist())),
    )


def _write_tsv(path: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with replacing_text(path) as file:
        for row in [header, *rows]:
            file.write("\t".join(map(str, row)) + "\n")
