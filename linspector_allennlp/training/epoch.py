"""The lean loop: one pass over features that are already computed."""

from dataclasses import dataclass
from typing import Any, Optional

import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from linspector_allennlp.dataset_readers.probe_label_field import UNSEEN_LABEL
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.training.features import Features, batches

EVALUATION_BATCH_SIZE = 4096


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
    """Takes a gradient step for each batch of the items in this order; returns the metrics."""
    model.train()
    logits, labels, losses = [], [], []
    for batch in batches(features, batch_size, order):
        if steps.exhausted:
            break
        output = model.classify(batch.values, batch.labels)
        penalty = model.get_regularization_penalty()
        steps.take(output["loss"] if penalty is None else output["loss"] + penalty)
        logits.append(output["logits"].detach())
        labels.append(batch.labels)
        losses.append(output["loss"].detach() * len(batch.labels))
    # Scoring all batches at once keeps the loop free of everything but training.
    return _metrics(model, torch.cat(logits), torch.cat(labels), torch.stack(losses).sum())


@torch.no_grad()
def evaluate(model: FrozenProbe, features: Features) -> dict[str, float]:
    """The metrics of a probe on features, in evaluation mode."""
    model.eval()
    order = torch.arange(len(features.labels), device=features.labels.device)
    logits = torch.cat(
        [
            model.classify(batch.values)["logits"]
            for batch in batches(features, EVALUATION_BATCH_SIZE, order)
        ]
    )
    loss = torch.nn.functional.cross_entropy(
        logits, features.labels, ignore_index=UNSEEN_LABEL, reduction="sum"
    )
    return _metrics(model, logits, features.labels, loss)


def _metrics(
    model: FrozenProbe, logits: torch.Tensor, labels: torch.Tensor, loss_sum: torch.Tensor
) -> dict[str, float]:
    if not torch.isfinite(loss_sum):
        raise ValueError("The loss is not a finite number: try a lower learning rate.")
    model.label_report(logits, labels)
    num_seen = max(1, int((labels != UNSEEN_LABEL).sum()))
    return {**model.get_metrics(reset=True), "loss": loss_sum.item() / num_seen}
