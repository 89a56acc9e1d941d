import gzip
import hashlib
import tempfile
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.vector_files import word2vec_vectors
from linspector_allennlp.representations.vector_files.word2vec_vectors import Word2VecVectors


def written(words, matrix, newline=b""):
    rows = [word + b" " + row.astype("<f4").tobytes() for word, row in zip(words, matrix)]
    return b"%d %d\n" % matrix.shape + b"".join(row + newline for row in rows)


def read(path, rows=4096):
    vectors = Word2VecVectors(path)
    chunks = list(vectors.chunks(rows))
    assert all(matrix.dtype == np.float32 and len(matrix) <= rows for _, matrix in chunks)
    assert vectors.fingerprint == hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return [w for words, _ in chunks for w in words], np.concatenate([m for _, m in chunks])


words_strategy = st.lists(
    st.binary(min_size=1, max_size=9).filter(lambda w: b" " not in w and w[:1] != b"\n"),
    min_size=1,
    max_size=9,
)


@given(st.data(), words_strategy, st.integers(1, 5), st.booleans(), st.sampled_from([b"", b"\n"]))
def test_it_is_read_back_exactly(data, words, dimension, gz, newline):
    floats = st.floats(width=32, allow_nan=False, allow_infinity=False)
    rows = st.lists(floats, min_size=dimension, max_size=dimension)
    matrix = np.array([data.draw(rows) for _ in words], "f4")
    content = written(words, matrix, newline)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(word2vec_vectors, "_BLOCK", data.draw(st.integers(1, 40)))
        path = Path(folder, "v.bin")
        path.write_bytes(gzip.compress(content) if gz else content)
        found, found_matrix = read(path, data.draw(st.integers(1, 10)))
    assert found == words
    np.testing.assert_array_equal(found_matrix, matrix)


def test_it_reads_what_gensim_writes_and_reads(tmp_path):
    vectors, rng = KeyedVectors(25), np.random.default_rng(0)
    vectors.add_vectors([f"w{i}ä" for i in range(500)], rng.normal(size=(500, 25)).astype("f4"))
    vectors.save_word2vec_format(str(tmp_path / "v.bin"), binary=True)
    theirs = KeyedVectors.load_word2vec_format(str(tmp_path / "v.bin"), binary=True)
    words, matrix = read(tmp_path / "v.bin", rows=64)
    assert [word.decode() for word in words] == theirs.index_to_key == vectors.index_to_key
    np.testing.assert_array_equal(matrix, theirs.vectors)
    np.testing.assert_array_equal(matrix, vectors.vectors)


WORDS, MATRIX = [b"a", b"b", b"c"], np.arange(1, 13).reshape(3, 4) / 8
GOOD = written(WORDS, MATRIX)
BROKEN = {
    "cut in a vector": (GOOD[:-1], "3 rows as line 1 has it; found 2 whole ones. Is it a trunc"),
    "cut in a row": (GOOD[:-5], "3 rows .*; found 2 whole ones"),
    "cut early": (GOOD[:30], "3 rows of 4 numbers as line 1 has it; found only 30 bytes"),
    "absurd": (b"9 99999999999\n" + GOOD[4:], "9 rows of 99999999999 numbers .*; found only"),
    "more": (GOOD + b"d ", "the end after 3 rows; found 1 bytes more. Does a word contain a sp"),
    "no header": (b"a 1 2\n", "a first line ROWS DIMENSION; found b'a 1 2"),
    "no rows": (b"0 4\n", "0 rows of 4 numbers"),
    "not a number": (
        written(WORDS, np.where(MATRIX == 1, np.nan, MATRIX)),
        "row 2, word 'b': expected numbers that are finite as float32; found nan",
    ),
}


@pytest.mark.parametrize("content, message", BROKEN.values(), ids=BROKEN.keys())
def test_broken_files(tmp_path, content, message):
    (tmp_path / "v.bin").write_bytes(content)
    with pytest.raises(ValueError, match=f"v.bin.*{message}"):
        read(tmp_path / "v.bin")


def test_a_word_without_an_end(tmp_path):
    (tmp_path / "v.bin").write_bytes(b"2 1\na abcd" + b"x" * 10**6)
    with pytest.raises(ValueError, match="a word and a space in row 2; found no space in"):
        read(tmp_path / "v.bin")


@pytest.mark.parametrize("damage", ["cut", "checksum"])
def test_damaged_gzip(tmp_path, damage):
    matrix = np.random.default_rng(0).normal(size=(2000, 4))
    content = bytearray(gzip.compress(written([b"w%d" % i for i in range(2000)], matrix)))
    if damage == "cut":
        del content[len(content) // 2 :]
    else:
        content[-8] ^= 0xFF
    (tmp_path / "v.bin.gz").write_bytes(content)
    with pytest.raises(ValueError, match="v.bin.gz, .*: expected gzip data; .*truncated download"):
        read(tmp_path / "v.bin.gz")
