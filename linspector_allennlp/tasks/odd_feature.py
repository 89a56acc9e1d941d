"""OddFeat: two forms that differ in one feature only, or in their lemma only; which?"""

from collections.abc import Mapping
from typing import Optional

import numpy as np

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
    FeatureValues,
    PairLabels,
)
from linspector_allennlp.tasks.published_pairs import one_to_one, published_pairs_task
from linspector_allennlp.tasks.sampling import draw_keys, drawn, mixed_hashes
from linspector_allennlp.tasks.task_data import ODD_FEATURE, TaskData
from linspector_allennlp.tasks.word_forms import AS_PUBLISHED, TypeLevelSettings, WordForms

# Pairs of the label `lemma` that are looked at in a round, for each item of the task.
PAIRS_AN_ITEM = 20


class OddLabels(PairLabels):
    """The only feature in which two forms of a lemma differ; `lemma` if nothing else differs."""

    def _of_analyses(
        self, one: np.ndarray, other: np.ndarray, same_lemma: np.ndarray
    ) -> np.ndarray:
        columns = {name: self._values.column(name) for name in self._values.features}
        differences = sum(
            (column[one] != column[other] for column in columns.values()),
            np.zeros(len(one), dtype=np.int64),
        )
        labels = np.full(len(one), NO_LABEL)
        for number, name in enumerate(self._values.labels):
            odd = same_lemma & (differences == 1) & self._values.differ(name, one, other)
            labels[odd & self._are_certain(name, one, other)] = number
        labels[~same_lemma & (differences == 0)] = self.names.index(LEMMA)
        return labels


def odd_feature_task(
    words: WordForms,
    settings: TypeLevelSettings,
    forms_a_lemma: int = 10,
    forms_a_half: int = 100,
    shares: Optional[Mapping[str, float]] = None,
) -> TaskData:
    """
    Draws OddFeat.

    # Parameters

    forms_a_lemma : `int`, optional (default = `10`)
        How many forms of a lemma that carry the feature are compared.
    forms_a_half : `int`, optional (default = `100`)
        How many forms of each half of those with the same tags are paired for the label `lemma`.
    shares : `Mapping[str, float]`, optional
        For pairs as published, see `published_shares`.
    """
    published = settings.pairs == AS_PUBLISHED
    # One value is enough for a difference: that to a form which does not carry the feature.
    values = FeatureValues(words.unimorph.analyses, number_within_person=True, values_of_a_label=1)

    def sampler(label: str) -> PairSampler:
        def sample(part: WordForms, number: int) -> RowPairs:
            keys = draw_keys(part.row_hashes, settings.seed, f"{ODD_FEATURE} {label} {number}")
            if label == LEMMA and published:
                return one_to_one(part, keys, forms_a_half)
            if label == LEMMA:
                most = PAIRS_AN_ITEM * settings.size
                return _of_the_same_tags(part, keys, forms_a_half, most)
            return _of_a_lemma(label, part, values, keys, forms_a_lemma)

        return sampled_apart(words, settings, sample)

    labels = OddLabels(words, values)
    samplers = {label: sampler(label) for label in labels.names}
    if published:
        return published_pairs_task(ODD_FEATURE, words, labels, samplers, settings, shares or {})
    return paired_forms_task(ODD_FEATURE, words, labels, samplers, settings)


def _of_a_lemma(
    feature: str, words: WordForms, values: FeatureValues, keys: np.ndarray, forms_a_lemma: int
) -> RowPairs:
    """Pairs of rows of a lemma that are alike but, perhaps, for one feature."""
    unimorph = words.unimorph
    column = values.column(feature)[unimorph.analysis_of]
    rest = values.without(feature)
    # Rows of the same group have the same lemma and the same other features.
    groups = unimorph.lemma_of.astype(np.int64) * (rest.max() + 1) + rest[unimorph.analysis_of]
    tagged = np.flatnonzero(column != ABSENT)
    tagged = tagged[first_of_each(unimorph.lemma_of[tagged], keys[tagged], forms_a_lemma)]
    # A form that lacks the feature, and nothing else, is its opposite too.
    untagged = np.flatnonzero(column == ABSENT)
    untagged = untagged[np.isin(groups[untagged], groups[tagged])]
    untagged = untagged[first_of_each(groups[untagged], keys[untagged], forms_a_lemma)]
    rows = np.concatenate([tagged, untagged])
    first, second = pairs_within(groups[rows], keys[rows])
    return rows[first], rows[second]


def _of_the_same_tags(words: WordForms, keys: np.ndarray, forms_a_half: int, most: int) -> RowPairs:
    """Pairs of rows with the same tags, across the halves of those that have them."""
    analysis_of = words.unimorph.analysis_of
    rows = first_of_each(analysis_of, keys, 2 * forms_a_half)
    bounds = np.flatnonzero(np.diff(analysis_of[rows], prepend=-1))
    groups = np.split(rows, bounds[1:])
    firsts, seconds = [], []
    for group in groups:
        half = len(group) // 2
        one, other = across(group[:half], group[half:])
        # Many kinds of tags together make more pairs than anyone needs.
        pair_keys = mixed_hashes(keys[one], keys[other])
        some = drawn(np.arange(len(one)), pair_keys, min(len(one), 1 + most // len(groups)))
        firsts.append(one[some])
        seconds.append(other[some])
    return np.concatenate(firsts), np.concatenate(seconds)
