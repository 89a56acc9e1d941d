from linspector_allennlp.downstream.entities import EntitiesTask
from linspector_allennlp.downstream.inference import InferenceTask
from linspector_allennlp.downstream.parsing import ParsingTask
from linspector_allennlp.downstream.roles import RolesTask
from linspector_allennlp.downstream.tagging import TaggingTask
from linspector_allennlp.downstream.task import DownstreamTask

__all__ = [
    "DownstreamTask",
    "EntitiesTask",
    "InferenceTask",
    "ParsingTask",
    "RolesTask",
    "TaggingTask",
]
