from linspector_allennlp.commands.probe_data import ProbeData
from linspector_allennlp.commands.probe_summary import ProbeSummary

__all__ = ["ProbeData", "ProbeSummary"]
