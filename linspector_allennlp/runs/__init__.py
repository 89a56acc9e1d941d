from linspector_allennlp.runs.probe_run import ProbeRun
from linspector_allennlp.runs.recorded_run import RecordedRun

__all__ = ["ProbeRun", "RecordedRun"]
