import pytest

from linspector_allennlp.tasks.sentences.casing import capital_first, lower_first, upper_first
from tests.tasks.sentences.annotated_sentences import ENGLISH, TURKISH


@pytest.mark.parametrize(
    "small,capital,language",
    [
        ("ilk", "İlk", TURKISH),
        ("ılık", "Ilık", TURKISH),
        ("it", "It", ENGLISH),
        ("über", "Über", ENGLISH),
        ("3rd", "3rd", TURKISH),
        ("", "", TURKISH),
    ],
)
def test_both_ways(small, capital, language):
    assert upper_first(small, language) == capital
    assert lower_first(capital, language) == small
    assert not capital_first(small)
    assert capital_first(capital) == (small != capital)
