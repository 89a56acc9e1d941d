import time
from typing import Any, Optional, cast

import torch

from linspector_allennlp.fields import UNSEEN_LABEL
from linspector_allennlp.models import Probe
from linspector_allennlp.modules import FittedHead
from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.head_training import Progress, prefixed


class Nothing:
    """In place of what only training by gradients has: an optimizer, a tracker of epochs."""

    optimizer: Any = None
    taken = 0

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        pass


class HeadFitting:
    """
    The training of a head that is fitted to all data at once: one epoch, which is the best. It has the
    methods of `HeadTraining`.

    # Parameters

    model : `Probe`
        Its head is a `FittedHead`.
    seed : `int`
    """

    def __init__(self, model: Probe, seed: int) -> None:
        self._model = model
        self._seed = seed
        self.steps = Nothing()
        self.metric_tracker = Nothing()
        self.progress = Progress()

    @property
    def finished(self) -> bool:
        return self.progress.epochs_completed > 0

    def run_epoch(
        self,
        train: Features,
        validation: Optional[Features],
        instances: Optional[torch.Tensor] = None,
        validation_instances: Optional[torch.Tensor] = None,
    ) -> None:
        """Fits the head to all instances, or to these."""
        started, metrics = time.monotonic(), self.progress.metrics
        instances = torch.arange(train.num_instances) if instances is None else instances
        labels = train.targets["label"].take(instances).values
        known = labels != UNSEEN_LABEL
        features = train.values.take(instances).values[known.to(train.values.values.device)]
        cast(FittedHead, self._model.head).fit(features, labels[known], self._seed)
        metrics.update(prefixed("training", evaluate(self._model, train, instances).metrics))
        if validation is not None:
            found = evaluate(self._model, validation, validation_instances).metrics
            metrics.update(prefixed("validation", found))
            metrics.update(prefixed("best_validation", found), best_epoch=0)
        self.progress.epochs_completed += 1
        self.progress.seconds += time.monotonic() - started

    def restore_best(self) -> None:
        """There is only one."""

    def restore_least_loss(self) -> None:
        """There is only one."""
