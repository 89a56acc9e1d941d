import gzip
import hashlib

import numpy as np
import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.representations.vector_files.array_vectors import (
    ArrayVectors,
    choose_word_list,
    finite,
    read_word_list,
    stacked,
)


class TwoFiles(ArrayVectors):
    dimension, num_rows = 2, 3

    def blocks(self, rows):
        yield [b"a", b"b"], np.array([[1, 2], [3, 4]], "f8")
        yield [b"c"], np.array([[5, 6]], ">f2")


def test_all_files_are_in_the_fingerprint(tmp_path):
    digests = []
    for name in "vw":
        (tmp_path / name).write_text(name)
        digests.append(hashlib.sha256(name.encode()).hexdigest())
    vectors = TwoFiles(tmp_path / "v")
    assert vectors.fingerprint is None
    chunks = list(vectors.chunks())
    assert vectors.fingerprint == digests[0]
    assert [matrix.dtype for _, matrix in chunks] == [np.dtype("f4")] * 2
    assert [matrix.tolist() for _, matrix in chunks] == [[[1, 2], [3, 4]], [[5, 6]]]
    vectors.files.append(str(tmp_path / "w"))
    list(vectors.chunks())
    assert vectors.fingerprint == hashlib.sha256("".join(digests).encode()).hexdigest()


@pytest.mark.parametrize("number, shown", [(np.nan, "nan"), (-np.inf, "-inf"), (1e39, "1e\\+39")])
def test_numbers_that_are_not_finite(number, shown):
    with pytest.raises(ValueError, match=f"v, row 12, word 'bä': .* as float32; found {shown}. Re"):
        finite("v", [b"a", "bä".encode()], np.array([[1, 2], [3, number]]), 10)


def test_vectors_of_words_must_be_as_long():
    table = {b"a": np.ones(2), b"b": np.ones(2), b"c": np.ones(3)}
    with pytest.raises(ValueError, match=r"v, word 'c': .*shape \(2,\) as the first.*\(3,\)"):
        list(stacked("v", list(table), table.__getitem__, 2))
    with pytest.raises(ValueError, match=r"v: expected a matrix .* found .* shape \(1, 0\)"):
        list(stacked("v", [b"a"], lambda word: np.ones(0), 2))


# The word list of a matrix


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
    "gzip": (
        gzip.compress(b"a\nb\nc\n" * 99, mtime=0)[:-9],
        "words.txt, line 1: expected a whole gzip file",
    ),
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
