"""The value of one morphological feature: Case, Gender, Mood, Number, Person, … (ten of the 15)."""

import numpy as np

from linspector_allennlp.sources.schema import (
    LANGUAGE_SPECIFIC,
    PERSON,
    POS,
    Analysis,
    dimensions,
    person_and_number,
)
from linspector_allennlp.tasks.labelled_forms import LabelledForms, label_forms
from linspector_allennlp.tasks.type_level import WordForms

OPEN = ("", "")


def morphological_features(words: WordForms) -> list[str]:
    """The dimensions that some form has, in the order of the schema."""
    used = np.unique(words.unimorph.analysis_of).tolist()
    present = {name for number in used for name in words.unimorph.analyses[number].values}
    return [name for name in dimensions() if name in present - {POS, LANGUAGE_SPECIFIC}]


def feature_labels(
    words: WordForms, feature: str, join_alternatives: bool = False
) -> LabelledForms:
    """
    Labels the forms with their value of a feature; Person with person and number together.

    # Parameters

    feature : `str`
        A dimension of the schema.
    join_alternatives : `bool`, optional (default = `False`)
        Makes `NOM/ACC` a value of its own ("Accusative/Nominative"); by default such a form is
        ambiguous.
    """
    return label_forms(
        words,
        [
            feature_values(analysis, feature, join_alternatives)
            for analysis in words.unimorph.analyses
        ],
    )


def feature_values(
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
