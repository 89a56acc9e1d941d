import copy
import gzip
import hashlib
import json
import logging
import multiprocessing
import os
import pickle
import tempfile
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.io.cache import file_stamp
from linspector_allennlp.io.hashing import checksums, hash_keys
from linspector_allennlp.representations.vector_files import (
    store_content,
    vector_store,
    vector_store_layout,
)
from linspector_allennlp.representations.vector_files.text_vectors import TextVectors
from linspector_allennlp.representations.vector_files.vector_store import VectorStore

CONTENT = b"4 2\nnew york 1 2\nb\xc3\xa4r 3 4\n\xff 5 6\nd -7 0.5\n"
WORDS = ["new york", "bär", "\N{REPLACEMENT CHARACTER}", "d"]
MATRIX = np.array([[1, 2], [3, 4], [5, 6], [-7, 0.5]], np.float32)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LINSPECTOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "data" / "v.vec"
    path.parent.mkdir()
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def unread(monkeypatch):
    """Call it, and a source must not be read any more."""

    def fail(*_):
        raise AssertionError("the source was read again")

    return lambda: monkeypatch.setattr(vector_store, "open_vectors", fail)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_lookup(source):
    store = VectorStore.open(source)
    assert (len(store), store.dimension, list(store.words())) == (4, 2, WORDS)
    rows = store.rows(["d", "york", "new york", "bär", "", "\ud800", "d"])
    assert rows.dtype == np.int64 and rows.tolist() == [3, -1, 0, 1, -1, -1, 3]
    vectors = store.vectors(rows[rows >= 0])
    assert vectors.dtype == np.float32 and vectors.flags.writeable and vectors.flags.owndata
    np.testing.assert_array_equal(vectors, MATRIX[[3, 0, 1, 3]])
    assert "bär" in store and "Bär" not in store
    assert store.rows([]).shape == (0,) and store.vectors(np.array([], int)).shape == (0, 2)
    np.testing.assert_allclose(store.mean, MATRIX.mean(0), rtol=1e-6)
    assert store.mean.dtype == np.float32
    assert store.scale == pytest.approx(np.sqrt((MATRIX.astype(float) ** 2).mean()))
    assert store.fingerprint == hashlib.sha256(CONTENT).hexdigest()
    assert names(source.parent) == ["v.vec", "v.vec.store"]


def test_another_encoding(tmp_path, caplog):
    """In Latin-1 every word with an umlaut would be unknown, without a word."""
    path = tmp_path / "latin.vec"
    path.write_bytes("".join(f"{w} 1 2\n" for w in ("Köln", "für", "Bär", "und")).encode("latin-1"))
    with pytest.raises(ValueError, match=r"latin.vec: .*3 of 3 words .*'Köln'.*iconv -f latin1"):
        VectorStore.open(path)
    assert names(tmp_path) == ["latin.vec"]
    path.write_bytes(path.read_bytes().decode("latin-1").encode())
    assert "Köln" in VectorStore.open(path)


def test_a_few_words_that_are_not_text(source, caplog):
    with caplog.at_level("WARNING"):
        assert len(VectorStore.open(source)) == 4
    assert "1 words are not UTF-8" in caplog.text


def test_the_layout(source, unread):
    """Byte by byte, so that stores that were made before can be read for ever."""
    words = [b"new york", b"b\xc3\xa4r", b"\xff", b"d"]
    VectorStore.open(source)
    place = source.with_name("v.vec.store")
    hashes = hash_keys(words)
    order = np.argsort(hashes)
    sums = [*MATRIX.sum(0), (MATRIX**2).sum()]
    index = hashes[order].tobytes() + order.astype("<i8").tobytes()
    index += np.cumsum([0, *map(len, words)]).astype("<i8").tobytes()
    index += np.array(sums, "<f8").tobytes() + checksums(MATRIX).tobytes() + b"".join(words)
    index += b"\0" * (-len(index) % 8)
    meta = {
        "source": file_stamp(source),
        "fingerprint": hashlib.sha256(CONTENT).hexdigest(),
        "shape": [4, 2, sum(map(len, words))],
        "index": zlib.crc32(index),
    }
    padded = json.dumps(meta).encode().ljust(4096 - 21 - 32)
    content = b"linspector vectors 2\n" + hashlib.sha256(padded).digest() + padded
    content += MATRIX.tobytes() + index
    assert place.read_bytes() == content
    place.write_bytes(content)
    unread()
    assert VectorStore.open(source).rows(["d", "bär"]).tolist() == [3, 1]


@pytest.mark.parametrize("rows", [[-1], [0, 4]])
def test_rows_that_are_not_there(source, rows):
    with pytest.raises(IndexError, match="from 0 to 3; -1 is an unknown word"):
        VectorStore.open(source).vectors(np.array(rows))


@settings(deadline=None, max_examples=25)
@given(st.lists(st.text("abä ", min_size=1).filter(lambda w: w == w.strip()), min_size=1))
def test_any_words_many_rows_and_the_first_of_repeated_words(words):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "v.vec")
        lines = [f"{word} {i} 0.5\n" for i, word in enumerate(words)]
        path.write_text(f"{len(words)} 2\n" + "".join(lines), encoding="utf-8")
        store = VectorStore.open(path)
        distinct = list(dict.fromkeys(words))
        assert list(store.words()) == distinct
        assert store.rows(distinct).tolist() == list(range(len(distinct)))
        asked = store.vectors(store.rows(words))[:, 0].tolist()
        assert asked == [words.index(word) for word in words]
        assert store.rows(["c", *words, "c"])[[0, -1]].tolist() == [-1, -1]


def test_more_rows_than_a_block_in_any_order(tmp_path):
    matrix = np.arange(6000, dtype=np.float32).reshape(2000, 3)
    lines = [f"w{i} {a:g} {b:g} {c:g}\n" for i, (a, b, c) in enumerate(matrix)]
    (tmp_path / "v.vec").write_text("".join(lines))
    store = VectorStore.open(tmp_path / "v.vec")
    order = np.random.default_rng(0).integers(0, 2000, 3000)
    rows = store.rows([f"w{i}" for i in order])
    np.testing.assert_array_equal(rows, order)
    np.testing.assert_array_equal(store.vectors(rows), matrix[order])


def test_words_of_the_same_hash(source, monkeypatch):
    for module in (store_content, vector_store_layout):
        monkeypatch.setattr(module, "hash_keys", lambda words: np.full(len(words), 7, "<u8"))
    store = VectorStore.open(source)
    assert store.rows(["d", "no", "bär", "new york"]).tolist() == [3, -1, 1, 0]


def test_repeated_words_are_counted(tmp_path, caplog):
    (tmp_path / "v.vec").write_text("a 1 2\nb 3 4\na 5 6\nb 7 8\nc 9 10\n")
    with caplog.at_level(logging.WARNING):
        store = VectorStore.open(tmp_path / "v.vec")
    assert "2 rows repeat a word" in caplog.text
    assert store.vectors(store.rows(["c", "b", "a"])).tolist() == [[9, 10], [3, 4], [1, 2]]
    assert store.mean.tolist() == pytest.approx([13 / 3, 16 / 3])


def test_the_second_time_nothing_is_read(source, unread):
    VectorStore.open(source)
    unread()
    assert VectorStore.open(str(source)).rows(["d"]).tolist() == [3]


def test_gzip(tmp_path):
    path = tmp_path / "v.vec.gz"
    path.write_bytes(gzip.compress(CONTENT))
    store = VectorStore.open(path)
    assert store.fingerprint == hashlib.sha256(path.read_bytes()).hexdigest()
    assert names(tmp_path) == ["v.vec.gz", "v.vec.gz.store"]


def test_a_changed_source_is_noticed(source, caplog):
    old = VectorStore.open(source)
    times = source.stat()
    source.write_bytes(CONTENT.replace(b"-7", b"-8"))
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))  # size and time as before
    with caplog.at_level(logging.INFO):
        new = VectorStore.open(source)
    assert "has changed" in caplog.text
    assert new.vectors(new.rows(["d"])).tolist() == [[-8, 0.5]]
    assert old.vectors(old.rows(["d"])).tolist() == [[-7, 0.5]]  # its mapping is still good
    assert new.fingerprint != old.fingerprint


DAMAGE = {
    "truncated": (lambda content: content[:-8], "bytes instead of"),
    "longer": (lambda content: content + b"x", "bytes instead of"),
    "empty": (lambda content: b"", "not a store"),
    "header": (lambda content: content.replace(b"shape", b"shave"), "header is damaged"),
    "version": (lambda content: content.replace(b"vectors 2", b"vectors 1"), "not a store"),
}


@pytest.mark.parametrize("damage, why", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_store_is_made_anew(source, caplog, damage, why):
    VectorStore.open(source)
    place = source.with_name("v.vec.store")
    good = place.read_bytes()
    place.write_bytes(damage(good))
    with caplog.at_level(logging.INFO):
        assert VectorStore.open(source).rows(WORDS[:2]).tolist() == [0, 1]
    assert why in caplog.text
    assert place.read_bytes() == good


@settings(max_examples=60)
@given(st.data())
def test_a_flipped_bit_anywhere_changes_no_vector(data):
    """Whenever it happens: before the store is opened, or while it is in use."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "v.vec")
        path.write_bytes(CONTENT)
        store, place = VectorStore.open(path), path.with_name("v.vec.store")
        statistics = store.mean.tolist(), store.scale
        content = bytearray(place.read_bytes())
        # Beyond the header, which is mostly padding, in half of the examples.
        first = data.draw(st.sampled_from([0, 4096]))
        byte = data.draw(st.integers(first, len(content) - 1))
        content[byte] ^= 1 << data.draw(st.integers(0, 7))
        if data.draw(st.booleans()):
            store = VectorStore.open(path)
            with open(place, "r+b") as file:
                file.write(content)
        else:
            place.write_bytes(content)
            store = VectorStore.open(path)
        for _ in range(2):
            assert store.rows([*WORDS[:2], "e", "d"]).tolist() == [0, 1, -1, 3]
            np.testing.assert_array_equal(store.vectors(np.arange(4)), MATRIX)
            assert list(store.words()) == WORDS
            assert (store.mean.tolist(), store.scale) == statistics
            store = VectorStore.open(path)


def damage_matrix(place, new=b"\xff"):
    with open(place, "r+b") as file:
        file.seek(4096)
        file.write(new)


def test_a_store_that_is_damaged_in_use_is_made_anew_once(source, caplog):
    VectorStore.open(source)
    place = source.with_name("v.vec.store")
    good = place.read_bytes()
    one, other = VectorStore.open(source), VectorStore.open(source)
    damage_matrix(place)
    np.testing.assert_array_equal(one.vectors(np.array([0])), MATRIX[:1])
    assert f"{place}: vectors in it are damaged. It is made anew from {source}" in caplog.text
    assert place.read_bytes() == good
    status = place.stat()
    np.testing.assert_array_equal(other.vectors(np.array([0])), MATRIX[:1])  # by what is there now
    assert place.stat().st_ino == status.st_ino
    with open(place, "r+b") as file:
        file.truncate(100)
    assert other.rows(["d"]).tolist() == [3] and place.read_bytes() == good


def test_a_damaged_store_without_its_source(source):
    store, place = VectorStore.open(source), source.with_name("v.vec.store")
    damage_matrix(place)
    content = source.read_bytes()
    source.unlink()
    expected = f"{place}: vectors in it are damaged, and cannot be made anew: .*no such file.*back"
    with pytest.raises(ValueError, match=expected):
        store.vectors(np.array([0]))
    source.write_bytes(content.replace(b"new york", b"old york"))
    with pytest.raises(ValueError, match="v.vec has changed since. Start again"):
        store.vectors(np.array([0]))


def test_a_damaged_store_that_cannot_be_replaced(source, cache, monkeypatch):
    VectorStore.open(source)
    damage_matrix(source.with_name("v.vec.store"))
    refuse(monkeypatch, source.parent)
    store = VectorStore.open(source)
    for _ in range(2):
        np.testing.assert_array_equal(store.vectors(np.arange(4)), MATRIX)
        (place,) = cache.iterdir()
        damage_matrix(place)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, ValueError])
def test_an_interrupted_build_leaves_nothing(source, monkeypatch, interruption):
    class Interrupted(TextVectors):
        def chunks(self, rows=2):
            yield next(super().chunks(rows))
            raise interruption

    monkeypatch.setattr(vector_store, "open_vectors", lambda path, _: Interrupted(path))
    with pytest.raises(interruption):
        VectorStore.open(source)
    assert names(source.parent) == ["v.vec"]


def test_what_a_killed_build_left_is_removed(source):
    source.with_name(".v.vec.store.1.tmp").write_bytes(b"half")
    VectorStore.open(source)
    assert names(source.parent) == ["v.vec", "v.vec.store"]


def test_a_broken_source_is_an_error_and_leaves_nothing(source):
    source.write_bytes(CONTENT + b"e 1\n")
    with pytest.raises(ValueError, match="line 6"):
        VectorStore.open(source)
    assert names(source.parent) == ["v.vec"]


def refuse(monkeypatch, *folders):
    """As root, taking away the right to write has no effect."""
    replacing = vector_store.replacing

    def refusing(path):
        if path.parent in folders:
            raise PermissionError(13, "Permission denied", str(path))
        return replacing(path)

    monkeypatch.setattr(vector_store, "replacing", refusing)


def test_a_folder_that_cannot_be_written(source, cache, monkeypatch, caplog, unread):
    refuse(monkeypatch, source.parent)
    with caplog.at_level(logging.INFO):
        assert VectorStore.open(source).rows(["d"]).tolist() == [3]
    assert names(source.parent) == ["v.vec"]
    (place,) = cache.iterdir()
    assert place.name.startswith("v.vec.") and str(place) in caplog.text
    unread()
    assert VectorStore.open(source).rows(["d"]).tolist() == [3]


def test_no_folder_can_be_written(source, cache, monkeypatch):
    refuse(monkeypatch, source.parent, cache)
    with pytest.raises(OSError, match="neither in .* nor in .*Set LINSPECTOR_CACHE"):
        VectorStore.open(source)


def test_a_missing_source(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        VectorStore.open(tmp_path / "v.vec")


@pytest.mark.parametrize("again", [copy.deepcopy, lambda store: pickle.loads(pickle.dumps(store))])
def test_copies(source, unread, again):
    store = VectorStore.open(source)
    unread()
    twin = again(store)
    assert twin is not store
    np.testing.assert_array_equal(twin.vectors(twin.rows(["bär"])), [[3, 4]])


class SlowFile(TextVectors):
    """Gives the other process the time to come in between."""

    readings = 0

    def chunks(self, rows=1):
        SlowFile.readings += 1
        for chunk in super().chunks(rows):
            time.sleep(0.05)
            yield chunk


def open_in_process(source, barrier, queue):
    barrier.wait(timeout=20)
    store = VectorStore.open(source)
    queue.put((store.vectors(store.rows(["d", "bär"])).tolist(), SlowFile.readings))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork in a process with threads
@pytest.mark.parametrize("locks", [True, False])
def test_two_processes_at_once(source, monkeypatch, locks):
    def acquire(self, *_, **__):
        raise NotImplementedError("no locks here")

    if not locks:
        monkeypatch.setattr(FileLock, "acquire", acquire)
    monkeypatch.setattr(vector_store, "open_vectors", lambda path, _: SlowFile(path))
    context = multiprocessing.get_context("fork")  # spawned ones would import AllenNLP for seconds
    barrier, queue = context.Barrier(2), context.Queue()
    processes = [
        context.Process(target=open_in_process, args=(source, barrier, queue)) for _ in range(2)
    ]
    for process in processes:
        process.start()
    found, readings = zip(*[queue.get(timeout=20) for _ in processes], strict=True)
    for process in processes:
        process.join()
    assert list(found) == [[[-7, 0.5], [3, 4]]] * 2
    assert sum(readings) == (1 if locks else 2)
    assert names(source.parent) == ["v.vec", "v.vec.store"]


def test_a_changed_word_list_is_noticed(tmp_path, unread):
    np.save(tmp_path / "v.npy", MATRIX)
    words = tmp_path / "v.txt"
    words.write_text("a\nb\nc\nd\n")
    old = VectorStore.open(tmp_path / "v.npy")
    status = words.stat()
    words.write_text("a\nb\nc\ne\n")
    os.utime(words, ns=(status.st_atime_ns, status.st_mtime_ns))
    new = VectorStore.open(tmp_path / "v.npy")
    assert old.rows(["d", "e"]).tolist() == [3, -1] and new.rows(["d", "e"]).tolist() == [-1, 3]
    assert new.fingerprint != old.fingerprint
    unread()
    assert VectorStore.open(tmp_path / "v.npy").rows(["e"]).tolist() == [3]


def test_two_word_lists_have_two_stores(tmp_path, unread):
    np.save(tmp_path / "v.npy", MATRIX)
    for name, words in (("upper", "A\nB\nC\nD\n"), ("lower", "a\nb\nc\nd\n")):
        (tmp_path / name).write_text(words)
        VectorStore.open(tmp_path / "v.npy", tmp_path / name)
    assert names(tmp_path) == ["lower", "upper", "v.npy", "v.npy.lower.store", "v.npy.upper.store"]
    unread()
    lower = copy.deepcopy(VectorStore.open(tmp_path / "v.npy", tmp_path / "lower"))
    assert lower.rows(["D", "d"]).tolist() == [-1, 3]
    with pytest.raises(
        FileNotFoundError, match="other: no such file; expected a word on each line"
    ):
        VectorStore.open(tmp_path / "v.npy", tmp_path / "other")


def test_a_refused_file_leaves_nothing(tmp_path):
    vectors = KeyedVectors(2)
    vectors.add_vectors(["a"], MATRIX[:1])
    vectors.save(str(tmp_path / "v.kv"))
    with pytest.raises(ValueError, match="v.kv: expected .*KeyedVectors.load"):
        VectorStore.open(tmp_path / "v.kv")
    assert names(tmp_path) == ["v.kv"]
