"""The study's Table 5 for any UniMorph file and any treebank."""

from collections.abc import Sequence
from typing import NamedTuple

from linspector_allennlp.sources.analysed_sentences import AnalysedSentence
from linspector_allennlp.sources.schema import POS
from linspector_allennlp.sources.unimorph import UniMorph
from linspector_allennlp.tasks.form_labels import (
    LabelledForms,
    feature_labels,
    morphological_features,
)
from linspector_allennlp.tasks.word_forms import WordForms


class FeatureStatistics(NamedTuple):
    """A feature: its values, the forms that have one of them, the share that has several."""

    feature: str
    values: int
    forms: int
    ambiguity: float


class ParadigmStatistics(NamedTuple):
    """
    A UniMorph file. `ambiguity` is the mean over the features that could be tasks, those with two
    values or more.
    """

    paradigms: int
    rows: int
    forms: int
    forms_of_several_words: int
    parts_of_speech: list[str]
    ambiguity: float
    features: list[FeatureStatistics]


class TreebankStatistics(NamedTuple):
    """A treebank. `ambiguity` is the share of forms that occur with more than one set of tags."""

    sentences: int
    tokens: int
    vocabulary: int
    ambiguity: float


def paradigm_statistics(unimorph: UniMorph) -> ParadigmStatistics:
    """Counts all forms; ambiguity is that of single words, from which tasks are made."""
    single = unimorph.single_words()
    words = WordForms(single)
    labelled = {name: feature_labels(words, name) for name in [POS, *morphological_features(words)]}
    features = [_feature(name, forms) for name, forms in labelled.items()]
    tasks = [feature.ambiguity for feature in features if feature.values > 1]
    return ParadigmStatistics(
        len(unimorph.lemmas),
        len(unimorph.form_of),
        len(unimorph.forms),
        len(unimorph.forms) - len(single.forms),
        list(labelled[POS].labels),
        sum(tasks) / len(tasks) if tasks else 0.0,
        features,
    )


def treebank_statistics(sentences: Sequence[AnalysedSentence]) -> TreebankStatistics:
    """Counts words as the treebank has them, multiword ranges divided."""
    analyses: dict[str, set] = {}
    for sentence in sentences:
        for form, analysis in zip(sentence.forms, sentence.analyses):
            analyses.setdefault(form, set()).add(analysis.tags if analysis else ())
    return TreebankStatistics(
        len(sentences),
        sum(len(sentence.forms) for sentence in sentences),
        len(analyses),
        sum(len(found) > 1 for found in analyses.values()) / len(analyses),
    )


def _feature(name: str, labelled: LabelledForms) -> FeatureStatistics:
    decided = int((labelled.label_of >= 0).sum())
    return FeatureStatistics(name, len(labelled.labels), decided, labelled.ambiguity)
