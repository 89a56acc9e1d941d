"""The lean loop: one pass over features that are already computed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Optional

import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.training.features import FeatureBatch, Features, batches

EVALUATION_ROWS = 4096


@dataclass
class GradientSteps:
    """How a loss becomes a change of the head's weights, and how often it has."""

    optimizer: torch.optim.Optimizer
    parameters: list[torch.nn.Parameter]
    grad_norm: Optional[float] = None
    grad_clipping: Optional[float] = None
    learning_rate_scheduler: Optional[LearningRateScheduler] = None
    limit: Optional[int] = None
    taken: int = 0

    @property
    def exhausted(self) -> bool:
        return self.limit is not None and self.taken >= self.limit

    def take(self, loss: torch.Tensor) -> None:
        self.optimizer.zero_grad()
        loss.backward()
        if self.grad_norm is not None:
            torch.nn.utils.clip_grad_norm_(self.parameters, self.grad_norm)
        if self.grad_clipping is not None:
            torch.nn.utils.clip_grad_value_(self.parameters, self.grad_clipping)
        self.taken += 1
        if self.learning_rate_scheduler is not None:
            self.learning_rate_scheduler.step_batch(self.taken)
        self.optimizer.step()

    def end_epoch(self, validation_score: Optional[float]) -> None:
        if self.learning_rate_scheduler is not None:
            self.learning_rate_scheduler.step(validation_score)  # type: ignore[arg-type]

    def state_dict(self) -> dict[str, Any]:
        scheduler = self.learning_rate_scheduler
        return {
            "optimizer": self.optimizer.state_dict(),
            "learning_rate_scheduler": scheduler and scheduler.state_dict(),
            "taken": self.taken,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.optimizer.load_state_dict(state["optimizer"])
        if self.learning_rate_scheduler is not None:
            self.learning_rate_scheduler.load_state_dict(state["learning_rate_scheduler"])
        self.taken = state["taken"]


def train_epoch(
    model: FrozenProbe,
    features: Features,
    order: torch.Tensor,
    batch_size: int,
    steps: GradientSteps,
) -> dict[str, float]:
    """Takes a gradient step for each batch of the instances in this order; returns the metrics."""
    model.train()
    outputs, targets = [], []
    for batch in batches(features, batch_size, order):
        if steps.exhausted:
            break
        output = model.apply_head(batch.values, **batch.targets)
        penalty = model.get_regularization_penalty()
        steps.take(output["loss"] if penalty is None else output["loss"] + penalty)
        if not model.scores_training:
            output = {name: output[name] for name in ("loss", "count")}
        outputs.append({name: tensor.detach() for name, tensor in output.items()})
        targets.append(batch.targets)
    # Scoring all batches at once keeps the loop free of everything but training.
    return _metrics(model, outputs, targets if model.scores_training else None)


@torch.no_grad()
def evaluate(model: FrozenProbe, features: Features) -> dict[str, float]:
    """The metrics of a probe on features, in evaluation mode."""
    model.eval()
    outputs, targets = [], []
    for batch in evaluation_batches(features):
        outputs.append(model.apply_head(batch.values, **batch.targets))
        targets.append(batch.targets)
    return _metrics(model, outputs, targets)


@torch.no_grad()
def code_length(model: FrozenProbe, features: Features, instances: torch.Tensor) -> float:
    """
    How many bits it takes to say the right answers of these instances to one who has the probe and its
    inputs.
    """
    model.eval()
    batches_ = evaluation_batches(features, instances)
    nats = sum(model.apply_head(b.values, **b.targets)["nats"].item() for b in batches_)
    return nats / math.log(2)


def evaluation_batches(
    features: Features, instances: Optional[torch.Tensor] = None
) -> Iterator[FeatureBatch]:
    """
    All instances, or these, those of like lengths together, and few at a time where they are long.
    """
    instances = torch.arange(features.num_instances) if instances is None else instances
    lengths, order = features.values.lengths[instances].sort(stable=True)
    order = instances[order]
    batch_of = (lengths.cumsum(0) - lengths) // EVALUATION_ROWS
    sizes = batch_of.unique_consecutive(return_counts=True)[1].tolist()
    return batches(features, sizes, order)


def _metrics(
    model: FrozenProbe,
    outputs: list[dict[str, torch.Tensor]],
    targets: Optional[list[dict[str, torch.Tensor]]],
) -> dict[str, float]:
    counts = torch.stack([output["count"] for output in outputs])
    losses = torch.stack([output["loss"] for output in outputs])
    loss = (losses * counts.to(losses.device)).sum() / counts.sum().clamp(min=1)
    if not torch.isfinite(loss):
        raise ValueError("The loss is not a finite number: try a lower learning rate.")
    metrics: dict[str, float] = {"loss": loss.item()}
    if targets is not None:
        model.observe(outputs, targets)
        metrics = {**model.get_metrics(reset=True), **metrics}
    return metrics
