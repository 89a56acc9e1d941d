"""OddFeat: two forms that differ in one feature only, or in their lemma only; which?"""

from collections.abc import Iterable, Iterator

import numpy as np

from linspector_allennlp.tasks.feature_values import ABSENT, FeatureValues
from linspector_allennlp.tasks.form_pairs import (
    LEMMA,
    PairSampler,
    RowPairs,
    across,
    first_of_each,
    paired_forms_task,
    pairs_within,
)
from linspector_allennlp.tasks.probing_task import TaskData
from linspector_allennlp.tasks.row_keys import row_hashes
from linspector_allennlp.tasks.sampling import draw_keys
from linspector_allennlp.tasks.type_level import DrawSettings, WordForms

NAME = "OddFeat"


def odd_feature_task(
    words: WordForms, settings: DrawSettings, forms_a_lemma: int = 10, forms_a_half: int = 100
) -> TaskData:
    """
    Draws OddFeat.

    # Parameters

    forms_a_lemma : `int`, optional (default = `10`)
        How many forms of a lemma that carry the feature are compared.
    forms_a_half : `int`, optional (default = `100`)
        How many forms of each half of those with the same tags are paired for the label `lemma`.
    """
    # One value is enough for a difference: that to a form which does not carry the feature.
    values = FeatureValues(words.unimorph.analyses, number_within_person=True, values_of_a_label=1)
    hashes = row_hashes(words)

    def sampler(label: str) -> PairSampler:
        def sample(number: int) -> Iterable[RowPairs]:
            keys = draw_keys(hashes, settings.seed, f"{NAME} {label} {number}")
            if label == LEMMA:
                return _differ_in_lemma(words, keys, forms_a_half)
            return [_differ_in(label, words, values, keys, forms_a_lemma)]

        return sample

    samplers = {label: sampler(label) for label in [*values.labels, LEMMA]}
    return paired_forms_task(NAME, words, samplers, settings)


def _differ_in(
    feature: str, words: WordForms, values: FeatureValues, keys: np.ndarray, forms_a_lemma: int
) -> RowPairs:
    """Pairs of rows of a lemma that are alike but for one feature."""
    unimorph = words.unimorph
    column = values.column(feature)[unimorph.analysis_of]
    rest = values.without(feature)
    # Rows of the same group have the same lemma and the same other features.
    groups = unimorph.lemma_of.astype(np.int64) * (rest.max() + 1) + rest[unimorph.analysis_of]
    # A form with an open value (`NOM/ACC`) does not show what the difference is.
    tagged = np.flatnonzero((column != ABSENT) & values.certain(feature)[unimorph.analysis_of])
    tagged = tagged[first_of_each(unimorph.lemma_of[tagged], keys[tagged], forms_a_lemma)]
    # A form that lacks the feature, and nothing else, is its opposite too.
    untagged = np.flatnonzero(column == ABSENT)
    untagged = untagged[np.isin(groups[untagged], groups[tagged])]
    untagged = untagged[first_of_each(groups[untagged], keys[untagged], 1)]
    rows = np.concatenate([tagged, untagged])
    first, second = pairs_within(groups[rows], keys[rows])
    first, second = rows[first], rows[second]
    odd = values.differ(feature, unimorph.analysis_of[first], unimorph.analysis_of[second])
    return first[odd], second[odd]


def _differ_in_lemma(words: WordForms, keys: np.ndarray, forms_a_half: int) -> Iterator[RowPairs]:
    """Pairs of rows with the same tags, across the halves of those that have them."""
    unimorph = words.unimorph
    rows = first_of_each(unimorph.analysis_of, keys, 2 * forms_a_half)
    bounds = np.flatnonzero(np.diff(unimorph.analysis_of[rows], prepend=-1))
    for group in np.split(rows, bounds[1:]):
        half = len(group) // 2
        one, other = across(group[:half], group[half:])
        odd = unimorph.lemma_of[one] != unimorph.lemma_of[other]
        yield one[odd], other[odd]
