"""The study's Table 5 for any UniMorph file and any treebank."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from linspector_allennlp.sources.analysed_sentences import analysed
from linspector_allennlp.sources.schema import POS
from linspector_allennlp.sources.unimorph import UniMorph
from linspector_allennlp.tasks.form_labels import (
    LabelledForms,
    feature_labels,
    morphological_features,
)
from linspector_allennlp.tasks.word_forms import WordForms
from linspector_allennlp.treebanks import Sentence, TreebankCounts


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
    """
    A treebank. `ambiguity` is the share of forms that occur with more than one set of tags;
    `printed_ambiguity` that of forms whose features are printed in more than one way, as the study
    counted: the same tags in another order are then something else.
    """

    sentences: int
    tokens: int
    vocabulary: int
    ambiguity: float
    printed_ambiguity: float


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


def treebank_statistics(
    sentences: Iterable[Sentence], counts: TreebankCounts
) -> TreebankStatistics:
    """
    Counts words as the treebank has them, multiword ranges divided.

    # Parameters

    sentences, counts : `Iterable[Sentence]`, `TreebankCounts`
        Those of `read_treebank`, which fills the counts while it reads.
    """
    printed: dict[str, set[str]] = {}
    tags: dict[str, set[tuple[str, ...]]] = {}

    def noted() -> Iterator[Sentence]:
        for sentence in sentences:
            for word in sentence.words:
                printed.setdefault(word.form, set()).add(word.feats)
            yield sentence

    for sentence in analysed(noted(), counts).sentences:
        for form, analysis in zip(sentence.forms, sentence.analyses):
            tags.setdefault(form, set()).add(analysis.tags if analysis else ())
    return TreebankStatistics(
        counts.sentences,
        counts.words,
        len(tags),
        *(sum(len(found) > 1 for found in some.values()) / len(tags) for some in (tags, printed)),
    )


def _feature(name: str, labelled: LabelledForms) -> FeatureStatistics:
    decided = int((labelled.label_of >= 0).sum())
    return FeatureStatistics(name, len(labelled.labels), decided, labelled.ambiguity)
