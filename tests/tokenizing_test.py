import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.tokenizing import words_and_punctuation


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("Koira nukkuu.", ["Koira", "nukkuu", "."]),
        ("İsa'nın taşı, 3.14 mü?", ["İsa'nın", "taşı", ",", "3.14", "mü", "?"]),
        ("Loppu.Alku", ["Loppu", ".", "Alku"]),
        ("well-known “words”…", ["well-known", "“", "words", "”", "…"]),
        ("  ", []),
        ("हिन्दी में लिखा है।", ["हिन्दी", "में", "लिखा", "है", "।"]),
        ("می\u200cخواهم.", ["می\u200cخواهم", "."]),
        ("gu\u0308n", ["gu\u0308n"]),
    ],
)
def test_examples(text, tokens):
    assert words_and_punctuation(text) == tokens


@given(st.text())
def test_nothing_is_lost_but_white_space(text):
    tokens = words_and_punctuation(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(tokens) and not any(token.isspace() for token in tokens)
