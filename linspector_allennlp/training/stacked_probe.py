import time
from collections import deque
from collections.abc import Callable, Hashable
from functools import cache
from typing import NamedTuple, Optional

import torch

from linspector_allennlp.fields import UNSEEN_LABEL
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.training.epoch import EpochOutputs
from linspector_allennlp.training.features import Features, rows_of_batches
from linspector_allennlp.training.head_training import HeadTraining
from linspector_allennlp.training.optimizers import FusedAdamOptimizer, HalveOnPlateau
from linspector_allennlp.training.stacked_layers import shape_of


class Ahead(NamedTuple):
    """A batch that is not trained on yet."""

    rows: torch.Tensor
    """The numbers of its rows."""
    labels: torch.Tensor
    is_full: bool


class StackedProbe:
    """
    A probe that is trained in a stack: its own order of items, random numbers, steps and best epochs.

    # Parameters

    training : `HeadTraining`
        Of a probe with a `stack_key`.
    train : `Features`
    validation : `Features`, optional
    after_epoch : `Callable[[], None]`, optional
    """

    def __init__(
        self,
        training: HeadTraining,
        train: Features,
        validation: Optional[Features] = None,
        after_epoch: Callable[[], None] = lambda: None,
    ) -> None:
        layers = training.model.plain_layers
        assert layers is not None, "it has a stack_key"
        self.layers = layers
        self.training = training
        self.steps = training.steps
        self.values = train.values.values
        self.generator = torch.Generator()
        self.error: Optional[Exception] = None
        self._train = train
        self._validation = validation
        self._after_epoch = after_epoch
        self._ahead: deque[Ahead] = deque()
        self._outputs: Optional[EpochOutputs] = None

    @property
    def ahead(self) -> Optional[Ahead]:
        """The next batch of this epoch, if there is one."""
        return self._ahead[0] if self._ahead and not self.steps.exhausted else None

    def begin_epoch(self) -> None:
        order = self.training.begin_epoch(self._train.num_instances, self.generator)
        sizes = list(map(len, order.split(self.training.batch_size)))
        rows, labels = (
            rows_of_batches(ragged, sizes, order)
            for ragged in (self._train.values, self._train.targets["label"])
        )
        all_labels = self._train.targets["label"].values
        full = [size == self.training.batch_size for size in sizes]
        self._ahead.extend(Ahead(r, all_labels[n], f) for r, n, f in zip(rows, labels, full))
        self._outputs = EpochOutputs(self.training.model)
        self.training.model.train()

    def answered(self, logits: torch.Tensor, loss: torch.Tensor) -> None:
        """Takes what the stack gave for the batch ahead, which is behind then."""
        labels = self._ahead.popleft().labels
        output = {"logits": logits, "loss": loss, "count": _count(len(labels))}
        assert self._outputs is not None, "an epoch was begun"
        self._outputs.add(output, {"label": labels})

    def end_epoch(self) -> None:
        """Scores and validates, unless there is no epoch to end."""
        if self._outputs is None:
            return
        began, outputs = time.monotonic(), self._outputs
        self._ahead.clear()
        self._outputs = None
        self.training.end_epoch(outputs.metrics(), self._validation)
        self.training.progress.seconds += time.monotonic() - began
        self._after_epoch()


def stack_key(training: HeadTraining, train: Features) -> Optional[Hashable]:
    """
    What probes must have in common to be trained in one stack; `None` for one that is in no stack, because
    of its head, its loss, its optimizer or its device.
    """
    layers = training.model.plain_layers
    shape = layers and shape_of(layers)
    scheduler, optimizer = training.steps.learning_rate_scheduler, training.steps.optimizer
    plain = (
        shape
        and set(train.targets) == {"label"}
        and train.device.type == "cpu"
        and _has_one_row_each(train.values)
        and bool((train.targets["label"].values != UNSEEN_LABEL).all())
        and type(scheduler) in (type(None), HalveOnPlateau)
        and type(optimizer) is FusedAdamOptimizer
        and len(optimizer.param_groups) == 1
        and optimizer.param_groups[0]["fused"]
    )
    return (shape, train.values.values.dtype, training.batch_size) if plain else None


def _has_one_row_each(values: Ragged) -> bool:
    """Batches of sentences are large, so that nothing is gained, and each has another number of rows."""
    return bool((values.lengths == 1).all())


@cache
def _count(num_rows: int) -> torch.Tensor:
    return torch.tensor(num_rows)
