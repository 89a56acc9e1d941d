import gzip
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.io import unpacked
from linspector_allennlp.io.lines import (
    BadLines,
    MalformedLine,
    decoded,
    numbered_lines,
    raw_lines,
    whole_number,
)


@pytest.fixture
def write(tmp_path):
    def write(content, name="x.txt"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


@given(content=st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b" ", b"\x0c", "\u2028".encode()])))
def test_the_bytes_are_those_of_the_file(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("lines") / "x"
    path.write_bytes(b"".join(content))
    found = list(raw_lines(path))
    assert b"".join(raw for _, raw in found) == path.read_bytes()
    assert [number for number, _ in found] == list(range(1, len(found) + 1))
    assert all(raw.find(b"\n") in (-1, len(raw) - 1) for _, raw in found)


def test_blocks_make_no_difference(write, monkeypatch):
    path = write(b"\xef\xbb\xbfone\ntwo\n\xef\xbb\xbfthree")
    expected = [(1, b"one\n"), (2, b"two\n"), (3, b"\xef\xbb\xbfthree")]
    assert list(raw_lines(path)) == expected
    monkeypatch.setattr(unpacked, "_BLOCK", 1)
    assert list(raw_lines(path, progress=True)) == expected


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_windows_and_gzip(write, pack):
    path = write(pack("\ufeffyö\r\n  \r\n\tb\r\n\r\n".encode()))
    assert list(numbered_lines(path)) == [(1, "yö"), (3, "\tb")]


def test_a_last_line_that_does_not_end(write, caplog):
    path = write(b"a\nb")
    assert len(list(raw_lines(path))) == len(list(numbered_lines(path))) == 2
    assert not caplog.messages
    assert len(list(numbered_lines(path, must_end=True))) == 2
    assert caplog.messages == [f"{path}: the last line does not end. Is the file whole?"]
    caplog.clear()
    for content in (b"", b"a\n"):
        list(raw_lines(write(content), must_end=True))
    assert not caplog.messages


def test_blank_lines(write):
    path = write(b"\na\n\n \nb\n\n")
    assert [number for number, _ in numbered_lines(path)] == [2, 5]
    with pytest.raises(MalformedLine, match="x.txt, line 1: expected a word, found a blank line"):
        list(numbered_lines(path, "a word"))
    bad = BadLines(skip=True)
    assert [number for number, _ in numbered_lines(path, "a word", bad)] == [2, 5]
    assert bad.number == 2  # those between two others are one fault
    assert len(list(numbered_lines(write(b"a\n\n \n"), "a word"))) == 1


def test_the_characters_of_a_blank_line(write):
    path = write(b"a\n\t\n")
    assert list(numbered_lines(path, "a word")) == [(1, "a")]
    assert list(numbered_lines(path, "a word", blank=b" \r\n")) == [(1, "a"), (2, "\t")]


def test_what_is_not_text(write):
    path = write(b"a\n\xff\nb\n")
    with pytest.raises(MalformedLine, match="x.txt, line 2: expected UTF-8 text, found .*0xff"):
        list(numbered_lines(path))
    bad = BadLines(skip=True)
    assert list(numbered_lines(path, bad=bad)) == [(1, "a"), (3, "b")] and bad.number == 1
    with pytest.raises(MalformedLine, match="y, line 7: expected UTF-8 text"):
        decoded("y", 7, b"\xff\n")
    assert decoded("y", 7, b"\r a \r\n") == "\r a "


def test_what_is_no_text_file(write, tmp_path):
    with pytest.raises(ValueError, match="is a folder"):
        list(raw_lines(tmp_path))
    with pytest.raises(ValueError, match="is a zip archive"):
        list(numbered_lines(write(b"PK\x03\x04")))
    with pytest.raises(FileNotFoundError):
        list(numbered_lines(tmp_path / "missing"))


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="descriptors have no paths")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_that_was_given_is_opened_once(pack):
    """As in `allennlp evaluate MODEL <(cut -f1,3 test.txt)`."""
    reading, writing = os.pipe()
    try:
        os.write(writing, pack(b"a\nb\n"))
        os.close(writing)
        assert list(numbered_lines(f"/dev/fd/{reading}")) == [(1, "a"), (2, "b")]
    finally:
        os.close(reading)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_what_nobody_may_ever_write_to_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match=r"pipe is a pipe \(FIFO\): expected a file"):
        list(numbered_lines(tmp_path / "pipe"))


def test_a_line_without_an_end(write, monkeypatch):
    monkeypatch.setattr(unpacked, "LONGEST_LINE", 1000)
    monkeypatch.setattr(unpacked, "_BLOCK", 100)
    for pack in (bytes, gzip.compress):
        path = write(pack(b"a\n" + bytes(100_000)))
        with pytest.raises(
            MalformedLine, match="x.txt, line 2: expected lines of text, found a line"
        ):
            list(numbered_lines(path))
        assert [len(raw) for _, raw in raw_lines(write(b"a\n" + b"b" * 999))] == [2, 999]


def test_an_error_quotes_the_beginning_of_a_line():
    error = MalformedLine("x", 3, "a word", repr("ä" * 5000))
    assert len(str(error)) < 300 and str(error).endswith("ä… (5,002 characters).")


def test_numbers_of_lines():
    assert [whole_number(text) for text in ("0", "007", "9" * 18)] == [0, 7, 10**18 - 1]
    assert {whole_number(text) for text in ("", "-1", "1.0", "٣", "²", "9" * 5000)} == {None}


@pytest.mark.parametrize("cut", [-9, -4, 30])
def test_a_damaged_gzip_file_is_named(tmp_path, cut):
    path = tmp_path / "words.txt.gz"
    content = gzip.compress("".join(f"sana{number}\n" for number in range(99)).encode())
    path.write_bytes(content[:cut])
    with pytest.raises(ValueError, match="words.txt.gz, line 1: expected a whole gzip file"):
        list(numbered_lines(path))
    path.write_bytes(content[:-8] + bytes(8))
    with pytest.raises(ValueError, match="words.txt.gz, line 1: expected a whole gzip file"):
        list(numbered_lines(path))
