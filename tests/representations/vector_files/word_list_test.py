import gzip

import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.vector_files.word_list import (
    choose_word_list,
    read_word_list,
)


def test_a_word_is_a_line(tmp_path):
    path = tmp_path / "words.txt"
    content = b"\xef\xbb\xbftalo\r\nnew york\nRoute 66\n\xff\n\n\n"
    for written in (content, gzip.compress(content)):
        path.write_bytes(written)
        assert read_word_list(str(path), "v.npy", 4) == [b"talo", b"new york", b"Route 66", b"\xff"]


BROKEN = {
    "too few": (
        b"a\nb\n",
        "words.txt: expected 3 words, one for each row of v.npy; found 2. Do th",
    ),
    "none": (b"", "expected 3 words.*found 0"),
    "blank": (b"a\n \nc\n", "words.txt, line 2: expected a word; found a blank line"),
    "counts": (b"a 12\nb 7\nc 1\n", "line 1: expected nothing but a word .*; found 'a 12'"),
    "scores": (b"a\t-1.5\nb\t2e-3\nc\t0\n", "line 1: expected nothing but a word"),
    "vectors": (b"a 0.1 0.2\nb 1 2\nc 1 2\n", "line 1: expected nothing but a word"),
    "gzip": (gzip.compress(b"a\nb\nc\n" * 99)[:-9], "words.txt: expected gzip data"),
    "zip": (b"PK\x03\x04", "words.txt is a zip archive"),
}


@pytest.mark.parametrize("content, message", BROKEN.values(), ids=BROKEN.keys())
def test_broken_lists(tmp_path, content, message):
    (tmp_path / "words.txt").write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read_word_list(str(tmp_path / "words.txt"), "v.npy", 3)


def test_the_list_beside_a_matrix(tmp_path):
    matrix = tmp_path / "wiki.fi.npy"
    with pytest.raises(ConfigurationError, match=r"wiki.fi.txt or .vocab or .words; found none. S"):
        choose_word_list(matrix, None)
    (tmp_path / "wiki.fi.vocab").touch()
    assert choose_word_list(matrix, None) == str(tmp_path / "wiki.fi.vocab")
    assert choose_word_list(matrix, "other") == "other"
    (tmp_path / "wiki.fi.txt").touch()
    with pytest.raises(ConfigurationError, match="found wiki.fi.txt and wiki.fi.vocab. Set"):
        choose_word_list(matrix, None)


def test_the_matrix_itself_is_not_its_list(tmp_path):
    (tmp_path / "v.txt").touch()
    with pytest.raises(ConfigurationError, match="found none"):
        choose_word_list(tmp_path / "v.txt", None)
