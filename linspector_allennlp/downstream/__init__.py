from linspector_allennlp.downstream.parsing import ParsingTask
from linspector_allennlp.downstream.tagging import TaggingTask
from linspector_allennlp.downstream.task import DownstreamTask

__all__ = ["DownstreamTask", "ParsingTask", "TaggingTask"]
