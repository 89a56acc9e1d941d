from linspector_allennlp.commands.data.probe_data import ProbeData
from linspector_allennlp.commands.probe_cache import ProbeCache
from linspector_allennlp.commands.probe_compare import ProbeCompare
from linspector_allennlp.commands.probe_layers import ProbeLayers
from linspector_allennlp.commands.probe_selectivity import ProbeSelectivity
from linspector_allennlp.commands.probe_summary import ProbeSummary
from linspector_allennlp.commands.probe_tree import ProbeTree

__all__ = [
    "ProbeCache",
    "ProbeCompare",
    "ProbeData",
    "ProbeLayers",
    "ProbeSelectivity",
    "ProbeSummary",
    "ProbeTree",
]
