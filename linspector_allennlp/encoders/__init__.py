from linspector_allennlp.encoders.average import AverageEncoder
from linspector_allennlp.encoders.borep import BorepEncoder
from linspector_allennlp.encoders.gem import GemEncoder
from linspector_allennlp.encoders.hierarchical_pooling import HierarchicalPoolingEncoder
from linspector_allennlp.encoders.max import MaxEncoder
from linspector_allennlp.encoders.power_means import PowerMeansEncoder
from linspector_allennlp.encoders.random_bilstm import RandomBiLstmEncoder
from linspector_allennlp.encoders.random_esn import RandomEsnEncoder
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows
from linspector_allennlp.encoders.sentence_spaces import SentenceSpaces
from linspector_allennlp.encoders.sentence_vector import SentenceVectorEncoder
from linspector_allennlp.encoders.sif import SifEncoder

__all__ = [
    "AverageEncoder",
    "BorepEncoder",
    "GemEncoder",
    "HierarchicalPoolingEncoder",
    "MaxEncoder",
    "PowerMeansEncoder",
    "RandomBiLstmEncoder",
    "RandomEsnEncoder",
    "SentenceEncoder",
    "SentenceSpaces",
    "SentenceVectorEncoder",
    "SifEncoder",
    "WordRows",
]
