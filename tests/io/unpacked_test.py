import gzip
import io

import pytest

from linspector_allennlp.io import unpacked as module
from linspector_allennlp.io.files import open_bytes
from linspector_allennlp.io.hashing_reader import opened_hashed
from linspector_allennlp.io.unpacked import LONGEST_LINE, TooLongLine, line_blocks


def test_a_file_that_unpacks_to_more_than_it_could_hold(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FREE_BYTES", 1 << 20)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"a\n" * (8 << 20)))
    assert 200 * path.stat().st_size < 16 << 20
    expected = r"bomb.gz: expected at most [\d,]+ bytes when it is unpacked, 200 times its size"
    with pytest.raises(ValueError, match=expected), open_bytes(path) as file:
        while file.read(1 << 16):
            pass
    with (
        pytest.raises(ValueError, match=expected),
        opened_hashed(str(path), quiet=True) as (file, _),
    ):
        while file.read(1 << 16):
            pass
    content = bytes(range(256)) * 8192
    path.write_bytes(gzip.compress(content, 1))
    with open_bytes(path) as file:
        assert file.read() == content[: 200 * path.stat().st_size]


def test_what_is_read_is_closed(tmp_path):
    path = tmp_path / "words.gz"
    path.write_bytes(gzip.compress(b"a\nb"))
    with open_bytes(path) as file:
        inner = file.raw._file
        assert list(file) == [b"a\n", b"b"]
    assert file.closed and inner.closed


def test_the_longest_line():
    file = io.BytesIO(b"a\n" + bytes(LONGEST_LINE) + b"\nb")
    assert [len(line) for block in line_blocks(file) for line in block] == [2, LONGEST_LINE + 1, 1]
    file = io.BytesIO(b"a\n" + bytes(LONGEST_LINE + (1 << 20)) + b"\nb")
    with pytest.raises(TooLongLine, match="more than 16,777,216 bytes") as error:
        list(line_blocks(file))
    assert error.value.line == 2
