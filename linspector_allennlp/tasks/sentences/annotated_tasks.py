"""The tasks that need the annotation of a treebank."""

from linspector_allennlp.tasks.sentences.sentence_items import SentenceTask

ANNOTATED_TASKS: dict[str, SentenceTask] = {}
