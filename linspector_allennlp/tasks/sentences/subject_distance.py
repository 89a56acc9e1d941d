"""The distance between the main verb and its subject."""

from collections.abc import Sequence
from typing import Optional

from linspector_allennlp.tasks.sentences.annotation import analysed_sentences, dependents, root_of
from linspector_allennlp.tasks.sentences.bins import Bins, chosen_bins
from linspector_allennlp.tasks.sentences.sentence_items import (
    CorpusSentence,
    Given,
    SentenceItem,
    item,
)
from linspector_allennlp.treebanks import Sentence

SVDIST_BINS = {"five": "1, 2-4, 5-7, 8-12, 13+", "two": "1, 2-4"}


def svdist_bins(given: Given) -> Bins:
    """Named ones, or any others."""
    return chosen_bins(given.settings, "svdist_bins", SVDIST_BINS, "five")


def subject_distance(sentences: Sequence[CorpusSentence], given: Given) -> list[SentenceItem]:
    """
    SVDist: the bin of the distance, in word ids, between the root, which must be a VERB, and the first
    `nsubj` whose head it is. Sentences without these are left out, as are distances in no bin.

    Setting `svdist_bins`: `five` (the default; the study's), `two` (the first two of them, all that its
    released files have), or bins of your own ("1,2-4,5+").
    """
    bins = svdist_bins(given)
    items = []
    for sentence, some in analysed_sentences(sentences, upos=True, heads=True):
        distance = _distance(some)
        label = None if distance is None else bins.label(distance)
        if label is not None:
            items.append(item(sentence, label))
    return items


def _distance(sentence: Sentence) -> Optional[int]:
    root = root_of(sentence)
    if root is None or root.upos != "VERB":
        return None
    subjects = [word for word in dependents(sentence, root) if word.deprel == "nsubj"]
    return abs(subjects[0].id - root.id) if subjects else None
