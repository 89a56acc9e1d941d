from linspector_allennlp.training.frozen_probe_trainer import FrozenProbeTrainer
from linspector_allennlp.training.probe_run import ProbeRun

__all__ = ["FrozenProbeTrainer", "ProbeRun"]
