from linspector_allennlp.models.depth_probe import DepthProbe
from linspector_allennlp.models.distance_probe import DistanceProbe
from linspector_allennlp.models.edge_probe import EdgeProbe
from linspector_allennlp.models.frozen_probe import FrozenProbe
from linspector_allennlp.models.label_probe import LabelProbe
from linspector_allennlp.models.paired_forms_probe import PairedFormsProbe
from linspector_allennlp.models.perceptron_probe import PerceptronProbe
from linspector_allennlp.models.single_form_probe import SingleFormProbe
from linspector_allennlp.models.tagging_probe import TaggingProbe
from linspector_allennlp.models.token_in_context_probe import TokenInContextProbe
from linspector_allennlp.models.tree_probe import TreeProbe

__all__ = [
    "DepthProbe",
    "DistanceProbe",
    "EdgeProbe",
    "FrozenProbe",
    "LabelProbe",
    "PairedFormsProbe",
    "PerceptronProbe",
    "SingleFormProbe",
    "TaggingProbe",
    "TokenInContextProbe",
    "TreeProbe",
]
