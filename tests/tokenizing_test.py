import unicodedata

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
        ("1976 \x92 tarihinde \u200b", ["1976", "tarihinde"]),
    ],
)
def test_examples(text, tokens):
    assert words_and_punctuation(text) == tokens


@given(st.text())
def test_nothing_that_can_be_seen_is_lost(text):
    tokens = words_and_punctuation(text)
    assert visible("".join(tokens)) == visible("".join(text.split()))
    assert all(map(visible, tokens)) and not any(token.isspace() for token in tokens)


def visible(text):
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf"))
