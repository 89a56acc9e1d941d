import hashlib
import json
import os
from pathlib import Path

import pytest

from linspector_allennlp.io import cache
from linspector_allennlp.io.cache import cache_folder, file_digest, file_stamp


def digest_of(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def readings(monkeypatch):
    """The files that were read as a whole."""
    found = []

    def sha256(path):
        found.append(Path(path).name)
        return digest_of(Path(path).read_bytes())

    monkeypatch.setattr(cache, "sha256", sha256)
    return found


def test_where_the_cache_is(monkeypatch, private_cache):
    assert cache_folder() == private_cache
    monkeypatch.setenv("LINSPECTOR_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    assert cache_folder() == Path("caches", "linspector_allennlp")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert cache_folder() == Path("/home/someone/.cache/linspector_allennlp")


@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 16) + 1, 500_000])
def test_a_stamp_is_a_sample(tmp_path, size):
    content = os.urandom(size)
    path = tmp_path / "model"
    path.write_bytes(content)
    middle, last = max(0, (size - 65536) // 2), max(0, size - 65536)
    sampled = content[:65536] + content[middle : middle + 65536] + content[last:]
    status = path.stat()
    assert file_stamp(path) == {
        "size": size,
        "mtime_ns": status.st_mtime_ns,
        "sample": digest_of(sampled),
    }


def test_a_digest_is_remembered(tmp_path, readings, private_cache):
    path = tmp_path / "model"
    path.write_bytes(b"weights")
    assert file_digest(path) == file_digest(str(path)) == digest_of(b"weights")
    assert readings == ["model"]
    (memory,) = (private_cache / "digests").iterdir()
    assert json.loads(memory.read_text())["sha256"] == digest_of(b"weights")


def test_a_change_is_noticed(tmp_path, readings):
    path = tmp_path / "model"
    path.write_bytes(b"one")
    file_digest(path)
    status = path.stat()
    path.write_bytes(b"two")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert file_digest(path) == digest_of(b"two")
    os.utime(path, ns=(1, 1))
    assert file_digest(path) == digest_of(b"two")
    assert readings == ["model"] * 3


def test_a_link_is_the_file(tmp_path, readings):
    (tmp_path / "blob").write_bytes(b"weights")
    (tmp_path / "model").symlink_to("blob")
    assert file_digest(tmp_path / "model") == file_digest(tmp_path / "blob")
    assert readings == ["blob"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"stamp": 1}', b"\xff", b'"a"'])
def test_a_damaged_memory_is_replaced(tmp_path, readings, private_cache, content):
    path = tmp_path / "model"
    path.write_bytes(b"weights")
    file_digest(path)
    (memory,) = (private_cache / "digests").iterdir()
    memory.write_bytes(content)
    assert file_digest(path) == file_digest(path) == digest_of(b"weights")
    assert readings == ["model"] * 2


def test_a_cache_that_cannot_be_written(tmp_path, readings, monkeypatch):
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setenv("LINSPECTOR_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "model"
    path.write_bytes(b"weights")
    assert file_digest(path) == file_digest(path) == digest_of(b"weights")
    assert readings == ["model"] * 2


def test_a_name_that_is_no_text(tmp_path, capsys, caplog):
    caplog.set_level("WARNING")
    path = os.fsencode(tmp_path) + b"/\xff"
    try:
        Path(os.fsdecode(path)).write_bytes(b"weights")
    except OSError:
        pytest.skip("this disk has no such names")
    assert file_digest(os.fsdecode(path)) == digest_of(b"weights")
    capsys.readouterr()  # a worker could not hand over the name in the progress bar


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="model"):
        file_digest(tmp_path / "model")
