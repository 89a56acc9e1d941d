from linspector_allennlp.metrics.label_report import LabelReport
from linspector_allennlp.metrics.sentence_scores import SentenceScores

__all__ = ["LabelReport", "SentenceScores"]
