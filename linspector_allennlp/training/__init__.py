from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer
from linspector_allennlp.training.fused_adam import FusedAdamOptimizer
from linspector_allennlp.training.halve_on_plateau import HalveOnPlateau
from linspector_allennlp.training.probe_run import ProbeRun

__all__ = ["FrozenProbeTrainer", "FusedAdamOptimizer", "HalveOnPlateau", "ProbeRun"]
