"""
Comparing forms feature by feature, for the tasks of pairs: the analyses of a resource as a matrix of
values, and the label of two of its rows.
"""

from collections.abc import Sequence

import numpy as np

from linspector_allennlp.sources.schema import (
    LANGUAGE_SPECIFIC,
    NUMBER,
    PERSON,
    STUDY_FEATURES,
    Analysis,
)
from linspector_allennlp.tasks.word_forms import WordForms

ABSENT = -1
LEMMA = "lemma"
NO_LABEL = -1
UNKNOWN = "unknown tags"
# First singular and first plural are different persons here, but have something in common.
PERSON_ALONE = "person without number"


class FeatureValues:
    """
    All features are compared, so that two forms are not taken for alike that are not. The name of
    a difference or a likeness (`labels`) is one of the study's features.

    # Parameters

    analyses : `Sequence[Analysis]`
        The distinct analyses of a resource.
    left_out : `Sequence[str]`, optional
        Features that are not compared.
    number_within_person : `bool`, optional (default = `False`)
        Leaves Number to Person where there is a person, so that first singular and first plural
        differ in one feature.
    values_of_a_label : `int`, optional (default = `2`)
        How many values a feature must have to be a label.
    """

    def __init__(
        self,
        analyses: Sequence[Analysis],
        left_out: Sequence[str] = (),
        number_within_person: bool = False,
        values_of_a_label: int = 2,
    ) -> None:
        texts = [_values(analysis, number_within_person) for analysis in analyses]
        if PERSON in left_out:
            left_out = [*left_out, PERSON_ALONE]
        self.features = sorted({name for values in texts for name in values} - set(left_out))
        self.labels: list[str] = []
        self._columns: dict[str, np.ndarray] = {}
        self._certain: dict[str, np.ndarray] = {}
        self._overlap: dict[str, np.ndarray] = {}
        for feature in self.features:
            present = sorted({values[feature] for values in texts if feature in values})
            number = {value: index for index, value in enumerate(present)}
            self._columns[feature] = np.array(
                [number[values[feature]] if feature in values else ABSENT for values in texts],
                dtype=np.int32,
            )
            self._certain[feature] = np.array(
                [len(values.get(feature, "?")) == 1 for values in texts]
            )
            self._overlap[feature] = _overlaps(present)
            certain = sum(len(value) == 1 for value in present)
            if feature in STUDY_FEATURES and certain >= values_of_a_label:
                self.labels.append(feature)

    def column(self, feature: str) -> np.ndarray:
        """The value of each analysis, as a number; `ABSENT` where it does not carry the feature."""
        return self._columns[feature]

    def certain(self, feature: str) -> np.ndarray:
        """Which analyses leave nothing open: they carry one value, or none."""
        return self._certain[feature]

    def are_equal(self, feature: str, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The pairs in which both analyses carry the feature with the same value."""
        column = self._columns[feature]
        return (column[first] == column[second]) & (column[first] != ABSENT)

    def differ(self, feature: str, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """
        The pairs whose values are surely different: `NOM/ACC` does not differ from `ACC`. A feature
        that one of the two carries is different, one that neither carries is not.
        """
        column = self._columns[feature]
        one, other = column[first], column[second]
        return ~self._overlap[feature][one, other] & ((one != ABSENT) | (other != ABSENT))

    def without(self, feature: str) -> np.ndarray:
        """For each analysis a number that it shares with those alike in all other features."""
        others = [self._columns[name] for name in self.features if name != feature]
        if not others:
            return np.zeros(len(self._columns[feature]), dtype=np.int64)
        _, inverse = np.unique(np.stack(others, axis=1), axis=0, return_inverse=True)
        # Shape: (analyses,)
        return inverse.reshape(-1).astype(np.int64)


class PairLabels:
    """
    The labels of a paired task, of one reading of each form. A subclass says what the label of two
    analyses is.

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


def _values(analysis: Analysis, number_within_person: bool) -> dict[str, tuple[str, ...]]:
    values = dict(analysis.values)
    if PERSON in values:
        persons, numbers = values[PERSON], values.get(NUMBER, ("",))
        values[PERSON] = tuple(f"{one} {other}" for one in persons for other in numbers)
        if number_within_person:
            values.pop(NUMBER, None)
        else:
            values[PERSON_ALONE] = persons
    # Of these a word may have several at once; two words that share one are not unlike.
    if LANGUAGE_SPECIFIC in values:
        values[LANGUAGE_SPECIFIC] = tuple(values[LANGUAGE_SPECIFIC][0].split("+"))
    if analysis.unknown:
        values[UNKNOWN] = tuple(sorted(set(analysis.unknown)))
    return values


def _overlaps(values: Sequence[tuple[str, ...]]) -> np.ndarray:
    """Which values have an alternative in common; the last row and column are for "absent"."""
    # Shape: (values + 1, values + 1)
    overlap = np.zeros((len(values) + 1, len(values) + 1), dtype=bool)
    for index, one in enumerate(values):
        for position, other in enumerate(values):
            overlap[index, position] = bool(set(one) & set(other))
    return overlap
