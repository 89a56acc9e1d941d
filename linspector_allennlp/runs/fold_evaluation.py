"""The evaluation of a probe on folds: each trained anew, all on features that were computed once."""

import os
from collections.abc import Iterator, Sequence
from statistics import fmean, stdev
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.fields import Record
from linspector_allennlp.formats import kept_apart
from linspector_allennlp.io.hashing import hash_keys
from linspector_allennlp.metrics import LabelReport
from linspector_allennlp.metrics.baselines import Item, form_key, seen_forms
from linspector_allennlp.training.evaluation import Outcome, evaluate
from linspector_allennlp.training.folds import Fold, Foldable
from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer
from linspector_allennlp.training.split import Split

SCORES = ("accuracy", "macro_f1")


class FoldResult(NamedTuple):
    """All folds of a run: their pooled answers, and the scores of each as the rows of a table."""

    outcome: Outcome
    rows: list[list[Any]]
    metrics: dict[str, Any]


def foldable(records: Sequence[Record]) -> Foldable:
    """The items of a run, as folds look at them."""
    if any(len(record.labels) != 1 for record in records):
        raise ConfigurationError(
            "folds: expected tasks of forms, pairs, tokens in context or sentences, which have one label "
            "an instance."
        )
    metadata = [record.metadata for record in records]
    return Foldable(
        labels=[str(record.labels[0]) for record in records],
        groups=[data.get("group", _group(data["words"])) for data in metadata],
        topics=[data.get("topic") for data in metadata],
        texts=[" ".join(data["words"]) for data in metadata],
    )


def lost_groups(path: str) -> Iterator[str]:
    """Says where the task's own splits keep something apart that folds do not know of."""
    what = kept_apart(path)
    if what:
        yield (
            f"{path}: in the task's own splits, {what} is in one split only; folds divide anew, and may train "
            "and test on the same one"
        )


def evaluate_folds(
    trainer: FrozenProbeTrainer, split: Split, items: Sequence[Item], folds: Sequence[Fold]
) -> FoldResult:
    """
    Trains and tests the probe on each fold. An encoder that is fitted to the training data is fitted to
    those of the fold. The model is afterwards what the last fold made of it.

    # Parameters

    split : `Split`
        All data.
    items : `Sequence[Item]`
        One for each of its instances.
    """
    model = trainer.model
    pooled = cast(LabelReport, model.new_scores())
    predictions: list[tuple[int, int, dict[str, Any]]] = []
    scores: list[dict[str, float]] = []
    sums = {"loss": 0.0, "nats": 0.0}
    for number, fold in enumerate(Tqdm.tqdm(folds, desc="folds")):
        if model.rows.needs_fitting:
            fit_to(trainer, split, fold.train)
        validation = None if fold.validation is None else torch.from_numpy(fold.validation)
        features = trainer.train_fold(torch.from_numpy(fold.train), validation)
        outcome = evaluate(model, features, torch.from_numpy(fold.test), with_predictions=True)
        pooled.confusion += cast(LabelReport, outcome.scores).confusion
        scores.append(outcome.metrics)
        sums["loss"] += outcome.loss * len(fold.test)
        sums["nats"] += outcome.nats
        for instance, record in zip(fold.test.tolist(), outcome.predictions, strict=True):
            file = os.path.basename(split.records[instance].metadata.get("file", ""))
            predictions.append((instance, number, {"file": file, **record, "fold": number}))
    predictions.sort(key=lambda prediction: prediction[:2])
    answers = [record for _, _, record in predictions]
    outcome = Outcome(pooled, sums["loss"] / len(answers), sums["nats"], answers)
    return FoldResult(outcome, _table(folds, scores), _metrics(items, folds, scores))


def fit_to(trainer: FrozenProbeTrainer, split: Split, instances: np.ndarray) -> None:
    """Fits the encoder to these instances; features have to be computed again."""
    wanted = set(instances.tolist())
    trainer.model.rows.fit(i for rank, i in split.ranked_instances() if rank in wanted)
    trainer.features.forget()


def _table(folds: Sequence[Fold], scores: Sequence[dict[str, float]]) -> list[list[Any]]:
    header = ["fold", "tested", "train_items", "test_items", *SCORES]
    rows = [
        [number, fold.name, len(fold.train), len(fold.test), *(f"{score[s]:.4f}" for s in SCORES)]
        for number, (fold, score) in enumerate(zip(folds, scores))
    ]
    return [header, *rows]


def _metrics(
    items: Sequence[Item], folds: Sequence[Fold], scores: Sequence[dict[str, float]]
) -> dict[str, Any]:
    """The mean and the spread of the scores of folds, and how many test items training has, too."""
    metrics: dict[str, Any] = {"num_folds": len(folds)}
    for name in SCORES:
        values = [score[name] for score in scores]
        metrics[f"fold_{name}_mean"] = fmean(values)
        metrics[f"fold_{name}_sd"] = stdev(values) if len(values) > 1 else None
    seen = [seen_forms(*divided(items, fold)) for fold in folds]
    metrics["num_test"] = sum(map(len, seen))
    metrics["overlap_test"] = sum(map(sum, seen)) / metrics["num_test"]
    return metrics


def divided(items: Sequence[Item], fold: Fold) -> tuple[list[Item], list[Item]]:
    """The training and the test items of a fold."""
    train, test = ([items[i] for i in part.tolist()] for part in (fold.train, fold.test))
    return train, test


def _group(words: Sequence[str]) -> int:
    key = "\0".join(form_key(words)).encode("utf-8", "surrogatepass")
    return int(hash_keys([key])[0]) >> 11
