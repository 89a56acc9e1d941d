"""
The labels of single-form tasks: a function for each task that labels the forms of a language. Where
the label depends on the analysis of a form, `label_forms` goes from analyses to forms.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from linspector_allennlp.sources.schema import (
    LANGUAGE_SPECIFIC,
    PERSON,
    POS,
    Analysis,
    dimensions,
    person_and_number,
)
from linspector_allennlp.tasks.word_forms import BY_ANALYSIS, BY_FEATURE, WordForms

NOT_CARRIED = -1
UNDECIDED = -2
OTHER_VALUE = -3
# Two values that are none, for an analysis that carries a feature but does not say which value.
OPEN = ("", "")

PARTS_OF_SPEECH = {
    "Noun", "Adposition", "Adjective", "Verb", "Masdar", "Participle", "Converb", "Adverb",
}  # fmt: skip

# The longest form of bins 1 to 5; what is longer is in bin 6.
LONGEST = (4, 8, 12, 16, 20)
BINS = tuple(str(number) for number in range(1, len(LONGEST) + 2))


class LabelledForms(NamedTuple):
    """
    # Parameters

    labels : `Sequence[str]`
        The labels of the task, sorted.
    label_of : `np.ndarray`
        For each form the number of its label; `NOT_CARRIED` where no analysis has the feature,
        `UNDECIDED` where the analyses disagree or do not say, `OTHER_VALUE` where the value is
        none of those that were asked for.
    """

    labels: Sequence[str]
    label_of: np.ndarray

    @property
    def ambiguity(self) -> float:
        """The share of undecided forms among those that carry the feature and could have a label."""
        carried = int(((self.label_of >= 0) | (self.label_of == UNDECIDED)).sum())
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
    """
    Leaves the forms that have several analyses undecided. Those of which none has the feature stay:
    they are `None` whichever holds, and the released ones are so.
    """
    decided = words.has_one_analysis | (labelled.label_of == NOT_CARRIED)
    label_of = np.where(decided, labelled.label_of, UNDECIDED)
    return LabelledForms(labelled.labels, label_of)


def only_values(labelled: LabelledForms, values: Collection[str]) -> LabelledForms:
    """Keeps these labels; forms of any other leave the task, and are not `None` either."""
    kept = [label for label in labelled.labels if label in values]
    number = [kept.index(label) if label in kept else OTHER_VALUE for label in labelled.labels]
    label_of = labelled.label_of.copy()
    label_of[label_of >= 0] = np.array(number, np.int32)[label_of[label_of >= 0]]
    return LabelledForms(kept, label_of)


def morphological_features(words: WordForms) -> list[str]:
    """The dimensions that some form has, in the order of the schema."""
    used = np.unique(words.unimorph.analysis_of).tolist()
    present = {name for number in used for name in words.unimorph.analyses[number].values}
    return [name for name in dimensions() if name in present - {POS, LANGUAGE_SPECIFIC}]


def feature_labels(
    words: WordForms, feature: str, join_alternatives: bool = False, ambiguity: str = BY_FEATURE
) -> LabelledForms:
    """
    Case, Number, …: the value of a feature; of Person, person and number together.

    # Parameters

    feature : `str`
        A dimension of the schema.
    join_alternatives : `bool`, optional (default = `False`)
        Makes `NOM/ACC` a value of its own ("Accusative/Nominative"); by default such a form is
        ambiguous.
    ambiguity : `str`, optional (default = `"feature"`)
        Whether several values make a form ambiguous, or several analyses (`"analysis"`).
    """
    analyses = words.unimorph.analyses
    labelled = label_forms(
        words, [possible_values(a, feature, join_alternatives) for a in analyses]
    )
    return labelled if ambiguity == BY_FEATURE else unambiguous_only(words, labelled)


def possible_values(
    analysis: Analysis, feature: str, join_alternatives: bool = False
) -> tuple[str, ...]:
    """The values that an analysis leaves possible; empty if it does not carry the feature."""
    values = analysis.values.get(feature, ())
    if feature == PERSON and values:
        # A person without its number is carried, but has no label.
        values = person_and_number(analysis.values) or OPEN
    if join_alternatives and len(values) > 1 and all(values):
        return ("/".join(values),)
    return OPEN if "" in values else values


def part_of_speech_labels(words: WordForms, ambiguity: str = BY_ANALYSIS) -> LabelledForms:
    """POS: the part of speech, one of the study's eight, of the forms that have one analysis."""
    values = [possible_values(analysis, POS) for analysis in words.unimorph.analyses]
    if ambiguity == BY_FEATURE:
        # A form that is a noun or a pronoun is no noun, though pronouns are none of the eight.
        return only_values(label_forms(words, values), PARTS_OF_SPEECH)
    eight = [names if set(names) <= PARTS_OF_SPEECH else () for names in values]
    return unambiguous_only(words, label_forms(words, eight))


def tag_count_labels(words: WordForms, ambiguity: str = BY_ANALYSIS) -> LabelledForms:
    """TagCount: the number of tags of the forms that have one analysis."""
    counts = [(str(len(analysis.tags)),) for analysis in words.unimorph.analyses]
    labelled = label_forms(words, counts)
    return labelled if ambiguity == BY_FEATURE else unambiguous_only(words, labelled)


def character_bin(form: str, graphemes: bool = False) -> str:
    """
    The bin of a form.

    # Parameters

    graphemes : `bool`, optional (default = `False`)
        Count what a reader sees as one character (a letter with its combining marks) instead of
        code points, which is what the released labels count.
    """
    return BINS[bisect_left(LONGEST, number_of_characters(form, graphemes))]


def number_of_characters(form: str, graphemes: bool) -> int:
    if not graphemes or form.isascii():
        return len(form)
    import regex

    return len(regex.findall(r"\X", form))


def character_bin_labels(
    words: WordForms, graphemes: bool = False, ambiguity: str = BY_ANALYSIS
) -> LabelledForms:
    """CharacterBin: the bin of the length of the forms that have one analysis."""
    bins = [int(character_bin(form, graphemes)) - 1 for form in words.unimorph.forms]
    labelled = LabelledForms(BINS, np.array(bins, dtype=np.int32))
    return labelled if ambiguity == BY_FEATURE else unambiguous_only(words, labelled)
