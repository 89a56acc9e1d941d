"""What a single-form task says of each form of a language."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from linspector_allennlp.tasks.type_level import WordForms

NOT_CARRIED = -1
UNDECIDED = -2


class LabelledForms(NamedTuple):
    """
    # Parameters

    labels : `Sequence[str]`
        The labels of the task, sorted.
    label_of : `np.ndarray`
        For each form the number of its label; `NOT_CARRIED` where no analysis has the feature,
        `UNDECIDED` where the analyses disagree or do not say.
    """

    labels: Sequence[str]
    label_of: np.ndarray

    @property
    def ambiguity(self) -> float:
        """The share of undecided forms among those that carry the feature."""
        carried = int((self.label_of != NOT_CARRIED).sum())
        return int((self.label_of == UNDECIDED).sum()) / carried if carried else 0.0


def label_forms(words: WordForms, label_of_analysis: Sequence[Sequence[str]]) -> LabelledForms:
    """
    Labels each form by its analyses.

    # Parameters

    words : `WordForms`
        The forms.
    label_of_analysis : `Sequence[Sequence[str]]`
        For each analysis of the resource its label in a sequence of one; none where it does not
        carry the feature, several where it leaves the value open.
    """
    labels = sorted({names[0] for names in label_of_analysis if len(names) == 1})
    number = {label: index for index, label in enumerate(labels)}
    values = np.array(
        [
            NOT_CARRIED if not names else UNDECIDED if len(names) > 1 else number[names[0]]
            for names in label_of_analysis
        ],
        dtype=np.int32,
    )
    # Shape: (rows,)
    rows = values[words.unimorph.analysis_of]
    starts = words.unimorph.form_starts
    highest = np.maximum.reduceat(rows, starts)
    carried = np.where(rows == NOT_CARRIED, np.iinfo(np.int32).max, rows)
    lowest = np.minimum.reduceat(carried, starts)
    # Shape: (forms,)
    label_of = np.where(lowest == highest, lowest, UNDECIDED)
    label_of[highest == NOT_CARRIED] = NOT_CARRIED
    # An open value beside none at all: the highest is "not carried", the lowest "undecided".
    label_of[lowest == UNDECIDED] = UNDECIDED
    return LabelledForms(labels, label_of)


def unambiguous_only(words: WordForms, labelled: LabelledForms) -> LabelledForms:
    """The common tasks take forms that have one analysis."""
    decided = words.has_one_analysis | (labelled.label_of == NOT_CARRIED)
    label_of = np.where(decided, labelled.label_of, UNDECIDED)
    return LabelledForms(labelled.labels, label_of)
