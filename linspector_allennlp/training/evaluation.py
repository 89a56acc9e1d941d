"""The one evaluation of a probe: on features, for validation, test data, folds and the online code."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, Optional

import torch

from linspector_allennlp.models import Probe
from linspector_allennlp.models.probe import Scores
from linspector_allennlp.training.features import FeatureBatch, Features, batches

EVALUATION_ROWS = 4096


class Outcome(NamedTuple):
    """The answers of a probe on features."""

    scores: Scores
    loss: float
    nats: float
    """The sum of −ln p of the right answers, where the probe gives probabilities."""
    predictions: list[dict[str, Any]]
    """One for each item, in the order of the data file, if they were asked for."""

    @property
    def metrics(self) -> dict[str, float]:
        return {**self.scores.get_metric(), "loss": self.loss}

    @property
    def bits(self) -> float:
        """The length of the right answers in a code made from the probe's probabilities."""
        return self.nats / math.log(2)

    def all_metrics(self) -> dict[str, Any]:
        """The metrics with their intervals, and further numbers."""
        metrics = {**self.scores.details(), **self.metrics}
        for name, (low, high) in self.scores.intervals().items():
            metrics.update({f"{name}_low": low, f"{name}_high": high})
        return metrics


@torch.no_grad()
def evaluate(
    model: Probe,
    features: Features,
    instances: Optional[torch.Tensor] = None,
    with_predictions: bool = False,
) -> Outcome:
    """
    Scores a probe, in evaluation mode, on all instances, or on these.

    # Parameters

    instances : `torch.Tensor`, optional
        Their numbers in the data file.
    with_predictions : `bool`, optional (default = `False`)
        Whether a record is made for each item, which takes longer than the rest.
    """
    model.eval()
    scores = model.new_scores()
    losses, counts, nats = [], [], [torch.zeros(())]
    records: dict[int, list[dict[str, Any]]] = {}
    for numbers, batch in evaluation_batches(features, instances):
        output: dict[str, Any] = model.apply_head(batch.values, **batch.targets)
        model.observe(scores, [output], [batch.targets])
        losses.append(output["loss"])
        counts.append(output["count"])
        if "nats" in output:
            nats.append(output["nats"].cpu())
        if with_predictions:
            here = [features.records[number] for number in numbers.tolist()]
            output["target"] = batch.targets
            output["metadata"] = [record.metadata for record in here]
            output["gold"] = [record.labels for record in here]
            records.update(zip(numbers.tolist(), model.predictions(output)))
    predictions = [record for number in sorted(records) for record in records[number]]
    total = torch.stack(nats).double().sum().item()
    return Outcome(scores, mean_loss(losses, counts), total, predictions)


def evaluation_batches(
    features: Features, instances: Optional[torch.Tensor] = None
) -> Iterator[tuple[torch.Tensor, FeatureBatch]]:
    """
    All instances, or these, those of like lengths together, and few at a time where they are long;
    with the numbers of the instances.
    """
    instances = torch.arange(features.num_instances) if instances is None else instances
    lengths, order = features.values.lengths[instances].sort(stable=True)
    order = instances[order]
    batch_of = (lengths.cumsum(0) - lengths) // EVALUATION_ROWS
    sizes = batch_of.unique_consecutive(return_counts=True)[1].tolist()
    return zip(order.split(sizes), batches(features, sizes, order))


def mean_loss(losses: list[torch.Tensor], counts: list[torch.Tensor]) -> float:
    """The mean loss of batches, each of which is a mean of so many."""
    weights = torch.stack(counts)
    means = torch.stack(losses)
    loss = (means * weights.to(means.device)).sum() / weights.sum().clamp(min=1)
    if not torch.isfinite(loss):
        raise ValueError("The loss is not a finite number: try a lower learning rate.")
    return loss.item()
