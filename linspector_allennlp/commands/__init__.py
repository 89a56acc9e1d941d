from linspector_allennlp.commands.probe_cache import ProbeCache
from linspector_allennlp.commands.probe_data import ProbeData
from linspector_allennlp.commands.probe_layers import ProbeLayers
from linspector_allennlp.commands.probe_summary import ProbeSummary

__all__ = ["ProbeCache", "ProbeData", "ProbeLayers", "ProbeSummary"]
