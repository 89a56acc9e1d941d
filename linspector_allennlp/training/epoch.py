"""The lean loop: one pass over features that are already computed."""

from dataclasses import dataclass
from typing import Any, Optional

import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from linspector_allennlp.models import Probe
from linspector_allennlp.training.evaluation import mean_loss
from linspector_allennlp.training.features import Features, batches


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
        self.limit_gradients()
        self.count()
        self.optimizer.step()

    def limit_gradients(self) -> None:
        if self.grad_norm is not None:
            torch.nn.utils.clip_grad_norm_(self.parameters, self.grad_norm)
        if self.grad_clipping is not None:
            torch.nn.utils.clip_grad_value_(self.parameters, self.grad_clipping)

    def count(self) -> None:
        """Another step; the next change of weights is by the learning rate that this leads to."""
        self.taken += 1
        if self.learning_rate_scheduler is not None:
            self.learning_rate_scheduler.step_batch(self.taken)

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


class EpochOutputs:
    """
    The answers of the batches of an epoch. They are scored all at once, which keeps the loop free of
    everything but training.
    """

    def __init__(self, model: Probe) -> None:
        self._model = model
        self._outputs: list[dict[str, torch.Tensor]] = []
        self._targets: list[dict[str, torch.Tensor]] = []

    def add(self, output: dict[str, torch.Tensor], targets: dict[str, torch.Tensor]) -> None:
        """What `apply_head` gave for a batch, without gradients, and its gold answers."""
        self._outputs.append(output)
        self._targets.append(targets)

    def metrics(self) -> dict[str, float]:
        metrics: dict[str, float] = {}
        if self._model.scores_training:
            scores = self._model.new_scores()
            self._model.observe(scores, self._outputs, self._targets)
            metrics = scores.get_metric()
        losses, counts = ([output[name] for output in self._outputs] for name in ("loss", "count"))
        return {**metrics, "loss": mean_loss(losses, counts)}


def train_epoch(
    model: Probe,
    features: Features,
    order: torch.Tensor,
    batch_size: int,
    steps: GradientSteps,
) -> dict[str, float]:
    """Takes a gradient step for each batch of the instances in this order; returns the metrics."""
    model.train()
    outputs = EpochOutputs(model)
    for batch in batches(features, batch_size, order):
        if steps.exhausted:
            break
        output = model.apply_head(batch.values, **batch.targets)
        penalty = model.get_regularization_penalty()
        steps.take(output["loss"] if penalty is None else output["loss"] + penalty)
        if not model.scores_training:
            output = {name: output[name] for name in ("loss", "count")}
        outputs.add({name: tensor.detach() for name, tensor in output.items()}, batch.targets)
    return outputs.metrics()
