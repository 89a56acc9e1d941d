from linspector_allennlp.modules.layer_mix_head import LayerMixHead
from linspector_allennlp.modules.linear_head import LinearHead
from linspector_allennlp.modules.low_rank_head import LowRankHead
from linspector_allennlp.modules.mlp_head import MlpHead
from linspector_allennlp.modules.probe_head import ProbeHead

__all__ = ["LayerMixHead", "LinearHead", "LowRankHead", "MlpHead", "ProbeHead"]
