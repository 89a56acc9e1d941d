import json
import logging
import math
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from linspector_allennlp.io.locks import exclusively
from linspector_allennlp.representations.hidden_states.cache import (
    list_features,
    make_room,
    remove_empty_folders,
    remove_features,
    size_limit,
    writable_folder,
)
from tests.representations.hashed_layers import HashedLayersEmbedder

GB = 10**9


@pytest.fixture
def features(private_cache):
    return private_cache / "features"


def made(features, name, num_bytes, last_used):
    """A file of a size, which takes no room, in the place of a segment."""
    place = features / f"{name}.features"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch()
    os.truncate(place, num_bytes)
    os.utime(place, (last_used, last_used))
    return place


def left(features):
    return sorted(str(p.relative_to(features))[:-9] for p in features.rglob("*.features"))


@pytest.mark.parametrize(
    "setting, expected",
    [(None, 20 * GB), ("", 20 * GB), ("0", 0), ("1.5", 1.5 * GB), ("1e-3", 1e6), ("inf", math.inf)],
)
def test_the_limit(monkeypatch, setting, expected):
    if setting is not None:
        monkeypatch.setenv("LINSPECTOR_CACHE_GB", setting)
    assert size_limit() == expected


@pytest.mark.parametrize("setting", ["much", "-1", "nan", "20GB", " ", "1,5"])
def test_a_wrong_limit(monkeypatch, setting):
    monkeypatch.setenv("LINSPECTOR_CACHE_GB", setting)
    with pytest.raises(
        ValueError, match=f"LINSPECTOR_CACHE_GB: expected .* gigabytes, found '{setting}'"
    ):
        size_limit()


def test_the_least_recently_used_go_first(features):
    for name, size, last_used in [("a/1", 3, 50), ("a/2", 4, 10), ("b/1", 5, 30), ("b/2", 6, 20)]:
        made(features, name, size * GB, last_used)
    assert make_room() == 0
    assert make_room(18 * GB) == 0
    assert make_room(17 * GB) == 4 * GB and left(features) == ["a/1", "b/1", "b/2"]
    assert make_room(4 * GB) == 11 * GB and left(features) == ["a/1"]
    assert make_room(0) == 3 * GB and left(features) == []
    assert make_room(0) == 0


def test_the_limit_of_the_user(features, monkeypatch):
    for name, last_used in [("a/1", 3), ("a/2", 2), ("a/3", 1)]:
        made(features, name, 8 * GB, last_used)
    assert make_room() == 8 * GB and left(features) == ["a/1", "a/2"]
    monkeypatch.setenv("LINSPECTOR_CACHE_GB", "10")
    assert make_room() == 8 * GB and left(features) == ["a/1"]


def test_what_is_in_use_is_spared(features, caplog):
    places = [made(features, f"a/{i}", 3 * GB, i) for i in range(4)]
    assert make_room(6 * GB, spared=places[:1]) == 6 * GB and left(features) == ["a/0", "a/3"]
    assert caplog.records == []
    with caplog.at_level(logging.WARNING):
        assert make_room(1 * GB, spared=places) == 0
    assert "need 6 GB, more than LINSPECTOR_CACHE_GB (1) allows" in caplog.text


def test_what_is_old_goes(features):
    for name, last_used in [("a/1", 99), ("a/2", 100), ("a/3", 101)]:
        made(features, name, 2 * GB, last_used)
    assert make_room(unused_since=100) == 2 * GB and left(features) == ["a/2", "a/3"]
    assert make_room(1 * GB, unused_since=0) == 4 * GB


def test_empty_files_go_too(features):
    made(features, "a/1", 0, 5)
    assert make_room(0) == 0 and left(features) == ["a/1"]
    assert make_room(0, unused_since=math.inf) == 0 and left(features) == []


def test_what_cannot_be_removed_ends_no_run(features, monkeypatch, caplog):
    for name, last_used in [("a/1", 1), ("b/1", 2)]:
        made(features, name, 2 * GB, last_used)
    unlink = Path.unlink

    def refuse(self, missing_ok=False):
        if self.parent.name == "a":
            raise PermissionError(13, "Permission denied", str(self))
        unlink(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    with caplog.at_level(logging.WARNING):
        assert make_room(3 * GB) == 2 * GB
    assert left(features) == ["a/1"] and "cannot be removed to make room" in caplog.text


def test_other_files_stay(features):
    made(features, "a/1", GB, 1)
    others = ["representation.json", ".x.features.12.tmp", "notes.txt"]
    for name in others:
        (features / "a" / name).write_text("{}")
    assert make_room(0) == GB
    assert sorted(os.listdir(features / "a")) == sorted(others)


def test_the_list():
    embedders = [HashedLayersEmbedder(name=name, precision="float16") for name in ("one", "two")]
    embedders[0].prepare([("a", "b"), ("c",)])
    embedders[0].prepare([("d",) * 4])
    embedders[1].prepare([("a",)])
    HashedLayersEmbedder(name="without features").words_of([("a",)])
    folders = [embedder._store.folder for embedder in embedders]
    for folder, last_used in zip(folders, (2000, 1000)):
        for place in folder.glob("*.features"):
            os.utime(place, (last_used, last_used))
    one, two = list_features()
    assert (one.folder, two.folder) == tuple(folders)
    assert (one.num_sentences, one.num_words, one.last_used) == (3, 7, 2000)
    assert (two.num_sentences, two.num_words, two.last_used) == (1, 1, 1000)
    assert one.num_bytes == 2 * 4096 + 7 * 3 * 5 * 2 and two.num_bytes == 4096 + 30
    assert one.representation["name"] == "one" and two.representation["source"] == "a two"


def test_a_list_of_nothing(features, monkeypatch, tmp_path):
    assert list_features() == []
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LINSPECTOR_CACHE", str(tmp_path / "file"))
    assert list_features() == [] and make_room(0) == 0
    remove_empty_folders()


@pytest.mark.parametrize("description", [None, b"", b"{", b"\xff"])
def test_a_list_of_what_is_damaged(features, description):
    embedder = HashedLayersEmbedder()
    embedder.prepare([("a", "b")])
    (whole,) = embedder._store.folder.glob("*.features")
    made(embedder._store.folder, "damaged", 10_000, 5)
    path = embedder._store.folder / "representation.json"
    path.unlink() if description is None else path.write_bytes(description)
    (entry,) = list_features()
    assert entry.representation == {} and (entry.num_sentences, entry.num_words) == (1, 2)
    assert entry.num_bytes == 10_000 + whole.stat().st_size
    assert (embedder._store.folder / "damaged.features").exists()


def test_removing_by_name(features):
    for name in ("a/1", "a/2", "b/1"):
        made(features, name, GB, 1)
    assert remove_features(["a", "a"]) == 2 * GB
    assert left(features) == ["b/1"] and (features / "a").is_dir()
    remove_empty_folders()
    assert [path.name for path in features.iterdir() if path.is_dir()] == ["b"]


@pytest.mark.parametrize(
    "name", ["c", "", ".", "..", "../features", "a/..", "a/1.features", "a.lock"]
)
def test_no_such_name(features, name):
    made(features, "a/1", GB, 1)
    with (
        exclusively(features / "a"),
        pytest.raises(
            ValueError,
            match="there are no features of this name in .*/features; `linspector p",
        ),
    ):
        remove_features(["a", name])
    assert left(features) == ["a/1"]


def test_folders_without_features_go_with_all_that_is_in_them(features):
    made(features, "a/1", GB, 1)
    (features / "b").mkdir()
    (features / "b" / "representation.json").write_text(json.dumps({}))
    (features / "b" / ".x.features.12.tmp").write_text("of a process that was killed")
    remove_empty_folders()
    assert [path.name for path in features.iterdir() if path.is_dir()] == ["a"]


def hold(folder, started, finish):
    with exclusively(folder):
        folder.mkdir()
        started.set()
        finish.wait(20)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork in a process with threads
def test_a_folder_in_which_a_process_writes_stays(features):
    context = multiprocessing.get_context("fork")
    started, finish = context.Event(), context.Event()
    process = context.Process(target=hold, args=(features / "a", started, finish))
    process.start()
    assert started.wait(20)
    remove_empty_folders()
    assert (features / "a").is_dir()
    finish.set()
    process.join()
    remove_empty_folders()
    assert not (features / "a").exists()


def test_folders_that_vanish(features, monkeypatch):
    """Another process prunes at the same time."""
    for name in ("a/1", "b/1"):
        made(features, name, GB, 1)
    scandir = os.scandir

    def vanishing(path):
        if path == str(features / "a"):
            shutil.rmtree(path, ignore_errors=True)
        return scandir(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", vanishing)
        assert [entry.folder.name for entry in list_features()] == ["b"]
        assert make_room(0) == GB
    assert left(features) == []


def test_a_folder_that_can_be_written(tmp_path, caplog):
    folder = tmp_path / "cache" / "features" / "x"
    assert writable_folder(folder) == writable_folder(folder) == folder
    assert list(folder.iterdir()) == [] and caplog.records == []


def test_a_file_in_its_place(tmp_path, caplog):
    (tmp_path / "cache").write_text("a file")
    with caplog.at_level(logging.WARNING):
        folder = writable_folder(tmp_path / "cache" / "features" / "x")
    assert folder.is_dir() and folder.name == "x" and tmp_path not in folder.parents
    assert "cannot be kept in" in caplog.text and str(tmp_path / "cache") in caplog.text
    assert "Set LINSPECTOR_CACHE to a folder that can be written" in caplog.text
    assert writable_folder(tmp_path / "cache" / "features" / "x") == folder
    assert writable_folder(tmp_path / "cache" / "features" / "y") == folder.with_name("y")


def test_a_folder_that_takes_no_files(tmp_path, monkeypatch, caplog):
    def refuse(dir):
        raise PermissionError(13, "Permission denied", str(dir))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert writable_folder(tmp_path / "x") != tmp_path / "x"
    assert "Permission denied" in caplog.text


def test_the_folder_of_a_process_goes_with_it(root, tmp_path):
    code = """
import sys
from pathlib import Path
from linspector_allennlp.representations.hidden_states.cache import writable_folder
folder = writable_folder(Path(sys.argv[1], "x"))
(folder / "a.features").write_text("a")
print(folder)
"""
    (tmp_path / "file").write_text("")
    run = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "file"],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    folder = run.stdout.strip()
    assert folder.endswith("/x") and not os.path.exists(os.path.dirname(folder))
