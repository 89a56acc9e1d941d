import errno
import gzip
import io
import os
import shutil
import sys
import tarfile
import tempfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.io.cache import cache_folder, file_digest
from linspector_allennlp.representations.archives import unpack
from linspector_allennlp.representations.archives.safe_loading import safe_loading
from linspector_allennlp.representations.archives.unpack import (
    code_digests,
    find_weights,
    model_digest,
    unpack_archive,
    unpacked,
)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("LINSPECTOR_CACHE", str(folder))
    return folder


def member(name, kind=tarfile.REGTYPE, content=b"evil", **properties):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.size = len(content) if kind == tarfile.REGTYPE else 0
    for key, value in properties.items():
        setattr(info, key, value)
    return info, content


def write(path, *members):
    with tarfile.open(path, "w:gz") as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return path


def everything_in(folder):
    return {path for path in folder.rglob("*") if "digests" not in path.parts}


GOOD = [member("config.json", content=b"{}"), member("vocabulary", tarfile.DIRTYPE)]


def test_what_is_in_the_archive_is_in_the_folder(tmp_path, cache):
    path = write(
        tmp_path / "model.tar.gz",
        member("./config.json", content=b"{}", mode=0o4777),
        member("vocabulary", tarfile.DIRTYPE),
        member("vocabulary/tokens.txt", content="yö\n".encode()),
        member("a/b/c.bin", content=b"\0" * 3_000_000),
    )
    folder = unpack_archive(path)
    assert folder.parent == cache / "archives"
    assert (folder / "config.json").read_bytes() == b"{}"
    assert (folder / "vocabulary/tokens.txt").read_text(encoding="utf-8") == "yö\n"
    assert (folder / "a/b/c.bin").stat().st_size == 3_000_000
    assert not (folder / "config.json").stat().st_mode & 0o7111


def test_it_is_unpacked_once(tmp_path):
    path = write(tmp_path / "model.tar.gz", *GOOD)
    folder = unpack_archive(path)
    (folder / "config.json").write_text("seen")
    assert unpack_archive(path) == folder
    assert (folder / "config.json").read_text() == "seen"
    other = write(tmp_path / "other.tar.gz", *GOOD, member("more"))
    assert unpack_archive(other) != folder


def test_a_folder_is_what_it_is(tmp_path):
    assert unpack_archive(tmp_path) == tmp_path


def test_an_archive_that_a_part_of_another_model_names(tmp_path):
    """As where the model of an archive has an `archive_layer` of its own."""
    path = write(tmp_path / "model.tar.gz", *GOOD)
    with safe_loading([]):
        assert (unpack_archive(path) / "config.json").read_bytes() == b"{}"


MALICIOUS = {
    "parent": (member("../x"), "leads out of the folder"),
    "deep parent": (member("a/../../x"), "leads out of the folder"),
    "parent at the end": (member("a/.."), "leads out of the folder"),
    "absolute": (member("/tmp/linspector_evil"), "an absolute path"),
    "drive": (member("C:/x"), "absolute on some system"),
    "backslash": (member("..\\x"), "absolute on some system"),
    "symbolic link": (member("link", tarfile.SYMTYPE, linkname="/etc/passwd"), "a link to '/etc"),
    "harmless link": (member("link", tarfile.SYMTYPE, linkname="config.json"), "a link to"),
    "hard link": (member("link", tarfile.LNKTYPE, linkname="config.json"), "a link to"),
    "device": (member("device", tarfile.CHRTYPE), "special file"),
    "block device": (member("device", tarfile.BLKTYPE), "special file"),
    "pipe": (member("pipe", tarfile.FIFOTYPE), "special file"),
    "twice": (member("config.json"), "there twice"),
    "twice, differently written": (member("./config.json"), "there twice"),
    "folder that is a file": (member("config.json", tarfile.DIRTYPE), "there twice"),
    "file in a file": (member("config.json/x"), "a file in what is a file"),
    "file that is a folder": (member("vocabulary"), "there twice"),
}  # fmt: skip


@pytest.mark.parametrize("bad, fault", MALICIOUS.values(), ids=MALICIOUS)
def test_malicious_archives_are_refused_and_nothing_is_written(tmp_path, bad, fault):
    path = write(tmp_path / "model.tar.gz", *GOOD, bad)
    before = everything_in(tmp_path)
    with pytest.raises(ValueError, match=fault) as caught:
        unpack_archive(path)
    assert str(path) in str(caught.value) and repr(bad[0].name) in str(caught.value)
    assert "Nothing was unpacked" in str(caught.value)
    assert everything_in(tmp_path) - {tmp_path / "cache"} == before
    assert not os.path.exists("/tmp/linspector_evil")


def test_a_link_before_the_file_that_would_go_through_it(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    link = member("vocabulary", tarfile.SYMTYPE, linkname=str(outside))
    path = write(tmp_path / "model.tar.gz", link, member("vocabulary/x"))
    with pytest.raises(ValueError, match="a link to"):
        unpack_archive(path)
    assert not list(outside.iterdir())


def test_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(unpack, "MOST_BYTES", 10)
    path = write(tmp_path / "model.tar.gz", member("a", content=b"123456"), member("b" * 5))
    assert unpack_archive(path).is_dir()
    path = write(
        tmp_path / "large.tar.gz", member("a", content=b"123456"), member("b", content=b"12345")
    )
    with pytest.raises(ValueError, match="'b': more than"):
        unpack_archive(path)


def test_a_size_that_is_a_lie(tmp_path):
    """The header says that the member is larger than all disks."""
    info = tarfile.TarInfo("bomb")
    info.size = 10**15
    with gzip.open(tmp_path / "model.tar.gz", "wb") as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
    with pytest.raises(ValueError, match="'bomb': more than 50 GB"):
        unpack_archive(tmp_path / "model.tar.gz")


def test_a_negative_size(tmp_path):
    """It would take the reader back, for ever, and the sum of the sizes down."""
    info = tarfile.TarInfo("negative")
    info.size = -(10**6)
    with gzip.open(tmp_path / "model.tar.gz", "wb") as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
    with pytest.raises(ValueError, match="model.tar.gz: expected"):
        unpack_archive(tmp_path / "model.tar.gz")


@given(names=st.lists(st.text(alphabet="ab./\\:", min_size=1, max_size=8), max_size=5))
def test_whatever_the_names_are_nothing_is_written_elsewhere(tmp_path_factory, names):
    folder = tmp_path_factory.mktemp("names")
    path = write(folder / "model.tar.gz", *(member(name) for name in names))
    before = everything_in(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINSPECTOR_CACHE", str(folder / "in/here"))
        try:
            unpacked = unpack_archive(path)
        except ValueError:
            assert not list((folder / "in").rglob("archives"))
        else:
            files = [file for file in unpacked.rglob("*") if file.is_file()]
            assert len(files) == len(names)
    assert {path for path in everything_in(folder) if "in" not in path.parts} == before


@pytest.mark.parametrize("content", [b"", b"not an archive", gzip.compress(b"not a tar", mtime=0)])
def test_no_archive(tmp_path, content):
    path = tmp_path / "model.tar.gz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"model.tar.gz: expected a"):
        unpack_archive(path)


def test_a_truncated_archive(tmp_path, cache):
    content = os.urandom(100_000)
    path = write(tmp_path / "whole.tar.gz", member("weights.th", content=content))
    (tmp_path / "model.tar.gz").write_bytes(path.read_bytes()[:50_000])
    with pytest.raises(ValueError, match="expected a whole model.tar.gz.*truncated"):
        unpack_archive(tmp_path / "model.tar.gz")
    assert not (cache / "archives").exists()


def test_weights(tmp_path):
    with pytest.raises(FileNotFoundError, match="weights.th or best.th.*are there: none"):
        find_weights(tmp_path)
    for name in ("best.th", "model_state_e1_b0.th"):
        (tmp_path / name).touch()
    assert find_weights(tmp_path) == tmp_path / "best.th"
    assert find_weights(tmp_path, "model_state_e1_b0.th") == tmp_path / "model_state_e1_b0.th"
    elsewhere = tmp_path / "elsewhere.bin"
    elsewhere.touch()
    assert find_weights(tmp_path / "run", str(elsewhere)) == elsewhere
    with pytest.raises(FileNotFoundError, match=r"model_state_e9.*best.th, model_state_e1_b0.th"):
        find_weights(tmp_path, "model_state_e9.th")
    (tmp_path / "weights.th").touch()
    assert find_weights(tmp_path) == tmp_path / "weights.th"


def test_what_a_killed_process_left_is_no_hindrance(tagger_run):
    archive = tagger_run / "model.tar.gz"
    left = cache_folder() / "archives" / f".{file_digest(archive)[:32]}.{os.getpid()}.tmp"
    left.mkdir(parents=True)
    (left / "half").touch()
    folder = unpack_archive(archive)
    assert (folder / "config.json").exists() and not left.exists()
    assert not (folder / "half").exists()


def test_too_many_members(tmp_path, monkeypatch):
    monkeypatch.setattr(unpack, "MOST_MEMBERS", 3)
    archive = tmp_path / "many.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        for number in range(4):
            file.addfile(tarfile.TarInfo(f"file{number}"), io.BytesIO())
    with pytest.raises(ValueError, match="found 'file2': more than"):
        unpack_archive(archive)


def make_run(folder):
    (folder / "vocabulary").mkdir(parents=True)
    for name in ("config.json", "best.th", "other.th", "metrics.json", "vocabulary/tokens.txt"):
        (folder / name).write_text(name)
    return folder


def test_what_decides_the_vectors(tmp_path, monkeypatch):
    monkeypatch.setenv("LINSPECTOR_CACHE", str(tmp_path / "cache"))
    run = make_run(tmp_path / "run")

    def digest(weights="best.th"):
        return model_digest(run, run, run / weights)

    first = digest()
    assert len(first) == 64 and first != digest("other.th")
    (run / "metrics.json").write_text("other")
    assert digest() == first
    for name in ("config.json", "vocabulary/tokens.txt", "best.th"):
        (run / name).write_text("changed")
        assert digest() != first
        (run / name).write_text(name)
        assert digest() == first


def test_code(tmp_path, monkeypatch):
    package = tmp_path / "linspector_test_code"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.py").write_text("x = 1")
    (tmp_path / "linspector_test_file.py").write_text("x = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    names = ["linspector_test_code", "linspector_test_file"]
    first = code_digests(names)
    assert first == code_digests(names)
    (package / "model.py").write_text("x = 2")
    second = code_digests(names)
    assert second[0] != first[0] and second[1] == first[1]
    (tmp_path / "linspector_test_file.py").write_text("x = 2")
    assert code_digests(names)[1] != first[1]
    assert not set(names) & set(sys.modules)
    assert code_digests([]) == []


def test_a_damaged_archive_is_noticed_by_its_checksum(tmp_path, cache):
    """A flipped bit in the stored weights would otherwise be loaded as other weights."""
    weights = member("weights.th", content=os.urandom(5000))
    path = write(tmp_path / "model.tar.gz", *GOOD, weights)
    content = bytearray(path.read_bytes())
    # Random bytes are stored as they are: the middle of the file is in the middle of the weights.
    content[len(content) // 2] ^= 4
    path.write_bytes(content)
    with pytest.raises(ValueError, match="model.tar.gz: expected a whole model.tar.gz"):
        unpack_archive(path)
    assert not (cache / "archives").exists()


def test_what_could_not_be_unpacked_whole_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    path = write(tmp_path / "model.tar.gz", *GOOD)
    with unpacked(path, cleanup=False) as folder:
        assert folder.parent == tmp_path / "temporary"
    assert (folder / "config.json").exists()
    shutil.rmtree(folder)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    for cleanup in (True, False):
        with pytest.raises(OSError, match="No space left"), unpacked(path, cleanup):
            pass
        assert not list((tmp_path / "temporary").iterdir())
