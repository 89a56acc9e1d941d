import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.io.framed import Frame

FRAME = Frame(b"linspector tests 1\n", size=256, name="test file")
CONTENT = {"name": "yö", "shape": [3, 2], "more": {"a": None}}


def test_by_hand():
    text = json.dumps(CONTENT).encode()
    padded = text + b" " * (256 - 19 - 32 - len(text))
    expected = b"linspector tests 1\n" + hashlib.sha256(padded).digest() + padded
    assert FRAME.pack(CONTENT) == expected
    assert FRAME.unpack(expected) == CONTENT


@given(st.dictionaries(st.text(max_size=3), st.text(max_size=5) | st.integers(), max_size=3))
def test_there_and_back(content):
    packed = FRAME.pack(content)
    assert len(packed) == FRAME.size and FRAME.unpack(packed) == content
    assert FRAME.unpack(packed + b"what follows") == content


def test_content_that_does_not_fit():
    room = 256 - 19 - 32 - len('{"a": ""}')
    assert FRAME.unpack(FRAME.pack({"a": "x" * room}))["a"] == "x" * room
    with pytest.raises(
        ValueError, match="header of a test file: expected at most 205 .* found 206"
    ):
        FRAME.pack({"a": "x" * (room + 1)})


@pytest.mark.parametrize(
    "head", [b"", b"linspector tests 1\n", b"x" * 256, FRAME.pack({})[:-1], b" " + FRAME.pack({})]
)
def test_another_file(head):
    with pytest.raises(ValueError, match="it is not a test file of this version"):
        FRAME.unpack(head)


def test_another_version():
    with pytest.raises(ValueError, match="it is not a test file of this version"):
        FRAME.unpack(FRAME.pack({}).replace(b"tests 1", b"tests 2"))


@pytest.mark.parametrize("place", range(19, 256, 7))
def test_damage(place):
    packed = bytearray(FRAME.pack(CONTENT))
    packed[place] ^= 1
    with pytest.raises(ValueError, match="its header is damaged"):
        FRAME.unpack(bytes(packed))
