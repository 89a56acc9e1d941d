from linspector_allennlp.encoders.average import AverageEncoder
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows

__all__ = ["AverageEncoder", "SentenceEncoder", "WordRows"]
