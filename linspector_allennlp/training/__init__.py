from linspector_allennlp.training.fold_kinds import KFold, LeaveOneGroupOut, RandomSubsets
from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer
from linspector_allennlp.training.optimizers import FusedAdamOptimizer, HalveOnPlateau

__all__ = [
    "FrozenProbeTrainer",
    "FusedAdamOptimizer",
    "HalveOnPlateau",
    "KFold",
    "LeaveOneGroupOut",
    "RandomSubsets",
]
