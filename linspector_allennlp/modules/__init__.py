from linspector_allennlp.modules.bilinear_scorer import BilinearScorer
from linspector_allennlp.modules.edge_scorer import EdgeScorer
from linspector_allennlp.modules.layer_mix_head import LayerMixHead
from linspector_allennlp.modules.linear_head import LinearHead
from linspector_allennlp.modules.low_rank_head import LowRankHead
from linspector_allennlp.modules.mlp_head import MlpHead
from linspector_allennlp.modules.mlp_scorer import MlpScorer
from linspector_allennlp.modules.probe_head import ProbeHead
from linspector_allennlp.modules.projection import Projection

__all__ = [
    "BilinearScorer",
    "EdgeScorer",
    "LayerMixHead",
    "LinearHead",
    "LowRankHead",
    "MlpHead",
    "MlpScorer",
    "ProbeHead",
    "Projection",
]
