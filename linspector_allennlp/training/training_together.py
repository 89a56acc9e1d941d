from collections.abc import Sequence
from typing import Optional

from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer


def train_together(trainers: Sequence[FrozenProbeTrainer]) -> list[Optional[Exception]]:
    """
    Trains several probes, those as one whose features and heads have the same shape. Each is afterwards
    as if it had been trained alone; where that failed, its error is in the list that is returned.
    """
    errors: list[Optional[Exception]] = []
    for trainer in trainers:
        try:
            trainer.train()
            errors.append(None)
        except Exception as error:  # noqa: BLE001 - the others go on
            errors.append(error)
    return errors
