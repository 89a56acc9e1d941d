import logging

import numpy as np
import pytest

from linspector_allennlp.representations.vector_files.spaces_in_words import (
    strange_rows,
    word_with_space,
)
from linspector_allennlp.representations.vector_files.text_vectors import TextVectors
from linspector_allennlp.representations.vector_files.word2vec_vectors import Word2VecVectors


def numbers(count, dimension, seed=0):
    return np.random.default_rng(seed).normal(size=(count, dimension)).astype("<f4")


def test_usual_sizes():
    usual = np.array([[0, 1, -3e8, 2e-12]], "f4")
    assert strange_rows(usual) == []
    for value in (1e-13, 1e10, np.inf, np.nan, -1e-30):
        assert strange_rows(np.where(usual == 1, value, usual)) == [0]


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize(
    "word", ["new york", "a b", "New York City", "is abc", "ä öö", "x 12345678"]
)
@pytest.mark.parametrize("dimension", [8, 100])
def test_every_word_with_a_space_is_found(tmp_path, word, dimension, end):
    for seed in range(20):
        words = [*"abc", word, *"de"]
        rows = [w.encode() + b" " + v.tobytes() for w, v in zip(words, numbers(6, dimension, seed))]
        path = tmp_path / "v.bin"
        path.write_bytes(b"6 %d\n" % dimension + b"".join(row + end for row in rows))
        expected = (
            f"v.bin, .*: expected a word without a space in row 4; found '{word}'. This format"
        )
        with pytest.raises(ValueError, match=expected):
            list(Word2VecVectors(path).chunks())


def test_good_vectors_of_any_size_are_no_words(tmp_path, caplog):
    rng = np.random.default_rng(1)
    matrix = (rng.normal(size=(500, 16)) * 10.0 ** rng.integers(-20, 20, (500, 16))).astype("<f4")
    rows = [b"w%d " % i + row.tobytes() for i, row in enumerate(matrix)]
    (tmp_path / "v.bin").write_bytes(b"500 16\n" + b"".join(rows))
    ((_, found),) = Word2VecVectors(tmp_path / "v.bin").chunks()
    np.testing.assert_array_equal(found, matrix)
    assert "words have numbers of an unusual size, such as 'w0'" in caplog.text
    assert word_with_space(b"a", matrix[0].tobytes()[:16], b"") is None


def lines(words, vectors, header):
    rows = [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, vectors)]
    return "\n".join([header, *rows, ""])


def test_a_header_with_one_dimension_less(tmp_path, caplog):
    path = tmp_path / "v.vec"
    whole = [[i, 0.5, -1.5] for i in range(20)]
    path.write_text(lines([f"w{i}ä" for i in range(20)], whole, "20 2"), encoding="utf-8")
    expected = (
        r"v.vec, line 2: expected a word and 2 numbers as the header in line 1 has it; found 20 of"
    )
    with pytest.raises(ValueError, match=expected + " 20 words that end in a number, as 'w0ä 0'"):
        list(TextVectors(path).chunks())
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
    words = ["talo", "Route 66", "Windows 95", *"abcdef"]
    path.write_text(lines(words, numbers(9, 2), "9 2"))
    ((found, _),) = TextVectors(path).chunks()
    assert [word.decode() for word in found] == words
    assert "v.vec, line 3: the word is 'Route 66'; if that ends with a number" in caplog.text
