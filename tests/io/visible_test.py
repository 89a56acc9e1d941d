import logging
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.io.visible import VisibleRecord, as_seen, is_invisible, visible


def test_what_a_terminal_would_obey():
    assert visible("a\x1b[31mb\x07\u202ec\nd") == "a�[31mb��c�d"
    assert visible("a\nb\tc\r", keep="\n\t") == "a\nb\tc�"
    assert visible("äß語") == "äß語"


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "\u200b", "\u2060\u00a0", "\u3164", "\ufe0f", "\x7f"]
)
def test_what_cannot_be_seen(text):
    assert is_invisible(text)


@pytest.mark.parametrize("text", ["a", "a\u200b", "\u0301", "–", "می‌روم", "\u3042", "1"])
def test_what_can_be_seen(text):
    assert not is_invisible(text)


def test_what_looks_the_same():
    assert as_seen("a\u0308 b") == as_seen("ä\u00a0b") == as_seen(" ä  b\u200b") == "ä b"
    assert as_seen("A") != as_seen("a")


@given(st.text())
def test_seeing_twice_changes_nothing(text):
    assert as_seen(as_seen(text)) == as_seen(text)
    assert as_seen(unicodedata.normalize("NFD", text)) == as_seen(text)


def test_the_log():
    record = VisibleRecord("x", logging.INFO, "f", 1, "%s: %s", ("a\x1b[31m", 3), None)
    assert record.getMessage() == "a�[31m: 3"
