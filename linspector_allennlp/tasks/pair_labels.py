"""What the label of two rows of a resource is, one reading of each form."""

import numpy as np

from linspector_allennlp.sources.schema import NUMBER, PERSON
from linspector_allennlp.tasks.feature_values import ABSENT, PERSON_ALONE, FeatureValues
from linspector_allennlp.tasks.type_level import WordForms

LEMMA = "lemma"
NO_LABEL = -1


class PairLabels:
    """
    The labels of a paired task. A subclass says what the label of two analyses is.

    # Parameters

    words : `WordForms`
        The forms of a language.
    values : `FeatureValues`
        Their analyses, feature by feature.
    """

    def __init__(self, words: WordForms, values: FeatureValues) -> None:
        self._unimorph = words.unimorph
        self._values = values
        self.names = [*values.labels, LEMMA]

    def of_rows(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """
        For each pair of rows the number of its label in `names`, or `NO_LABEL`; a number beyond
        them for what could be taken for a label, but is none.
        """
        unimorph = self._unimorph
        # Few analyses make many rows: each two of them are compared once.
        code = unimorph.analysis_of[first].astype(np.int64) * len(unimorph.analyses)
        code = 2 * (code + unimorph.analysis_of[second])
        code += unimorph.lemma_of[first] == unimorph.lemma_of[second]
        distinct, inverse = np.unique(code, return_inverse=True)
        one, other = np.divmod(distinct // 2, len(unimorph.analyses))
        # Shape: (pairs,)
        return self._of_analyses(one, other, distinct % 2 == 1)[inverse.reshape(-1)]

    def _of_analyses(
        self, one: np.ndarray, other: np.ndarray, same_lemma: np.ndarray
    ) -> np.ndarray:
        raise NotImplementedError

    def _are_certain(self, feature: str, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """A form with an open value (`NOM/ACC`) does not show what it shares or differs in."""
        certain = self._values.certain(feature)
        return certain[one] & certain[other]


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
        """Where a feature does not surely differ, and one of the two has it."""
        column = self._values.column(name)
        neither = (column[one] == ABSENT) & (column[other] == ABSENT)
        return ~(self._values.differ(name, one, other) | neither)
