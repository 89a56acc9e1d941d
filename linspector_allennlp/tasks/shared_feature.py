"""SameFeat: two forms that have one feature in common only, or their lemma only; which?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Optional

import numpy as np

from linspector_allennlp.sources.schema import NUMBER, PERSON, POS
from linspector_allennlp.tasks.draw_paired_forms import (
    PairSampler,
    RowPairs,
    across,
    first_of_each,
    paired_forms_task,
    pairs_within,
    sampled_apart,
)
from linspector_allennlp.tasks.feature_values import (
    ABSENT,
    LEMMA,
    NO_LABEL,
    PERSON_ALONE,
    FeatureValues,
    PairLabels,
)
from linspector_allennlp.tasks.published_pairs import of_two_sets_of_tags, published_pairs_task
from linspector_allennlp.tasks.sampling import draw_keys, drawn
from linspector_allennlp.tasks.task_data import SHARED_FEATURE, TaskData
from linspector_allennlp.tasks.word_forms import AS_PUBLISHED, TypeLevelSettings, WordForms

NEARLY_ALL = 0.95


class SharedLabels(PairLabels):
    """The only feature that forms of two lemmas share; `lemma` if they share nothing else."""

    def _of_analyses(
        self, one: np.ndarray, other: np.ndarray, same_lemma: np.ndarray
    ) -> np.ndarray:
        alike = {name: self._are_alike(name, one, other) for name in self._values.features}
        nothing = np.zeros(len(one), dtype=bool)
        likenesses = sum(alike.values(), np.zeros(len(one), dtype=np.int64))
        # The same person has the same number: that is one likeness, not three.
        of_person = likenesses - alike.get(NUMBER, nothing) - alike.get(PERSON_ALONE, nothing)
        labels = np.full(len(one), NO_LABEL)
        # Third singular and third plural: someone might call that Person.
        person_alone = ~same_lemma & (likenesses == 1) & alike.get(PERSON_ALONE, nothing)
        labels[person_alone] = len(self.names)
        for number, name in enumerate(self._values.labels):
            only = (of_person if name == PERSON else likenesses) == 1
            shared = ~same_lemma & only & self._values.are_equal(name, one, other)
            labels[shared & self._are_certain(name, one, other)] = number
        differ = nothing.copy()
        for name in self._values.features:
            differ |= self._values.differ(name, one, other)
        labels[same_lemma & (likenesses == 0) & differ] = self.names.index(LEMMA)
        return labels

    def _are_alike(self, name: str, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """The pairs in which a feature does not surely differ, and one of the two has it."""
        column = self._values.column(name)
        neither = (column[one] == ABSENT) & (column[other] == ABSENT)
        return ~(self._values.differ(name, one, other) | neither)


def shared_feature_task(
    words: WordForms,
    settings: TypeLevelSettings,
    left_out: Sequence[str] = (POS,),
    forms_a_half: int = 500,
    forms_a_lemma: int = 10,
    shares: Optional[Mapping[str, float]] = None,
) -> TaskData:
    """
    Draws SameFeat.

    # Parameters

    left_out : `Sequence[str]`, optional
        Features that are not compared, because all forms share them; see `shared_by_all`.
    forms_a_half : `int`, optional (default = `500`)
        How many forms of each half of those that carry a feature are compared.
    forms_a_lemma : `int`, optional (default = `10`)
        How many forms of a lemma are compared for the label `lemma`.
    shares : `Mapping[str, float]`, optional
        For pairs as published, see `published_shares`.
    """
    published = settings.pairs == AS_PUBLISHED
    values = FeatureValues(words.unimorph.analyses, left_out)

    def sampler(label: str) -> PairSampler:
        def sample(part: WordForms, number: int) -> RowPairs:
            keys = draw_keys(part.row_hashes, settings.seed, f"{SHARED_FEATURE} {label} {number}")
            if label == LEMMA and published:
                return of_two_sets_of_tags(part, keys, forms_a_half, settings.seed)
            if label == LEMMA:
                rows = first_of_each(part.unimorph.lemma_of, keys, forms_a_lemma)
                first, second = pairs_within(part.unimorph.lemma_of[rows], keys[rows])
                return rows[first], rows[second]
            return _carriers(label, part, values, keys, forms_a_half)

        return sampled_apart(words, settings, sample)

    labels = SharedLabels(words, values)
    samplers = {label: sampler(label) for label in labels.names}
    if published:
        task = published_pairs_task(SHARED_FEATURE, words, labels, samplers, settings, shares or {})
    else:
        task = paired_forms_task(SHARED_FEATURE, words, labels, samplers, settings)
    return task._replace(facts={**task.facts, "features_left_out": sorted(left_out)})


def shared_by_all(words: WordForms, language: str) -> list[str]:
    """
    The features that are not compared: part of speech, those that the study left out for the
    language (`left_out_features.tsv`), and any whose commonest value nearly all rows have.
    """
    text = files(__package__).joinpath("left_out_features.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    left_out = {POS} | {feature for name, feature in rows if name == language}
    unimorph = words.unimorph
    counts = np.bincount(unimorph.analysis_of, minlength=len(unimorph.analyses)).tolist()
    values: Counter = Counter()
    for analysis, count in zip(unimorph.analyses, counts):
        for feature, names in analysis.values.items():
            values[feature, names] += count
    nearly_all = NEARLY_ALL * len(unimorph.analysis_of)
    return sorted(left_out | {feature for (feature, _), n in values.items() if n >= nearly_all})


def _carriers(
    feature: str, words: WordForms, values: FeatureValues, keys: np.ndarray, forms_a_half: int
) -> RowPairs:
    """Pairs of rows that carry a feature, across two halves of those that do."""
    carries = (values.column(feature) != ABSENT) & values.certain(feature)
    rows = np.flatnonzero(carries[words.unimorph.analysis_of])
    rows = drawn(rows, keys, min(len(rows), 2 * forms_a_half))
    half = len(rows) // 2
    return across(rows[:half], rows[half:])
