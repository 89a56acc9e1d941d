"""What a trained probe does on a split, and the files of the run folder that tell of it."""

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import replacing_text
from linspector_allennlp.models import FrozenProbe, LabelProbe
from linspector_allennlp.training.split import Split


class Outcome(NamedTuple):
    """The answers of a probe on a split."""

    metrics: dict[str, Any]
    tables: dict[str, list[list[Any]]]
    predictions: list[dict[str, Any]]
    """One for each item, in the order of the data file."""
    nats: float
    """The sum of −ln p of the right answers, where the probe gives probabilities."""


@torch.no_grad()
def evaluate_split(model: FrozenProbe, split: Split, device: torch.device) -> Outcome:
    """Runs the whole probe, from the words on, over a split."""
    model.eval()
    model.reset_metrics()
    split.loader.set_target_device(device)
    predictions: list[dict[str, Any]] = []
    num_instances = 0
    loss_sum = count_sum = nats = 0.0
    for batch in Tqdm.tqdm(split.loader, desc=f"evaluating on {split.name}"):
        output = model(**batch)
        count = int(output["count"])
        loss_sum += output["loss"].item() * count
        count_sum += count
        nats += output["nats"].item() if "nats" in output else 0.0
        num_instances += len(output["metadata"])
        predictions += model.predictions(output)
    expected = len(split.sentences) or len(split.items)
    if num_instances != expected:
        raise ConfigurationError(
            f"{split.path} has {expected} items, but the data loader gave "
            f"{num_instances}: the loader of validation and test data must not leave any out."
        )
    intervals, tables = model.intervals(), model.tables()
    metrics: dict[str, Any] = {}
    if isinstance(model, LabelProbe):
        metrics["unseen_labels"] = model.label_report.num_unseen
    metrics.update(model.get_metrics(reset=True), loss=loss_sum / max(1, count_sum))
    for name, (low, high) in intervals.items():
        metrics.update({f"{name}_low": low, f"{name}_high": high})
    predictions.sort(key=lambda prediction: prediction["line"] or 0)
    return Outcome(metrics, tables, predictions, nats)


def write_outcome(folder: str, name: str, outcome: Outcome) -> None:
    """Writes `NAME_predictions.jsonl` and the tables of the probe, `NAME_….tsv`, into the run folder."""
    with replacing_text(os.path.join(folder, f"{name}_predictions.jsonl")) as file:
        for prediction in outcome.predictions:
            file.write(json.dumps(prediction, ensure_ascii=False) + "\n")
    for table, rows in outcome.tables.items():
        write_tsv(os.path.join(folder, f"{name}_{table}.tsv"), rows)


def write_tsv(path: str, rows: Iterable[Sequence[Any]]) -> None:
    with replacing_text(path) as file:
        for row in rows:
            file.write("\t".join(map(str, row)) + "\n")
