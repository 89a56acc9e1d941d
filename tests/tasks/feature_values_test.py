import numpy as np
import pytest

from linspector_allennlp.tasks.feature_values import NO_LABEL, FeatureValues
from linspector_allennlp.tasks.odd_feature import OddLabels
from linspector_allennlp.tasks.shared_feature import SharedLabels
from tests.tasks.paradigms import word_forms

# So that each feature has the values that make it a label.
OTHERS = [
    ("o", f"o{n}", tags) for n, tags in enumerate(("N;NOM;SG", "N;GEN;PL", "V;3;SG", "V;2;PL"))
]


def label(kind, one, other, same_lemma):
    """The name of the label of two rows; what is no label by its number."""
    rows = [("a", "first", one), ("a" if same_lemma else "b", "second", other), *OTHERS]
    words = word_forms(rows)
    row_of = {words.unimorph.forms[form]: row for row, form in enumerate(words.unimorph.form_of)}
    odd = kind is OddLabels
    values = FeatureValues(
        words.unimorph.analyses, () if odd else ("POS",), odd, values_of_a_label=1 if odd else 2
    )
    labels = kind(words, values)
    (number,) = labels.of_rows(np.array([row_of["first"]]), np.array([row_of["second"]])).tolist()
    return labels.names[number] if 0 <= number < len(labels.names) else number


@pytest.mark.parametrize(
    "one, other, same_lemma, expected",
    [
        ("N;NOM;SG", "N;NOM;PL", True, "Number"),
        ("N;NOM;SG", "N;NOM;SG", False, "lemma"),
        ("N;NOM/ACC;SG", "N;NOM/ACC;SG", False, "lemma"),
        ("N;NOM/ACC;SG", "N;GEN;SG", True, NO_LABEL),
        ("N;NOM;SG", "N;GEN;PL", True, NO_LABEL),
        ("V;3;SG", "V;2;PL", True, "Person"),
        ("N;NOM", "N", True, "Case"),
    ],
)
def test_odd(one, other, same_lemma, expected):
    assert label(OddLabels, one, other, same_lemma) == expected
    assert label(OddLabels, other, one, same_lemma) == expected


@pytest.mark.parametrize(
    "one, other, same_lemma, expected",
    [
        ("N;NOM;SG", "N;GEN;SG", False, "Number"),
        ("N;NOM;SG", "N;GEN;PL", True, "lemma"),
        ("N;NOM/ACC;SG", "N;NOM/ACC;PL", False, NO_LABEL),
        ("N;NOM;SG", "N;NOM;SG", False, NO_LABEL),
        ("V;3;SG", "V;3;SG", False, "Person"),
        # Not the label Person, which is the third: beyond lemma.
        ("V;3;SG", "V;3;PL", False, 4),
    ],
)
def test_shared(one, other, same_lemma, expected):
    assert label(SharedLabels, one, other, same_lemma) == expected
    assert label(SharedLabels, other, one, same_lemma) == expected
