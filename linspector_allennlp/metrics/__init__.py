from linspector_allennlp.metrics.label_report import LabelReport

__all__ = ["LabelReport"]
