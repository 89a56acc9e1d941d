"""The sentence tasks that need a treebank's annotation, or the paradigms of a UniMorph file."""

from linspector_allennlp.tasks.sentences.agreement import subject_verb_agreement
from linspector_allennlp.tasks.sentences.clause_labels import (
    negation,
    object_number,
    subject_number,
    tense,
    voice,
    voice_rule,
)
from linspector_allennlp.tasks.sentences.coordination import coordination_inversion
from linspector_allennlp.tasks.sentences.grammaticality import VIOLATIONS, grammaticality
from linspector_allennlp.tasks.sentences.odd_word import FREQUENCIES, LEAST, RATIO, odd_word
from linspector_allennlp.tasks.sentences.sentence_items import SentenceTask
from linspector_allennlp.tasks.sentences.subject_distance import subject_distance, svdist_bins
from linspector_allennlp.tasks.sentences.tree_depth import tree_depth

ANNOTATED_TASKS: dict[str, SentenceTask] = {
    "SVAgree": SentenceTask(
        subject_verb_agreement, takes_text=True, settings=("svagree_infinitive",)
    ),
    "SVDist": SentenceTask(
        subject_distance,
        settings=("svdist_bins",),
        facts=lambda sentences, given: {"svdist_bins": svdist_bins(given).labels},
    ),
    "Voice": SentenceTask(
        voice,
        settings=("voice_rule",),
        facts=lambda sentences, given: {"voice_rule": voice_rule(given)},
    ),
    "SubjNum": SentenceTask(subject_number),
    "ObjNum": SentenceTask(object_number),
    "Tense": SentenceTask(tense, settings=("tenses",), kept_apart="a verb form"),
    "Negation": SentenceTask(negation),
    "TreeDepth": SentenceTask(tree_depth, settings=("tree_depths", "tree_depth_classes")),
    "CoordInv": SentenceTask(coordination_inversion),
    "SOMO": SentenceTask(
        odd_word,
        settings=("somo_frequency", "somo_ratio", "somo_least"),
        kept_apart="the word that may have been replaced",
        facts=lambda sentences, given: {
            "somo_frequency": FREQUENCIES,
            "somo_ratio": RATIO,
            "somo_least": LEAST,
            **{n: v for n, v in given.settings.items() if n.startswith("somo_")},
        },
    ),
    "Grammaticality": SentenceTask(
        grammaticality,
        settings=("violations", "grammaticality_relations"),
        facts=lambda sentences, given: {
            "violations": given.settings.get("violations") or list(VIOLATIONS)
        },
    ),
}
