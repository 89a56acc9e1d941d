import errno
import math
import os
import pickle
import struct
import time
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.metric_tracker import MetricTracker
from allennlp.training.optimizers import Optimizer

from linspector_allennlp.io.files import replacing
from linspector_allennlp.io.regular import regular
from linspector_allennlp.models import Probe
from linspector_allennlp.training.epoch import GradientSteps, train_epoch
from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.features import Features, epoch_order

# What `torch.load` has for a file that is damaged somewhere.
_DAMAGES = (
    RuntimeError,
    pickle.UnpicklingError,
    EOFError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass
class Progress:
    """How far a run has come, and what was best on the way."""

    epochs_completed: int = 0
    seconds: float = 0.0
    metrics: dict[str, Any] = field(default_factory=dict)
    best_head: Optional[dict[str, torch.Tensor]] = None
    least_loss: float = math.inf
    least_loss_head: Optional[dict[str, torch.Tensor]] = None

    def state_dict(self) -> dict[str, Any]:
        return dict(vars(self))

    def load_state_dict(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


class Checkpoint:
    """
    The state of several parts in one file, replaced as a whole: a process that is killed at any
    moment leaves the last complete state behind.

    # Parameters

    path : `str`
    parts : `Any`
        By name, whatever has a `state_dict` and a `load_state_dict`.
    """

    def __init__(self, path: str, **parts: Any) -> None:
        self._path = path
        self._parts = parts

    def save(self) -> None:
        with replacing(self._path) as temporary:
            torch.save({name: part.state_dict() for name, part in self._parts.items()}, temporary)

    def restore(self, device: torch.device) -> bool:
        """Brings all parts to the saved state; false if there is none."""
        if not os.path.exists(self._path):
            return False
        states = self._read(device)
        try:
            for name, part in self._parts.items():
                part.load_state_dict(states[name])
        except _DAMAGES as error:
            raise self._unreadable(str(error).strip().partition("\n")[0]) from error
        return True

    def _read(self, device: torch.device) -> dict[str, Any]:
        regular(self._path)
        try:
            _check_sums(self._path)
            states = torch.load(str(self._path), map_location=device)
        except _DAMAGES as error:
            raise self._unreadable(str(error).strip().partition("\n")[0]) from error
        if not isinstance(states, dict) or not states.keys() >= self._parts.keys():
            raise self._unreadable("something else")
        return states

    def _unreadable(self, found: str) -> ValueError:
        return ValueError(
            f"{self._path}: expected the state of a training, found what cannot be read ({found}). "
            "Remove the run's folder, and train it anew without --recover."
        )


def _check_sums(path: str) -> None:
    """Raises where a file of `torch.save` is damaged: torch does not look at the sums in it."""
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
    except OSError as error:  # a place before the beginning
        if error.errno != errno.EINVAL:
            raise
        damaged = "its list of parts"
    if damaged:
        raise ValueError(f"{damaged} is damaged")


@dataclass(frozen=True)
class TrainingSettings:
    """How a head is trained; `FrozenProbeTrainer` says what each means."""

    optimizer: Lazy[Optimizer]
    learning_rate_scheduler: Optional[Lazy[LearningRateScheduler]]
    num_epochs: int
    patience: Optional[int]
    validation_metric: Union[str, list[str]]
    grad_norm: Optional[float]
    grad_clipping: Optional[float]
    max_steps: Optional[int]

    def __post_init__(self) -> None:
        for name in ("num_epochs", "patience"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigurationError(f"{name}: expected at least 1, found {value}.")


class HeadTraining:
    """
    The training of a probe's head on features, epoch by epoch, from the weights that it has now.

    # Parameters

    model : `Probe`
    loader : `DataLoader`
        Its settings say how large batches are, and whether they are shuffled.
    settings : `TrainingSettings`
    seed : `int`
        From which every epoch draws its random numbers (order of the items, dropout), together with
        its own number.
    """

    def __init__(
        self, model: Probe, loader: DataLoader, settings: TrainingSettings, seed: int
    ) -> None:
        _check_loader(loader)
        self.model = model
        self._loader = loader
        self._num_epochs = settings.num_epochs
        self._seed = seed
        named_parameters = list(model.head.named_parameters(prefix="head"))
        optimizer = settings.optimizer.construct(model_parameters=named_parameters)
        scheduler: Optional[LearningRateScheduler] = None
        if settings.learning_rate_scheduler is not None:
            scheduler = settings.learning_rate_scheduler.construct(
                optimizer=optimizer,
                num_epochs=settings.num_epochs,
                num_steps_per_epoch=_num_batches(loader),
            )
        self.steps = GradientSteps(
            optimizer,
            [parameter for _, parameter in named_parameters],
            settings.grad_norm,
            settings.grad_clipping,
            scheduler,
            settings.max_steps,
        )
        self.metric_tracker = MetricTracker(settings.validation_metric, settings.patience)
        self.progress = Progress()

    @property
    def batch_size(self) -> int:
        """Of instances."""
        return self._loader.batch_size  # type: ignore[attr-defined]

    @property
    def finished(self) -> bool:
        return (
            self.progress.epochs_completed >= self._num_epochs
            or self.metric_tracker.should_stop_early()
            or self.steps.exhausted
        )

    def run_epoch(
        self,
        train: Features,
        validation: Optional[Features],
        instances: Optional[torch.Tensor] = None,
        validation_instances: Optional[torch.Tensor] = None,
    ) -> None:
        """Trains on all instances, or on these; validates on all, or on those."""
        started = time.monotonic()
        instances = torch.arange(train.num_instances) if instances is None else instances
        order = instances[self.begin_epoch(len(instances))]
        metrics = train_epoch(self.model, train, order, self.batch_size, self.steps)
        self.end_epoch(metrics, validation, validation_instances)
        self.progress.seconds += time.monotonic() - started

    def begin_epoch(
        self, num_instances: int, generator: Optional[torch.Generator] = None
    ) -> torch.Tensor:
        """The order of the instances of the next epoch, all of whose random numbers begin here."""
        seed = (self._seed * 1_000_003 + self.progress.epochs_completed) % 2**63
        torch.manual_seed(seed) if generator is None else generator.manual_seed(seed)
        return epoch_order(self._loader, num_instances, generator)

    def end_epoch(
        self,
        metrics: dict[str, float],
        validation: Optional[Features],
        validation_instances: Optional[torch.Tensor] = None,
    ) -> None:
        """Takes the metrics of training, validates, and keeps what is best."""
        epoch, score = self.progress.epochs_completed, None
        self.progress.metrics.update(prefixed("training", metrics))
        if validation is not None:
            metrics = evaluate(self.model, validation, validation_instances).metrics
            score = self.metric_tracker.combined_score(metrics)
            self.metric_tracker.add_metrics(metrics)
            self.progress.metrics.update(prefixed("validation", metrics))
            self._keep_best(epoch, metrics)
        self.steps.end_epoch(score)
        self.progress.epochs_completed += 1

    def _keep_best(self, epoch: int, metrics: dict[str, float]) -> None:
        """Keeps the head of this epoch if it is the best so far, or has the least loss."""
        progress, loss = self.progress, metrics["loss"]
        if self.metric_tracker.is_best_so_far():
            progress.metrics.update(prefixed("best_validation", metrics), best_epoch=epoch)
            progress.best_head = head_weights(self.model)
        if loss < progress.least_loss:
            progress.metrics["least_loss_epoch"] = epoch
            progress.least_loss = loss
            is_best = progress.metrics.get("best_epoch") == epoch
            progress.least_loss_head = progress.best_head if is_best else head_weights(self.model)

    def restore_best(self) -> None:
        """Puts the best head so far into the model; without validation data it is the last one."""
        if self.progress.best_head is not None:
            self.model.head.load_state_dict(self.progress.best_head)

    def restore_least_loss(self) -> None:
        """
        Puts the head with the least validation loss into the model. Its probabilities are the best;
        those of the head with the best accuracy are often overconfident.
        """
        if self.progress.least_loss_head is not None:
            self.model.head.load_state_dict(self.progress.least_loss_head)


def head_weights(model: Probe) -> dict[str, torch.Tensor]:
    """A copy of what is trained."""
    state: dict[str, Any] = model.head.state_dict()
    return {name: tensor.detach().cpu().clone() for name, tensor in state.items()}


def _check_loader(loader: DataLoader) -> None:
    """Refuses settings of a loader that features cannot follow, and says what to do instead."""
    if getattr(loader, "batch_sampler", None) is not None:
        raise ConfigurationError(
            "frozen_probe makes its batches from features, which have no length to sort by: give "
            "the data loader `batch_size` and `shuffle` instead of a `batch_sampler`."
        )
    if getattr(loader, "batches_per_epoch", None) is not None:
        raise ConfigurationError(
            "frozen_probe takes all items in every epoch: leave out `batches_per_epoch` "
            "(`max_steps` limits the gradient steps)."
        )


def _num_batches(loader: DataLoader) -> Optional[int]:
    try:
        return len(loader)
    except TypeError:  # it reads as it goes, and cannot know
        return None


def prefixed(prefix: str, metrics: dict[str, float]) -> dict[str, float]:
    return {f"{prefix}_{name}": value for name, value in metrics.items()}
