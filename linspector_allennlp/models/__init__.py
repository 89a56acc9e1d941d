from linspector_allennlp.models.char_trigram_srl import CharTrigramSrl
from linspector_allennlp.models.dependency_srl import DependencySrl
from linspector_allennlp.models.edge_probe import EdgeProbe
from linspector_allennlp.models.label_probe import LabelProbe
from linspector_allennlp.models.label_probes import (
    PairedFormsProbe,
    PairedTokensProbe,
    SingleFormProbe,
    TaggingProbe,
    TokenInContextProbe,
)
from linspector_allennlp.models.probe import Probe
from linspector_allennlp.models.sentence_probe import SentenceProbe
from linspector_allennlp.models.sized_model import SizedModel
from linspector_allennlp.models.structural_probes import DepthProbe, DistanceProbe, PerceptronProbe
from linspector_allennlp.models.tree_probe import TreeProbe

__all__ = [
    "CharTrigramSrl",
    "DependencySrl",
    "DepthProbe",
    "DistanceProbe",
    "EdgeProbe",
    "LabelProbe",
    "PairedFormsProbe",
    "PairedTokensProbe",
    "PerceptronProbe",
    "Probe",
    "SentenceProbe",
    "SingleFormProbe",
    "SizedModel",
    "TaggingProbe",
    "TokenInContextProbe",
    "TreeProbe",
]
