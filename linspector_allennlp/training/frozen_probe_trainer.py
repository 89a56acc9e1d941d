import datetime
import logging
import os
import time
from typing import Any, Optional, Union

import torch
from allennlp.common import Lazy, Tqdm
from allennlp.data import DataLoader
from allennlp.models import Model
from allennlp.training import Trainer
from allennlp.training.callbacks import TrainerCallback
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.metric_tracker import MetricTracker
from allennlp.training.optimizers import Optimizer
from allennlp.training.util import description_from_metrics

from linspector_allennlp.files import replacing, write_json
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.training.checkpoint import Checkpoint, Progress
from linspector_allennlp.training.epoch import GradientSteps, evaluate, train_epoch
from linspector_allennlp.training.features import Features, compute_features, epoch_order
from linspector_allennlp.training.threads import num_threads_set_to
from linspector_allennlp.training.trainer_settings import check_settings

logger = logging.getLogger(__name__)


@Trainer.register("frozen_probe")
class FrozenProbeTrainer(Trainer):
    """
    Trains a probe on features that are computed once. Each epoch is a loop over tensors; the
    representation is not run again. Settings, metrics and files are those of `gradient_descent`,
    which trains the same models.

    Every epoch draws its random numbers (order of the items, dropout) from the seed and its own
    number, so a run that was killed and recovered ends like one that was not.

    Registered as a `Trainer` with name "frozen_probe".

    # Parameters

    optimizer : `Lazy[Optimizer]`, optional (default = Adam)
    num_epochs : `int`, optional (default = `20`)
    patience : `int`, optional (default = `None`)
        Stop after so many epochs without a better validation metric.
    validation_metric : `str`, optional (default = `"+accuracy"`)
        What makes an epoch the best; `+` if more is better, `-` if less is.
    grad_norm, grad_clipping : `float`, optional (default = `None`)
        The gradient is scaled to this norm at most; its components are cut off at this size.
    learning_rate_scheduler : `Lazy[LearningRateScheduler]`, optional
    max_steps : `int`, optional (default = `None`)
        Stop after so many gradient steps.
    num_threads : `int`, optional (default = `1`)
        Of this process while it trains. A small probe gains nothing from a second one.
    representation_batch_size : `int`, optional (default = `256`)
        How many instances are represented at a time.
    feature_memory_gb : `float`, optional (default = `4.0`)
        Features that need more are kept in a temporary file in the run folder.
    callbacks : `List[Lazy[TrainerCallback]]`, optional
        They hear of the start, of each epoch and of the end, but not of single batches.
    """

    def __init__(
        self,
        model: Model,
        data_loader: DataLoader,
        validation_data_loader: Optional[DataLoader] = None,
        optimizer: Lazy[Optimizer] = Lazy(Optimizer.default),
        num_epochs: int = 20,
        patience: Optional[int] = None,
        validation_metric: Union[str, list[str]] = "+accuracy",
        grad_norm: Optional[float] = None,
        grad_clipping: Optional[float] = None,
        learning_rate_scheduler: Optional[Lazy[LearningRateScheduler]] = None,
        max_steps: Optional[int] = None,
        num_threads: int = 1,
        representation_batch_size: int = 256,
        feature_memory_gb: float = 4.0,
        callbacks: Optional[list[Lazy[TrainerCallback]]] = None,
        serialization_dir: Optional[str] = None,
        cuda_device: Optional[Union[int, torch.device]] = None,
        distributed: bool = False,
    ) -> None:
        check_settings(model, data_loader, num_epochs, patience, distributed)
        super().__init__(serialization_dir, cuda_device)  # type: ignore[arg-type]
        self._serialization_dir: str
        self.model: FrozenProbe = model.to(self.cuda_device)  # type: ignore[assignment]
        self.data_loader = data_loader
        self._validation_data_loader = validation_data_loader
        self._batch_size: int = data_loader.batch_size  # type: ignore[attr-defined]
        self._num_epochs = num_epochs
        self._num_threads = num_threads
        self._representation_batch_size = representation_batch_size
        self._feature_memory_gb = feature_memory_gb
        # They are typed for AllenNLP's own trainer, but ask no more of it than ours has.
        self._callbacks: list[Any] = [
            callback.construct(serialization_dir=serialization_dir) for callback in callbacks or []
        ]
        named_parameters = list(self.model.head.named_parameters(prefix="head"))
        self.optimizer = optimizer.construct(model_parameters=named_parameters)
        scheduler: Optional[LearningRateScheduler] = None
        if learning_rate_scheduler is not None:
            scheduler = learning_rate_scheduler.construct(
                optimizer=self.optimizer,
                num_epochs=num_epochs,
                num_steps_per_epoch=_num_batches(data_loader),
            )
        self._steps = GradientSteps(
            self.optimizer,
            [parameter for _, parameter in named_parameters],
            grad_norm,
            grad_clipping,
            scheduler,
            max_steps,
        )
        self._metric_tracker = MetricTracker(validation_metric, patience)
        self._progress = Progress()
        self._checkpoint = Checkpoint(
            self._path("training_state.th"),
            head=self.model.head,
            steps=self._steps,
            metric_tracker=self._metric_tracker,
            progress=self._progress,
        )
        self._seed = torch.initial_seed()

    def train(self) -> dict[str, Any]:
        if self._checkpoint.restore(self.cuda_device):
            logger.info("Going on after epoch %d.", self._progress.epochs_completed - 1)
        for callback in self._callbacks:
            callback.on_start(self)
        with num_threads_set_to(self._num_threads), torch.random.fork_rng(devices=[]):
            if not self._finished:
                self._train_epochs()
        self.get_best_weights_path()
        metrics = dict(self._progress.metrics)
        for callback in self._callbacks:
            callback.on_end(self, metrics=metrics, epoch=self._progress.epochs_completed - 1)
        return metrics

    def get_best_weights_path(self) -> Optional[str]:
        """Puts the best head so far into the model and writes the weights of the whole model."""
        if self._progress.epochs_completed == 0:
            return None
        if self._progress.best_head is not None:
            self.model.head.load_state_dict(self._progress.best_head)
        with replacing(self._path("best.th")) as temporary:
            torch.save(self.model.state_dict(), temporary)
        return self._path("best.th")

    @property
    def _finished(self) -> bool:
        return (
            self._progress.epochs_completed >= self._num_epochs
            or self._metric_tracker.should_stop_early()
            or self._steps.exhausted
        )

    def _train_epochs(self) -> None:
        memory_limit = self._feature_memory_gb * 1e9
        train = self._features(self.data_loader, memory_limit)
        validation = None
        if self._validation_data_loader is not None:
            memory_limit -= train.values.numel() * train.values.element_size()
            validation = self._features(self._validation_data_loader, memory_limit)
        with Tqdm.tqdm(total=self._num_epochs, initial=self._progress.epochs_completed) as bar:
            while not self._finished:
                self._train_and_validate(train, validation)
                bar.set_description(self._description(), refresh=False)
                bar.update()

    def _train_and_validate(self, train: Features, validation: Optional[Features]) -> None:
        started, epoch = time.monotonic(), self._progress.epochs_completed
        torch.manual_seed((self._seed * 1_000_003 + epoch) % 2**63)
        order = epoch_order(self.data_loader, len(train.labels)).to(train.labels.device)
        metrics = train_epoch(self.model, train, order, self._batch_size, self._steps)
        self._progress.metrics.update(_prefixed("training", metrics))
        score = None
        if validation is not None:
            metrics = evaluate(self.model, validation)
            score = self._metric_tracker.combined_score(metrics)
            self._metric_tracker.add_metrics(metrics)
            self._progress.metrics.update(_prefixed("validation", metrics))
            if self._metric_tracker.is_best_so_far():
                self._progress.metrics.update(
                    _prefixed("best_validation", metrics), best_epoch=epoch
                )
                self._progress.best_head = _copy(self.model.head.state_dict())
        self._steps.end_epoch(score)
        self._progress.epochs_completed += 1
        self._progress.seconds += time.monotonic() - started
        self._progress.metrics.update(
            epoch=epoch,
            training_steps=self._steps.taken,
            training_duration=str(datetime.timedelta(seconds=self._progress.seconds)),
        )
        write_json(self._path(f"metrics_epoch_{epoch}.json"), self._progress.metrics)
        self._checkpoint.save()
        for callback in self._callbacks:
            callback.on_epoch(self, metrics=self._progress.metrics, epoch=epoch)

    def _description(self) -> str:
        shown = ("training_accuracy", "training_loss", "validation_accuracy", "validation_loss")
        metrics = self._progress.metrics
        return description_from_metrics({name: metrics[name] for name in shown if name in metrics})

    def _features(self, loader: DataLoader, memory_limit: float) -> Features:
        return compute_features(
            self.model,
            loader,
            device=self.cuda_device,
            batch_size=self._representation_batch_size,
            memory_limit=memory_limit,
            folder=self._serialization_dir,
        )

    def _path(self, name: str) -> str:
        return os.path.join(self._serialization_dir, name)


def _num_batches(loader: DataLoader) -> Optional[int]:
    try:
        return len(loader)
    except TypeError:  # it reads as it goes, and cannot know
        return None


def _prefixed(prefix: str, metrics: dict[str, float]) -> dict[str, float]:
    return {f"{prefix}_{name}": value for name, value in metrics.items()}


def _copy(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: tensor.detach().cpu().clone() for name, tensor in state.items()}
