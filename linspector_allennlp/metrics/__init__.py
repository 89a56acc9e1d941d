from linspector_allennlp.metrics.label_report import LabelReport
from linspector_allennlp.metrics.semantic_dependencies import SemanticDependencies
from linspector_allennlp.metrics.sentence_scores import SentenceScores

__all__ = ["LabelReport", "SemanticDependencies", "SentenceScores"]
