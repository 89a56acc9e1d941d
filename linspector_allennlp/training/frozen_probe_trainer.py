import datetime
import logging
import os
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Optional, Union

import torch
from allennlp.common import Lazy, Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader
from allennlp.models import Model
from allennlp.training import Trainer
from allennlp.training.callbacks import TrainerCallback
from allennlp.training.learning_rate_schedulers import LearningRateScheduler
from allennlp.training.optimizers import Optimizer
from allennlp.training.util import description_from_metrics

from linspector_allennlp.io.files import replacing, write_json
from linspector_allennlp.models.probe import as_probe
from linspector_allennlp.modules import FittedHead
from linspector_allennlp.training.evaluation import evaluate
from linspector_allennlp.training.feature_source import FeatureSource
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.head_fitting import HeadFitting
from linspector_allennlp.training.head_training import (
    Checkpoint,
    HeadTraining,
    TrainingSettings,
    head_weights,
)
from linspector_allennlp.training.online_code import Block, online_code, uniform_code
from linspector_allennlp.training.split import Split
from linspector_allennlp.training.stacked_probe import StackedProbe, stack_key

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
    splits : `Sequence[Split]`, optional
        The data of the loaders, where a run has walked through them; never in a config.
    """

    keeps_epochs: bool = True
    """Whether each epoch leaves its metrics and a state to go on from. A series trains again what was cut off."""

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
        splits: Sequence[Split] = (),
        serialization_dir: Optional[str] = None,
        cuda_device: Optional[Union[int, torch.device]] = None,
        distributed: bool = False,
    ) -> None:
        probe = as_probe(
            model,
            "frozen_probe trains the probes of this package, not {}; use gradient_descent for "
            "other models.",
        )
        if distributed:
            raise ConfigurationError(
                "frozen_probe trains on one device: a probe is small. Leave out `distributed`."
            )
        warning = probe.training_warning(validation_metric)
        if warning:
            logger.warning(warning)
        super().__init__(serialization_dir=serialization_dir, cuda_device=cuda_device)  # type: ignore[arg-type]
        self._serialization_dir: str
        self.model = probe.to(self.cuda_device)
        self.data_loader = data_loader
        self._validation_data_loader = validation_data_loader
        self._num_epochs = num_epochs
        self._num_threads = num_threads
        self.features = FeatureSource(
            self.model,
            self.cuda_device,
            splits,
            batch_size=representation_batch_size,
            memory_gb=feature_memory_gb,
            folder=serialization_dir,
        )
        # They are typed for AllenNLP's own trainer, but ask no more of it than ours has.
        self._callbacks: list[Any] = [
            callback.construct(serialization_dir=serialization_dir) for callback in callbacks or []
        ]
        self._settings = TrainingSettings(
            optimizer=optimizer,
            learning_rate_scheduler=learning_rate_scheduler,
            num_epochs=num_epochs,
            patience=patience,
            validation_metric=validation_metric,
            grad_norm=grad_norm,
            grad_clipping=grad_clipping,
            max_steps=max_steps,
        )
        self._seed = torch.initial_seed()
        self._initial_head = head_weights(self.model)
        self._training = self._new_training(self._settings)
        self.optimizer = self._training.steps.optimizer
        self._checkpoint = Checkpoint(
            self._path("training_state.th"),
            head=self.model.head,
            steps=self._training.steps,
            metric_tracker=self._training.metric_tracker,
            progress=self._training.progress,
        )

    def train(self) -> dict[str, Any]:
        self.begin()
        self.train_epochs()
        return self.end()

    def begin(self) -> None:
        progress = self._training.progress
        if self._checkpoint.restore(self.cuda_device):
            logger.info("Going on after epoch %d.", progress.epochs_completed - 1)
        for callback in self._callbacks:
            callback.on_start(self)

    def end(self) -> dict[str, Any]:
        """Puts the best head into the model and its file; gives the metrics."""
        self.get_best_weights_path()
        metrics = self.metrics
        epoch = self._training.progress.epochs_completed - 1
        for callback in self._callbacks:
            callback.on_end(self, metrics=metrics, epoch=epoch)
        return metrics

    @property
    def metrics(self) -> dict[str, Any]:
        """Those of training so far."""
        return dict(self._training.progress.metrics)

    @property
    def seconds(self) -> float:
        """That training took so far."""
        return self._training.progress.seconds

    def stacked(self) -> Optional[tuple[Hashable, StackedProbe]]:
        """
        The key of the stack that this probe can be trained in, and the probe there; between `begin` and
        `end`. `None` for what is trained by itself.
        """
        training = self._training
        if self._callbacks or not isinstance(training, HeadTraining) or training.finished:
            return None
        train, validation = self._training_features()
        key = stack_key(training, train)
        if key is None:
            return None
        probe = StackedProbe(training, train, validation, self._record_epoch)
        return (key, self._num_threads), probe

    def represent(self, loaders: Sequence[DataLoader]) -> None:
        """Computes the features of these data now, on as many threads as training has."""
        with self.reproducible():
            for loader in loaders:
                self.features.of(loader)

    def get_best_weights_path(self) -> Optional[str]:
        """Puts the best head so far into the model and writes the weights of the whole model."""
        if self._training.progress.epochs_completed == 0:
            return None
        self._training.restore_best()
        with replacing(self._path("best.th")) as temporary:
            torch.save(self.model.state_dict(), temporary)
        # AllenNLP takes it for a path in the run folder if it is a relative one.
        return os.path.abspath(self._path("best.th"))

    def nats(self, features: Features) -> float:
        """
        The sum of −ln p of the right answers by the head with the least validation loss. The model is
        afterwards what it was.
        """
        if isinstance(self.model.head, FittedHead):
            return evaluate(self.model, features).nats
        trained = head_weights(self.model)
        self._training.restore_least_loss()
        with self.reproducible():
            nats = evaluate(self.model, features).nats
        self.model.head.load_state_dict(trained)
        return nats

    def code_training_data(self) -> tuple[list[Block], float]:
        """
        The online code of the training data (see `online_code`), and their uniform code in bits. The
        model is afterwards what it was. The epoch of each probe is the one with the least validation
        loss, whatever chooses that of the run: a code is as long as probabilities are bad.
        """
        trained = head_weights(self.model)
        train, validation = self._training_features()
        settings = replace(self._settings, validation_metric="-loss")

        def fit(instances: torch.Tensor) -> None:
            self._train_anew(settings, train, instances, validation)

        with self.reproducible():
            blocks = online_code(self.model, train, fit, self._seed)
        self.model.head.load_state_dict(trained)
        return blocks, uniform_code(self.model, train)

    def train_fold(
        self, instances: torch.Tensor, validation: Optional[torch.Tensor] = None
    ) -> Features:
        """
        Trains the head from the start on these instances of the training data alone, and gives the
        features of all. The best epoch is chosen on the `validation` ones; without any it is the last.
        """
        features = self.features.of(self.data_loader)
        with self.reproducible():
            self._train_anew(
                self._settings,
                features,
                instances,
                None if validation is None else features,
                validation,
            )
        return features

    def _train_anew(
        self,
        settings: TrainingSettings,
        train: Features,
        instances: torch.Tensor,
        validation: Optional[Features],
        validation_instances: Optional[torch.Tensor] = None,
    ) -> None:
        self.model.head.load_state_dict(self._initial_head)
        training = self._new_training(settings)
        while not training.finished:
            training.run_epoch(train, validation, instances, validation_instances)
        training.restore_best()

    def _new_training(self, settings: TrainingSettings) -> Union[HeadTraining, HeadFitting]:
        if isinstance(self.model.head, FittedHead):
            return HeadFitting(self.model, self._seed)
        return HeadTraining(self.model, self.data_loader, settings, self._seed)

    @contextmanager
    def reproducible(self) -> Iterator[None]:
        """On so many threads, and without a trace in the random numbers of others."""
        threads = torch.get_num_threads()
        torch.set_num_threads(self._num_threads)
        try:
            with torch.random.fork_rng(devices=[]):
                yield
        finally:
            torch.set_num_threads(threads)

    def _training_features(self) -> tuple[Features, Optional[Features]]:
        """Of the training and the validation data."""
        train = self.features.of(self.data_loader)
        validation = self._validation_data_loader
        return train, None if validation is None else self.features.of(validation)

    def train_epochs(self) -> None:
        """Between `begin` and `end`."""
        if not self._training.finished:
            with self.reproducible():
                self._train_epochs()

    def _train_epochs(self) -> None:
        train, validation = self._training_features()
        progress = self._training.progress
        with Tqdm.tqdm(
            total=self._num_epochs,
            initial=progress.epochs_completed,
            disable=not self.keeps_epochs,
        ) as bar:
            while not self._training.finished:
                self._training.run_epoch(train, validation)
                self._record_epoch()
                bar.set_description(self._description(), refresh=False)
                bar.update()

    def _record_epoch(self) -> None:
        progress = self._training.progress
        epoch = progress.epochs_completed - 1
        progress.metrics.update(
            epoch=epoch,
            training_steps=self._training.steps.taken,
            training_duration=str(datetime.timedelta(seconds=progress.seconds)),
        )
        if self.keeps_epochs:
            write_json(self._path(f"metrics_epoch_{epoch}.json"), progress.metrics)
            self._checkpoint.save()
        for callback in self._callbacks:
            callback.on_epoch(self, metrics=progress.metrics, epoch=epoch)

    def _description(self) -> str:
        metrics, main = self._training.progress.metrics, self.model.main_metric
        shown = (f"training_{main}", "training_loss", f"validation_{main}", "validation_loss")
        return description_from_metrics({name: metrics[name] for name in shown if name in metrics})

    def _path(self, name: str) -> str:
        return os.path.join(self._serialization_dir, name)
