"""What somebody else has put where we look: it is not used, not followed, and not in the way."""

import io
import json
import os
import tarfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from linspector_allennlp.io.cache import cache_folder, file_digest
from linspector_allennlp.representations.archives.unpack import unpack_archive
from linspector_allennlp.representations.vector_files.vector_store import VectorStore
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.task_data import TaskData
from tests.representations.hashed_layers import HashedLayersEmbedder

STRANGER = 54321
needs_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can give files away"
)


def give_away(*paths):
    for path in paths:
        os.chown(path, STRANGER, STRANGER, follow_symlinks=False)


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "model.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        for name in ("config.json", "weights.th"):
            member = tarfile.TarInfo(name)
            member.size = 4
            file.addfile(member, io.BytesIO(b"good"))
    return path


def test_an_unpacked_archive_is_that_of_the_archive(archive, caplog):
    folder = unpack_archive(archive)
    assert folder.stat().st_mode & 0o777 in (0o700, 0o755, 0o775)
    assert cache_folder().joinpath("archives").stat().st_mode & 0o77 == 0
    before = folder.stat().st_ino
    assert unpack_archive(archive).stat().st_ino == before  # once
    (folder / "weights.th").write_bytes(b"evil")
    assert (unpack_archive(archive) / "weights.th").read_bytes() == b"good"
    assert "weights.th has changed" in caplog.text
    (folder / "weights.th").unlink()
    assert (unpack_archive(archive) / "weights.th").read_bytes() == b"good"
    folder.with_name(f"{folder.name}.json").unlink()
    (folder / "weights.th").write_bytes(b"evil")
    assert (unpack_archive(archive) / "weights.th").read_bytes() == b"good"


def test_a_config_may_be_changed_by_who_trusts_it(archive):
    (unpack_archive(archive) / "config.json").write_bytes(b"mine")
    assert (unpack_archive(archive) / "config.json").read_bytes() == b"mine"


@needs_root
def test_a_planted_archive(archive):
    folder = cache_folder() / "archives" / file_digest(archive)[:32]
    folder.mkdir(parents=True)
    (folder / "weights.th").write_bytes(b"evil")
    digests = folder.with_name(f"{folder.name}.json")
    digests.write_text(json.dumps({"weights.th": file_digest(folder / "weights.th")}))
    give_away(folder, digests)
    assert (unpack_archive(archive) / "weights.th").read_bytes() == b"good"


@needs_root
def test_a_cache_in_a_folder_of_all(archive, tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv("LINSPECTOR_CACHE", str(shared))
    planted = shared / "archives" / file_digest(archive)[:32]
    planted.mkdir(parents=True)
    (planted / "weights.th").write_bytes(b"evil")
    folder = unpack_archive(archive)
    assert folder.parents[1] == shared / "user-0" and folder.parents[1].stat().st_mode & 0o77 == 0
    assert (folder / "weights.th").read_bytes() == b"good"
    assert (planted / "weights.th").read_bytes() == b"evil"


@needs_root
def test_a_planted_segment():
    sentences = [("a", "b"), ("c",)]
    embedder = HashedLayersEmbedder()
    embedder.prepare(sentences)
    planted = list(embedder._store.folder.glob("*.features"))
    give_away(*planted)
    other = HashedLayersEmbedder()
    np.testing.assert_array_equal(other.words_of(sentences), other.expected(sentences))
    assert other.computed


def test_a_pipe_in_the_place_of_a_segment():
    embedder = HashedLayersEmbedder()
    os.mkfifo(embedder._store.folder / "0.features")
    embedder.prepare([("a",)])
    np.testing.assert_array_equal(embedder.words_of([("a",)]), embedder.expected([("a",)]))


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "v.vec"
    path.write_text("2 2\na 1 2\nb 3 4\n")
    return path


@needs_root
def test_a_planted_store(source):
    place = source.with_name("v.vec.store")
    VectorStore.open(source)
    give_away(place)
    planted = place.stat()
    store = VectorStore.open(source)
    assert store._content.place.parent == cache_folder()
    assert place.stat() == planted  # nor is it fought for
    give_away(source)  # who owns the source may: he could change that, too
    assert VectorStore.open(source)._content.place == place


def test_forty_flipped_bits_of_forty_are_noticed(source, caplog):
    """As in the attack on the first layout: then 23 of 40 changed vectors without a word."""
    rng = np.random.default_rng(40)
    matrix = rng.normal(size=(50, 20)).astype("<f4")
    rows = [f"w{i} {' '.join(map(repr, row))}" for i, row in enumerate(matrix.tolist())]
    source.write_text("\n".join(["50 20", *rows, ""]))
    place = source.with_name("v.vec.store")
    store = VectorStore.open(source)
    good, words = place.read_bytes(), [f"w{i}" for i in range(50)]
    np.testing.assert_array_equal(store.vectors(store.rows(words)), matrix)
    noticed = 0
    for place_of_bit in rng.integers(4096 * 8, 8 * (4096 + matrix.nbytes), 40).tolist():
        content = bytearray(good)
        content[place_of_bit // 8] ^= 1 << place_of_bit % 8
        place.write_bytes(content)
        caplog.clear()
        store = VectorStore.open(source)
        np.testing.assert_array_equal(store.vectors(store.rows(words)), matrix)
        noticed += "vectors in it are damaged. It is made anew" in caplog.text
        assert place.read_bytes() == good
    assert noticed == 40


def test_no_lock_is_left_anywhere(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    writer = TaskWriter(tmp_path / "data", "type-level", "finnish", {})
    data = partial(TaskData, name="Case", kind="single_form", facts={}, notes=[])
    writer.write(data(splits={"train": [("talo", "sg")]}), {"inputs": {}, "versions": {}})
    writer.finish({})
    assert sorted(path.name for path in Path(tmp_path, "data").iterdir()) == [
        "Case",
        "manifest.json",
    ]
    assert list(Path(tmp_path, "tmp").iterdir()) == []
