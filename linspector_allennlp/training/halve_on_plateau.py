from typing import Any, Optional

import torch
from allennlp.training.learning_rate_schedulers import LearningRateScheduler


@LearningRateScheduler.register("halve_on_plateau")
class HalveOnPlateau(LearningRateScheduler):
    """
    Halves the learning rate after each epoch whose validation score is no new best (Hewitt & Liang
    2019 do so on the loss). AllenNLP's `reduce_on_plateau` does not run with a current torch.

    Registered as a `LearningRateScheduler` with name "halve_on_plateau".

    # Parameters

    factor : `float`, optional (default = `0.5`)
        What the learning rate is multiplied with.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, factor: float = 0.5) -> None:
        super().__init__(optimizer)
        self._factor = factor
        self.best: Optional[float] = None

    def step(self, metric: Optional[float] = None) -> None:
        """`metric` is the trainer's validation metric with its sign, so that more is better."""
        if metric is None:
            raise ValueError("halve_on_plateau needs validation data to tell a plateau by.")
        if self.best is None or metric > self.best:
            self.best = metric
            return
        for group in self.optimizer.param_groups:
            group["lr"] *= self._factor

    def state_dict(self) -> dict[str, Any]:
        return {"best": self.best}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.best = state_dict["best"]
