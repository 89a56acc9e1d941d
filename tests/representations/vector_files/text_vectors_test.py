import gzip
import hashlib
import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.representations.vector_files.text_vectors import TextVectors

NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)", re.IGNORECASE)


def written(words, matrix, header=True, end="\n", gz=False, mark=b""):
    lines = [f"{len(words)} {matrix.shape[1]}"] if header else []
    for word, vector in zip(words, matrix, strict=True):
        lines.append(word + " " + " ".join(f"{value:.9g}" for value in vector))
    content = mark + "".join(line + end for line in lines).encode("utf-8")
    return gzip.compress(content) if gz else content


def read(path, rows=4096):
    words, matrices = [], []
    for some, matrix in TextVectors(path).chunks(rows):
        assert matrix.dtype == np.float32 and len(some) == len(matrix) <= rows
        words += some
        matrices.append(matrix)
    return words, np.concatenate(matrices)


def a_word(text):
    """Words that every dialect can hold: no separator at an end, nothing that reads as a number."""
    pieces = text.split(" ")
    return text.strip(" \t\r\n") == text != "" and not any(map(NUMBER.fullmatch, pieces))


characters = st.characters(exclude_categories=["Cs"], exclude_characters="\n\t\ufeff")
words_strategy = st.lists(
    st.text(characters, min_size=1, max_size=8).filter(a_word), min_size=1, max_size=9
)
floats = st.floats(width=32, allow_nan=False, allow_infinity=False)


@settings(deadline=None, max_examples=150)
@given(st.data(), words_strategy, st.integers(1, 5), st.booleans(), st.booleans())
def test_every_dialect_is_read_back_exactly(data, words, dimension, header, gz):
    vectors = st.lists(floats, min_size=dimension, max_size=dimension)
    matrix = np.array(data.draw(st.tuples(*[vectors for _ in words])), np.float32)
    end = data.draw(st.sampled_from(["\n", " \n", "\r\n", " \r\n"]))
    mark = data.draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "vectors.vec.gz" if gz else "vectors.vec")
        path.write_bytes(written(words, matrix, header, end, gz, mark))
        found, found_matrix = read(path, rows=data.draw(st.integers(1, 10)))
    assert [word.decode() for word in found] == words
    np.testing.assert_array_equal(found_matrix, matrix)


def test_other_notations_of_numbers(tmp_path):
    path = tmp_path / "v.vec"
    path.write_text("a 1e-3 +2.5 0.12345678901234567890\nb -1E+2 .5 7\n")
    words, matrix = read(path)
    assert words == [b"a", b"b"]
    expected = [[1e-3, 2.5, 0.12345678901234567890], [-100, 0.5, 7]]
    np.testing.assert_array_equal(matrix, np.array(expected, np.float32))


def test_it_reads_what_gensim_reads(tmp_path):
    rng = np.random.default_rng(0)
    matrix = rng.normal(0, 0.3, (500, 25)).astype(np.float32)
    words = [f"w{i}ä" for i in range(500)]
    path = tmp_path / "v.vec"
    path.write_bytes(written(words, matrix))
    theirs = KeyedVectors.load_word2vec_format(str(path))
    ours, our_matrix = read(path, rows=64)
    assert [word.decode() for word in ours] == theirs.index_to_key
    np.testing.assert_array_equal(our_matrix, theirs.vectors)


def test_dimensions_headers_and_fingerprint(tmp_path):
    path = tmp_path / "v.vec"
    path.write_bytes(b"2 3\na 1 2 3\nb 4 5 6\n\n \n")
    vectors = TextVectors(path)
    assert (vectors.dimension, vectors.announced_rows) == (3, 2)
    assert len(list(vectors.chunks())) == 1
    assert vectors.fingerprint == hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(b"1984 3\nb 0.5\n")  # one value a line, and no header
    assert (TextVectors(path).dimension, TextVectors(path).announced_rows) == (1, None)
    assert read(path)[0] == [b"1984", b"b"]
    path.write_bytes(b"2 1\na 3\nb 4\n")
    assert (TextVectors(path).dimension, TextVectors(path).announced_rows) == (1, 2)


def test_gzip_is_known_by_its_content_and_fingerprinted_as_it_is(tmp_path):
    path = tmp_path / "v.vec"
    path.write_bytes(gzip.compress(b"a 1 2\n") + gzip.compress(b"b 3 4\n"))
    vectors = TextVectors(path)
    assert [word for words, _ in vectors.chunks() for word in words] == [b"a", b"b"]
    assert vectors.fingerprint == hashlib.sha256(path.read_bytes()).hexdigest()


def test_words_with_spaces_tabs_and_bytes_that_are_not_utf_8(tmp_path):
    path = tmp_path / "v.vec"
    path.write_bytes(b"3 2\nnew york 1984 0.5 1.5\n\xff\xfe 1 2\n. . 3 4\n")
    assert read(path)[0] == [b"new york 1984", b"\xff\xfe", b". ."]
    path.write_bytes(b"a\t0.1 0.2\nb\t0.3 0.4\n")
    assert read(path)[0] == [b"a", b"b"]


BROKEN = {
    "too few": (b"a 1 2 3\nb 1 2\n", 2, "too few: 2"),
    "too many": (b"a 1 2 3\nb 0.1 0.2 0.3 0.4\n", 2, "too many: 4"),
    "not a number": (b"a 1 2 3\nb 1 x 3\n", 2, "'x', not a finite number"),
    "underscore": (b"a 1 2 3\nb 1 2_0 3\n", 2, "'2_0', not a finite number"),
    "two spaces": (b"a 1 2 3\nb 1  3\n", 2, "'', not a finite number"),
    "nan": (b"a 1 2 3\nb 1 nan 3\n", 2, "'nan', not a finite number"),
    "infinity": (b"a 1 2 3\nb 1 2 -inf\n", 2, "'-inf', not a finite number"),
    "too large": (b"a 1 2 3\nb 1 2 1e39\n", 2, "'1e39', not a finite number"),
    "no word": (b"a 1 2 3\n 1 2 3\n", 2, "no word"),
    "blank line": (b"a 1 2 3\n\nb 1 2 3\n", 2, "blank line"),
    "header's dimension, too few": (b"2 3\na 1 2\nb 1 2\n", 2, "header.*too few: 2"),
    "header's dimension, too many": (b"1 3\na .1 .2 .3 .4\n", 2, "header.*too many: 4"),
    "fewer rows": (b"3 2\na 1 2\nb 1 2\n", 3, "3 rows.*found 2.*truncated"),
    "more rows": (b"1 2\na 1 2\nb 1 2\n", 3, "1 rows.*found 2.*Correct"),
    "no vector": (b"hello world\n", 1, "header ROWS DIMENSION"),
    "no dimension": (b"2 0\na\nb\n", 1, "header ROWS DIMENSION"),
    "binary": (b"2 3\na \0\1\2\n\5", 2, "binary"),
}


@pytest.mark.parametrize("content, line, message", BROKEN.values(), ids=BROKEN.keys())
def test_errors_name_the_line(tmp_path, content, line, message):
    for path, some in ((tmp_path / "v.vec", content), (tmp_path / "v.gz", gzip.compress(content))):
        path.write_bytes(some)
        with pytest.raises(ValueError, match=f"{re.escape(str(path))}, line {line}: .*{message}"):
            read(path)


def test_the_line_is_right_in_later_chunks(tmp_path):
    path = tmp_path / "v.vec"
    path.write_bytes(b"20 2\n" + b"a 1 2\n" * 14 + b"a 1\n" + b"a 1 2\n" * 5)
    with pytest.raises(ValueError, match="line 16: .*header.*too few: 1"):
        read(path, rows=4)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_empty_file(tmp_path, content):
    path = tmp_path / "v.vec"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="empty"):
        TextVectors(path)


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        TextVectors(tmp_path / "v.vec")


@pytest.mark.parametrize("damage", ["cut", "checksum", "text"])
def test_damaged_gzip(tmp_path, damage):
    rng = np.random.default_rng(0)
    lines = [f"w{i} {a:f} {b:f}\n" for i, (a, b) in enumerate(rng.normal(size=(2000, 2)))]
    content = bytearray(gzip.compress("".join(lines).encode()))
    if damage == "cut":
        del content[len(content) // 2 :]
    elif damage == "checksum":
        content[-8] ^= 0xFF
    else:
        content = "".join(lines).encode()
    path = tmp_path / "v.vec.gz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="line [0-9]+: expected gzip data.*truncated download"):
        read(path)


def test_the_first_word_may_end_in_a_number(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("Route 66 0.1 0.2\ntalo 0.3 0.4\n")
    assert TextVectors(path).dimension == 2
    ((words, _),) = TextVectors(path).chunks()
    assert words == [b"Route 66", b"talo"]


def test_a_first_line_that_is_too_long_is_not_a_word(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("talo 0.1 0.2 0.3\nkala 0.3 0.4\n")
    with pytest.raises(ValueError, match="line 2: expected a word and 3 numbers"):
        list(TextVectors(path).chunks())


def test_a_last_line_that_does_not_end(tmp_path, caplog):
    path = tmp_path / "v.txt"
    path.write_text("talo 0.1 0.2\nkala 0.3 0.4")
    list(TextVectors(path).chunks())
    assert "v.txt: the last line does not end" in caplog.text
