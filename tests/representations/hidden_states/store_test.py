import copy
import errno
import hashlib
import itertools
import json
import logging
import multiprocessing
import os
import pickle
import signal

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.representations.hidden_states import segment
from linspector_allennlp.representations.hidden_states import store as feature_store
from linspector_allennlp.representations.hidden_states.cache import remove_empty_folders
from linspector_allennlp.representations.hidden_states.segment import (
    DamagedSegment,
    sentence_keys,
)
from linspector_allennlp.representations.hidden_states.store import (
    FeatureStore,
    longest_first,
    segment_parts,
)
from tests.representations.hashed_layers import layers_of

WORDS = st.text(st.characters(), max_size=4)  # any characters, also surrogates and "\0"
SENTENCES = st.lists(WORDS, max_size=4).map(tuple)
NUMBERS = itertools.count()
TEXT = [("a", "b"), ("c",), ("d", "e", "f"), ("g",), ("h", "i")]

needs_fork = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="no fork here"
)
quiet_fork = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in a process with threads


class Computer:
    """Computes, and keeps what it computed."""

    def __init__(self, precision="float32", layers=3, dimension=5):
        self.settings = layers, dimension
        self.precision = precision
        self.batches = []

    def __call__(self, sentences):
        self.batches.append(list(sentences))
        vectors = [layers_of(sentence, *self.settings) for sentence in sentences]
        return np.concatenate(vectors, axis=1).astype(self.precision)

    @property
    def sentences(self):
        return [sentence for batch in self.batches for sentence in batch]


def opened(name="x", precision="float32", layers=3, dimension=5):
    return FeatureStore({"type": "t", "name": name}, layers, dimension, precision, "a source")


def word_counts(sentences):
    return list(map(len, sentences))


def add(store, sentences, compute=None, batch_size=2):
    compute = compute or Computer()
    store.add(sentences, word_counts, batch_size, compute)
    return compute


def everything(store, sentences, layers=(0, 1, 2)):
    """The vectors of all words of these sentences. Shape: (layers, num_words, dimension)"""
    segments, firsts = store.find(sentences)
    counts = word_counts(sentences)
    rows = [np.arange(first, first + count) for first, count in zip(firsts, counts)]
    found = store.read(np.repeat(segments, counts), np.concatenate(rows), layers)
    return found.swapaxes(0, 1)


def assert_right(store, sentences):
    expected = np.concatenate([layers_of(sentence) for sentence in sentences], axis=1)
    np.testing.assert_array_equal(everything(store, sentences), expected)


def segment_files(store):
    return sorted(store.folder.glob("*.features"))


@pytest.fixture
def small_segments(monkeypatch):
    """Of two words at most, or one sentence."""
    monkeypatch.setattr(feature_store, "SEGMENT_BYTES", 2 * 3 * 5 * 4)


@settings(max_examples=50)
@given(
    st.lists(st.lists(SENTENCES, max_size=6), min_size=1, max_size=3),
    st.sampled_from(["float16", "float32"]),
    st.integers(1, 3),
    st.integers(1, 7),
    st.sampled_from([20, 100, 10**6]),
    st.data(),
)
def test_any_sentences_in_any_order(texts, precision, layers, dimension, segment_bytes, data):
    shape = {"precision": precision, "layers": layers, "dimension": dimension}
    name = next(NUMBERS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feature_store, "SEGMENT_BYTES", segment_bytes)
        computed = []
        for text in texts:
            store = opened(name, **shape)
            computed += add(store, text, Computer(**shape), data.draw(st.integers(1, 4))).sentences
    distinct = {sentence for text in texts for sentence in text if sentence}
    assert sorted(computed) == sorted(distinct)
    asked = data.draw(st.lists(st.sampled_from(sorted(distinct)), min_size=1)) if distinct else []
    for reader in (store, opened(name, **shape)):
        assert reader.missing(itertools.chain(*texts)) == []
        if asked:
            expected = np.concatenate([layers_of(s, layers, dimension) for s in asked], axis=1)
            found = everything(reader, asked, range(layers))
            assert found.dtype == np.float32
            assert found.tobytes() == expected.astype(precision).astype(np.float32).tobytes()


def test_only_the_layers_that_are_asked_for():
    store = opened()
    add(store, TEXT)
    found = everything(store, TEXT[:2], layers=[2, 0, 2])
    expected = np.concatenate([layers_of(sentence) for sentence in TEXT[:2]], axis=1)
    np.testing.assert_array_equal(found, expected[[2, 0, 2]])
    assert store.read(np.array([], int), np.array([], int), [1]).shape == (0, 1, 5)


def test_batches_of_like_lengths_the_longest_first(small_segments):
    store = opened()
    computed = add(store, [*TEXT, *TEXT])
    assert computed.batches == [
        [("d", "e", "f")], [("a", "b")], [("h", "i")], [("c",), ("g",)],
    ]  # fmt: skip
    assert len(segment_files(store)) == 4
    assert_right(store, [*reversed(TEXT), *TEXT])


def test_only_what_is_missing_is_computed():
    add(opened(), TEXT[:2])
    store = opened()
    assert store.missing([*TEXT, *TEXT]) == TEXT[2:]
    assert sorted(add(store, TEXT).sentences) == sorted(TEXT[2:])
    assert add(store, TEXT).batches == add(opened(), iter(TEXT)).batches == []
    assert_right(store, TEXT)
    assert_right(opened(), TEXT)


def test_nothing_at_all():
    for sentences in ([], [()], iter(())):
        assert add(opened(), sentences).batches == []
    store = opened()
    assert segment_files(store) == [] and store.missing([()]) == []


def test_the_folder_is_named_by_what_decides_the_vectors(private_cache):
    identity = {"type": "t", "name": "ä", "versions": {"b": 1, "a": None}}
    content = {**identity, "layers": 3, "dimension": 5, "precision": "float32"}
    text = json.dumps(content, sort_keys=True)
    digest = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    store = FeatureStore(identity, 3, 5, "float32", source="here")
    assert store.folder == private_cache / "features" / f"t-{digest}"
    other_order = {"versions": {"a": None, "b": 1}, "name": "ä", "type": "t"}
    assert FeatureStore(other_order, 3, 5, "float32", source="there").folder == store.folder
    add(store, TEXT)
    description = json.loads((store.folder / "representation.json").read_text(encoding="utf-8"))
    assert description == {"source": "here", **content}


def test_two_representations_never_share():
    add(opened(), TEXT)
    others = [
        opened("y"), opened(precision="float16"), opened(layers=2), opened(dimension=4),
        FeatureStore({"type": "u", "name": "x"}, 3, 5, "float32"),
        FeatureStore({"type": "t", "name": "x", "alone": True}, 3, 5, "float32"),
    ]  # fmt: skip
    assert len({store.folder for store in [opened(), *others]}) == 7
    assert all(store.missing(TEXT) == TEXT for store in others)


def test_the_segment_of_another_representation_is_not_read(caplog):
    one, other = opened(), opened("y")
    add(one, TEXT)
    (place,) = segment_files(one)
    place.rename(other.folder / place.name)
    store = opened("y")
    assert "it was not written for this folder; what it held is computed again" in caplog.text
    assert store.missing(TEXT) == TEXT and segment_files(store) == []


def test_a_name_that_is_no_text():
    store = FeatureStore({"type": "t", "path": "\udcff"}, 3, 5, "float32", source="\udcff")
    add(store, TEXT)
    assert_right(FeatureStore({"type": "t", "path": "\udcff"}, 3, 5, "float32"), TEXT)


def test_the_same_bytes_every_time(private_cache):
    """Whatever PYTHONHASHSEED is, which differs from one run of the tests to the next."""
    store = opened()
    add(store, TEXT)
    (place,) = segment_files(store)
    order = [("d", "e", "f"), ("a", "b"), ("h", "i"), ("c",), ("g",)]
    name = hashlib.blake2b(sentence_keys(order).tobytes(), digest_size=12).hexdigest()
    assert place.name == f"{name}.features"
    assert store.folder.name == "t-c4b2d89fd4af1a32637f4b34"
    assert (
        hashlib.sha256(place.read_bytes()).hexdigest()
        == "a5c900f4f7f6ae1fb7b57b685db7db92f1798dd6c90cdd10a02aa6f67589c1e3"
    )


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 255))
def test_any_changed_byte(position, change):
    name = next(NUMBERS)
    store = opened(name)
    add(store, TEXT)
    (place,) = segment_files(store)
    content = bytearray(place.read_bytes())
    content[position % len(content)] ^= change
    place.write_bytes(content)
    reader = opened(name)
    while True:
        try:
            computed = add(reader, TEXT)
            assert_right(reader, TEXT)
            break
        except DamagedSegment:
            assert reader.missing(TEXT) == TEXT and not place.exists()
    padding = 1024 + 24 * 5 + 8 * 3 * 9 <= position % len(content) < 4096
    assert bool(computed.batches) != padding
    assert_right(opened(name), TEXT)


@pytest.mark.parametrize("content", [b"", b"\0" * 5000, b"linspector features 0\n" * 100])
def test_what_is_no_segment_is_computed_again(content, caplog):
    store = opened()
    add(store, TEXT)
    (place,) = segment_files(store)
    place.write_bytes(content)
    again = opened()
    assert f"{place}: its header is damaged" in caplog.text
    assert sorted(add(again, TEXT).sentences) == sorted(TEXT)
    assert_right(opened(), TEXT)


def test_damage_to_one_segment_leaves_the_others(small_segments, caplog):
    store = opened()
    add(store, TEXT)
    place = segment_files(store)[2]
    content = place.read_bytes()
    place.write_bytes(content[:4096] + bytes(len(content) - 4096))
    with pytest.raises(DamagedSegment, match="vectors in it are damaged"):
        everything(store, TEXT)
    missing = store.missing(TEXT)
    assert 0 < len(missing) < 5 and place not in segment_files(store)
    assert sorted(add(store, TEXT).sentences) == sorted(missing)
    assert_right(store, TEXT)
    assert "what it held is computed again" in caplog.text


def test_an_error_that_may_pass_removes_nothing(monkeypatch, caplog):
    add(opened(), TEXT)

    def refuse(place):
        raise OSError(errno.EMFILE, "Too many open files", str(place))

    with monkeypatch.context() as patch:
        patch.setattr(feature_store, "FeatureSegment", refuse)
        assert opened().missing(TEXT) == TEXT
    assert "Too many open files" in caplog.text
    assert_right(opened(), TEXT)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no list of open files here")
def test_many_segments_take_no_file_handles(small_segments):
    add(opened(), TEXT)
    before = len(os.listdir("/proc/self/fd"))
    stores = [opened() for _ in range(5)]
    assert len(os.listdir("/proc/self/fd")) == before
    assert_right(stores[0], TEXT[:1])
    assert len(os.listdir("/proc/self/fd")) == before + 1


def test_keys_that_begin_alike(monkeypatch):
    def alike(sentences):
        keys = sentence_keys(sentences)
        keys[:, 0] = 7
        return keys

    for module in (feature_store, segment):
        monkeypatch.setattr(module, "sentence_keys", alike)
    store = opened()
    add(store, TEXT)
    missing = store.missing(TEXT)
    assert len(missing) == 4
    assert_right(store, [sentence for sentence in TEXT if sentence not in missing])


def test_words_are_not_glued_together():
    alike = [("a b",), ("a", "b"), ("ab",), ("a\0b",), ("a", "", "b"), ("x" * 100_000,), ("",)]
    add(opened(), alike[::2])
    store = opened()
    assert store.missing(alike) == alike[1::2]
    add(store, alike)
    assert_right(opened(), alike)


def test_removed_while_it_is_in_use(small_segments):
    store, idle = opened(), opened()
    add(store, TEXT)
    idle.add(TEXT[:1], word_counts, 2, Computer())  # it knows the others, and has not read them
    for place in segment_files(store):
        place.unlink()
    assert_right(store, TEXT)
    for _ in TEXT:
        try:
            assert_right(idle, TEXT)
            break
        except DamagedSegment as error:
            assert "it has been removed" in str(error)
            add(idle, TEXT)
    assert_right(idle, TEXT)
    assert_right(store, TEXT)


def test_the_folder_is_removed_before_the_work():
    store = opened()
    remove_empty_folders()
    assert not store.folder.exists()
    add(store, TEXT)
    assert_right(opened(), TEXT)


def remove_empty(barrier):
    remove_empty_folders()
    barrier.wait(timeout=20)


@needs_fork
@quiet_fork
def test_pruning_while_the_first_segment_is_written():
    """In another process, because locks of one process are its own business."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(2)
    store, compute = opened(), Computer()

    def interrupted(sentences):
        process = context.Process(target=remove_empty, args=(barrier,))
        process.start()
        barrier.wait(timeout=20)
        process.join()
        return compute(sentences)

    store.add(TEXT, word_counts, 9, interrupted)
    assert sorted(compute.sentences) == sorted(TEXT)
    assert_right(opened(), TEXT)


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_keeps_what_was_finished(small_segments, error):
    store, compute = opened(), Computer()

    def failing(sentences):
        if len(compute.batches) == 2:
            raise error
        return compute(sentences)

    with pytest.raises(error):
        add(store, TEXT, failing)
    names = [path.name for path in store.folder.iterdir() if path.suffix != ".features"]
    assert names == ["representation.json"] and len(segment_files(store)) == 2
    assert sorted(add(opened(), TEXT).sentences) == [("c",), ("g",), ("h", "i")]
    assert_right(opened(), TEXT)


def test_a_full_disk(monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    store = opened()
    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", full, raising=False)
        patch.setattr(feature_store, "write_json", full)
        with pytest.raises(OSError, match="the features need 0 MB there.*probe-cache.*LINSPECTOR"):
            add(store, TEXT)
    assert list(store.folder.iterdir()) == []
    add(store, TEXT)
    assert_right(store, TEXT)


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LINSPECTOR_CACHE", str(tmp_path / "file"))
    store = opened("unwritable")
    assert "Set LINSPECTOR_CACHE to a folder that can be written" in caplog.text
    add(store, TEXT)
    assert_right(store, TEXT)
    assert (tmp_path / "file").read_text() == "" and list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_a_wrong_limit_is_known_before_the_work(monkeypatch):
    monkeypatch.setenv("LINSPECTOR_CACHE_GB", "much")
    compute = Computer()
    with pytest.raises(ValueError, match="LINSPECTOR_CACHE_GB: .* found 'much'"):
        add(opened(), TEXT, compute)
    assert compute.batches == []


def grow_old(store, seconds=1000):
    for place in segment_files(store):
        os.utime(place, (seconds, seconds))


def test_what_is_in_use_is_spared(monkeypatch, caplog):
    monkeypatch.setenv("LINSPECTOR_CACHE_GB", "1e-8")
    unused, read, asked = opened("unused"), opened("read"), opened("asked")
    add(unused, TEXT)
    unused_files = segment_files(unused)
    del unused
    add(asked, TEXT[:2])
    grow_old(asked)
    caplog.clear()
    asked = opened("asked")
    with caplog.at_level(logging.WARNING):
        add(read, TEXT[:1])
    assert not any(place.exists() for place in unused_files) and segment_files(asked) == []
    assert "e-06 GB, more than LINSPECTOR_CACHE_GB (1e-08) allows" in caplog.text
    grow_old(read)
    add(asked, TEXT)
    grow_old(asked)
    del asked  # of which the next store must know by itself what it needs
    again = opened("asked")
    add(again, [*TEXT, ("new",)])
    assert len(segment_files(again)) == 2, "the older segment has what was asked for"
    assert len(segment_files(read)) == 1, "another store of this process has it in use"


def test_use_is_marked(small_segments):
    store = opened()
    add(store, TEXT)
    grow_old(store)
    reader = opened()
    assert_right(reader, TEXT[:1])
    ages = [place.stat().st_mtime == 1000 for place in segment_files(store)]
    assert sorted(ages) == [False, True, True, True]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda store: pickle.loads(pickle.dumps(store))])
def test_copies(again):
    store = opened()
    add(store, TEXT)
    assert_right(store, TEXT)
    twin = again(store)
    assert twin.folder == store.folder
    assert_right(twin, TEXT)
    assert add(twin, TEXT).batches == []


def add_in_process(sentences, log, barrier):
    """Adds sentences and writes what it computed, a line each."""
    store, compute = opened(), Computer()

    def logged(some):
        with open(log, "a", encoding="utf-8") as file:
            file.writelines(" ".join(sentence) + "\n" for sentence in some)
        return compute(some)

    barrier.wait(timeout=20)
    store.add(sentences, word_counts, 2, logged)
    assert_right(store, sentences)


def start_all(context, target, arguments):
    processes = [context.Process(target=target, args=args) for args in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=60)
    return [process.exitcode for process in processes]


@needs_fork
@quiet_fork
def test_processes_at_once_compute_each_sentence_once(tmp_path, small_segments):
    context = multiprocessing.get_context("fork")
    text = [(f"w{i}", f"v{i}")[: 1 + i % 2] for i in range(60)]
    shares = [text[:40], text[20:], text[::-1]]
    barrier = context.Barrier(3)
    arguments = [(share, tmp_path / "log", barrier) for share in shares]
    assert start_all(context, add_in_process, arguments) == [0, 0, 0]
    computed = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert sorted(computed) == sorted(map(" ".join, text))
    assert_right(opened(), text)


@needs_fork
@quiet_fork
def test_processes_at_once_without_locks(tmp_path, small_segments, monkeypatch):
    def acquire(self, *_, **__):
        raise NotImplementedError("no locks here")

    monkeypatch.setattr(FileLock, "acquire", acquire)
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(2)
    assert start_all(context, add_in_process, [(TEXT, tmp_path / "log", barrier)] * 2) == [0, 0]
    assert_right(opened(), TEXT)


def die_on_the_way():
    compute = Computer()

    def deadly(sentences):
        if len(compute.batches) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return compute(sentences)

    add(opened(), TEXT, deadly)


@needs_fork
@quiet_fork
def test_a_process_that_is_killed(small_segments):
    context = multiprocessing.get_context("fork")
    assert start_all(context, die_on_the_way, [()]) == [-signal.SIGKILL]
    store = opened()
    names = [path.name for path in store.folder.iterdir()]
    assert len([name for name in names if name.endswith(".tmp")]) == 1
    assert len(segment_files(store)) == 2 and len(store.missing(TEXT)) == 3
    assert_right(store, [("d", "e", "f"), ("a", "b")])
    assert sorted(add(store, TEXT).sentences) == [("c",), ("g",), ("h", "i")]
    assert not [name for name in os.listdir(store.folder) if name.endswith(".tmp")]
    assert_right(opened(), TEXT)


def test_the_longest_first_and_the_order_of_equals():
    sentences = [("a",), ("b", "c"), ("d",), ("e", "f")]
    assert longest_first(sentences, {words: len(words) for words in sentences}) == [
        ("b", "c"), ("e", "f"), ("a",), ("d",),
    ]  # fmt: skip
    letters = {("a",): 9, ("b", "c"): 1, ("d",): 5, ("e", "f"): 7}
    by_letters = longest_first(sentences, letters)
    assert by_letters == [("a",), ("e", "f"), ("d",), ("b", "c")]
    assert longest_first([], {}) == []


@given(st.lists(st.integers(1, 9)), st.integers(1, 5))
def test_parts(lengths, word_bytes):
    sentences = [("a",) * length for length in lengths]
    old, feature_store.SEGMENT_BYTES = feature_store.SEGMENT_BYTES, 20
    try:
        parts = list(segment_parts(sentences, word_bytes))
    finally:
        feature_store.SEGMENT_BYTES = old
    assert [sentence for part in parts for sentence in part] == sentences
    sizes = [word_bytes * sum(map(len, part)) for part in parts]
    assert all(size <= 20 or len(part) == 1 for size, part in zip(sizes, parts))
    for part, size, after in zip(parts, sizes, parts[1:]):
        assert part and size + word_bytes * len(after[0]) > 20
