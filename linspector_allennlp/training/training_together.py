from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Optional

from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer
from linspector_allennlp.training.stack import Stack
from linspector_allennlp.training.stacked_probe import StackedProbe

Stacked = tuple[FrozenProbeTrainer, StackedProbe]


def train_together(
    trainers: Sequence[FrozenProbeTrainer], stack_size: int = 0
) -> list[Optional[Exception]]:
    """
    Trains several probes, those as one whose features and heads have the same shape. Each is afterwards
    as if it had been trained alone; where that failed, its error is in the list that is returned. No
    state is kept to go on from.

    # Parameters

    stack_size : `int`, optional
        How many probes are one at most; by default as many as is fastest.
    """
    errors: dict[FrozenProbeTrainer, Exception] = {}
    stacks: defaultdict[Hashable, list[Stacked]] = defaultdict(list)
    for trainer in trainers:
        trainer.keeps_epochs = False
        try:
            trainer.begin()
            found = trainer.stacked()
            if found is None:
                trainer.train_epochs()
                trainer.end()
            else:
                key, probe = found
                stacks[key].append((trainer, probe))
        except Exception as error:  # noqa: BLE001 - the others go on
            errors[trainer] = error
    for of_shape in stacks.values():
        errors.update(_train_stack(of_shape, stack_size))
    return [errors.get(trainer) for trainer in trainers]


def _train_stack(stacked: Sequence[Stacked], size: int) -> dict[FrozenProbeTrainer, Exception]:
    errors = {}
    probes = [probe for _, probe in stacked]
    try:
        with stacked[0][0].reproducible():
            Stack(probes, size).train()
    except Exception as error:  # noqa: BLE001 - such as too little memory
        for probe in probes:
            probe.error = probe.error or (None if probe.training.finished else error)
    for trainer, probe in stacked:
        try:
            if probe.error is not None:
                raise probe.error
            trainer.end()
        except Exception as error:  # noqa: BLE001 - the others go on
            errors[trainer] = error
    return errors
