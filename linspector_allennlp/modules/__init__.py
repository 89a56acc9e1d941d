from linspector_allennlp.modules.edge_scorers import (
    BilinearScorer,
    EdgeHead,
    EdgeScorer,
    MlpScorer,
)
from linspector_allennlp.modules.feature_bag import FeatureBagEmbedder, FeatureBagIndexer
from linspector_allennlp.modules.heads import (
    LayeredHead,
    LayerMixHead,
    LinearHead,
    LowRankHead,
    MlpHead,
    ProbeHead,
)
from linspector_allennlp.modules.piece_attention import PieceAttentionHead
from linspector_allennlp.modules.projection import Projection
from linspector_allennlp.modules.sklearn_head import FittedHead, SklearnHead

__all__ = [
    "BilinearScorer",
    "EdgeHead",
    "EdgeScorer",
    "FeatureBagEmbedder",
    "FeatureBagIndexer",
    "FittedHead",
    "LayeredHead",
    "LayerMixHead",
    "LinearHead",
    "LowRankHead",
    "MlpHead",
    "MlpScorer",
    "PieceAttentionHead",
    "ProbeHead",
    "Projection",
    "SklearnHead",
]
