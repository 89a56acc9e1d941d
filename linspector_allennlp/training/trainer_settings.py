import logging
from typing import Optional, Union

from allennlp.common.checks import ConfigurationError
from allennlp.data import DataLoader
from allennlp.models import Model

from linspector_allennlp.models import FrozenProbe, PerceptronProbe

logger = logging.getLogger(__name__)


def check_settings(
    model: Model,
    data_loader: DataLoader,
    num_epochs: int,
    patience: Optional[int],
    validation_metric: Union[str, list[str]],
    distributed: bool,
) -> None:
    """Refuses what `frozen_probe` cannot do, and says what to do instead."""
    if distributed:
        raise ConfigurationError(
            "frozen_probe trains on one device: a probe is small. Leave out `distributed`."
        )
    if not isinstance(model, FrozenProbe):
        raise ConfigurationError(
            f"frozen_probe trains the probes of this package, not {type(model).__name__}; "
            "use gradient_descent for other models."
        )
    if getattr(data_loader, "batch_sampler", None) is not None:
        raise ConfigurationError(
            "frozen_probe makes its batches from features, which have no length to sort by: give "
            "the data loader `batch_size` and `shuffle` instead of a `batch_sampler`."
        )
    if getattr(data_loader, "batches_per_epoch", None) is not None:
        raise ConfigurationError(
            "frozen_probe takes all items in every epoch: leave out `batches_per_epoch` "
            "(`max_steps` limits the gradient steps)."
        )
    if isinstance(model, PerceptronProbe) and not model.scale_free and validation_metric == "-loss":
        logger.warning(
            "The loss of perceptron_probe is least where its projection is nothing: the best epoch by "
            "-loss may have learned nothing. Choose it by +uuas, or set scale_free."
        )
    for name, value in {"num_epochs": num_epochs, "patience": patience}.items():
        if value is not None and value < 1:
            raise ConfigurationError(f"{name}: expected at least 1, found {value}.")
