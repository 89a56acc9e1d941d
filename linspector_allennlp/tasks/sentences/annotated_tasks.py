"""The sentence tasks that need a treebank's annotation, or the paradigms of a UniMorph file."""

from linspector_allennlp.tasks.sentences.agreement import subject_verb_agreement
from linspector_allennlp.tasks.sentences.clause_labels import (
    negation,
    object_number,
    subject_number,
    tense,
    voice,
)
from linspector_allennlp.tasks.sentences.coordination import coordination_inversion
from linspector_allennlp.tasks.sentences.grammaticality import grammaticality
from linspector_allennlp.tasks.sentences.odd_word import odd_word
from linspector_allennlp.tasks.sentences.sentence_items import SentenceTask
from linspector_allennlp.tasks.sentences.subject_distance import subject_distance
from linspector_allennlp.tasks.sentences.tree_depth import tree_depth

ANNOTATED_TASKS: dict[str, SentenceTask] = {
    "SVAgree": SentenceTask(
        subject_verb_agreement, takes_text=True, settings=("svagree_infinitive",)
    ),
    "SVDist": SentenceTask(subject_distance, settings=("svdist_bins",)),
    "Voice": SentenceTask(voice, settings=("voice_rule",)),
    "SubjNum": SentenceTask(subject_number),
    "ObjNum": SentenceTask(object_number),
    "Tense": SentenceTask(tense, settings=("tenses",)),
    "Negation": SentenceTask(negation),
    "TreeDepth": SentenceTask(tree_depth, settings=("tree_depths", "tree_depth_classes")),
    "CoordInv": SentenceTask(coordination_inversion),
    "SOMO": SentenceTask(odd_word, settings=("somo_frequency", "somo_ratio", "somo_least")),
    "Grammaticality": SentenceTask(
        grammaticality, settings=("violations", "grammaticality_relations")
    ),
}
