from linspector_allennlp.encoders.average import AverageEncoder
from linspector_allennlp.encoders.sentence_encoder import SentenceEncoder, WordRows
from linspector_allennlp.encoders.sentence_spaces import SentenceSpaces

__all__ = ["AverageEncoder", "SentenceEncoder", "SentenceSpaces", "WordRows"]
