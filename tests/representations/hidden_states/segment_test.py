import errno
import hashlib
import json
import mmap
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.hidden_states import segment
from linspector_allennlp.representations.hidden_states.segment import (
    HEADER,
    MAGIC,
    DamagedSegment,
    FeatureIndex,
    FeatureSegment,
    SegmentShape,
    sentence_keys,
    write_segment,
)

WORDS = st.text(st.characters(), max_size=4)  # any characters, also surrogates and "\0"
SENTENCES = [("a", "b"), ("c",), ("d", "e", "f")]
SHAPE = SegmentShape(3, 2, 6, 3, "float32")


def random_vectors(shape, seed=0):
    """Any bits at all, but no infinities and no NaNs."""
    bits = np.random.default_rng(seed).bytes(shape.layers * shape.words * shape.row_bytes)
    vectors = np.frombuffer(bits, shape.dtype).reshape(shape.layers, shape.words, shape.dimension)
    return np.where(np.isfinite(vectors), vectors, vectors.dtype.type(-0.0))


def written(place, vectors, sentences=SENTENCES, cuts=()):
    lengths = np.array([len(sentence) for sentence in sentences])
    layers, words, dimension = vectors.shape
    shape = SegmentShape(len(sentences), layers, words, dimension, str(vectors.dtype))
    keys = sentence_keys(sentences)
    write_segment(place, shape, keys, lengths, np.split(vectors, list(cuts), axis=1))
    return place


@pytest.fixture
def vectors():
    return random_vectors(SHAPE)


@pytest.fixture
def place(tmp_path, vectors):
    return written(tmp_path / "x.features", vectors)


def everything(segment):
    rows = np.arange(segment.shape.words)
    return np.stack([segment.read(layer, rows) for layer in range(segment.shape.layers)])


@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=4).map(tuple), min_size=1, max_size=5),
    st.integers(1, 3),
    st.integers(1, 7),
    st.sampled_from(["float16", "float32"]),
    st.data(),
)
def test_what_is_written_comes_back(sentences, layers, dimension, dtype, data):
    words = sum(map(len, sentences))
    shape = SegmentShape(len(sentences), layers, words, dimension, dtype)
    vectors = random_vectors(shape, data.draw(st.integers(0, 99)))
    cuts = sorted(data.draw(st.lists(st.integers(0, words), max_size=3)))
    rows = np.array(data.draw(st.lists(st.integers(0, words - 1), max_size=9)), np.int64)
    with tempfile.TemporaryDirectory() as folder:
        segment = FeatureSegment(written(Path(folder, "x.features"), vectors, sentences, cuts))
        assert segment.shape == shape and os.listdir(folder) == ["x.features"]
        assert segment.lengths.tolist() == list(map(len, sentences))
        assert (segment.keys == sentence_keys(sentences)).all()
        for layer in range(layers):
            found = segment.read(layer, rows)
            assert found.dtype == np.float32 and found.flags.writeable
            assert found.tobytes() == vectors[layer, rows].astype(np.float32).tobytes()


def test_the_layout(place, vectors):
    """As it is described: a change of it needs another number in the magic."""
    content = place.read_bytes()
    assert content.startswith(b"linspector features 1\n")
    body = content[22:1024]
    assert body[:32] == hashlib.sha256(body[32:]).digest()
    meta = json.loads(body[32:])
    assert meta["shape"] == [3, 2, 6, 3, "float32"] and meta["folder"] == place.parent.name
    index = content[1024 : 1024 + 24 * 3 + 8 * 12]
    assert meta["index"] == hashlib.sha256(index).hexdigest()
    key = hashlib.blake2b(b"1 a1 b", digest_size=16).digest()
    assert index.startswith(key)
    assert np.frombuffer(index[48:72], "<i8").tolist() == [2, 1, 3]
    assert content[4096:] == vectors.astype("<f4").tobytes()


@given(st.lists(st.lists(WORDS, max_size=3).map(tuple), unique=True, max_size=30))
def test_each_sentence_has_a_key_of_its_own(sentences):
    keys = sentence_keys(sentences)
    assert keys.shape == (len(sentences), 2) and keys.dtype == np.uint64
    assert len(set(map(tuple, keys.tolist()))) == len(sentences)


def test_word_boundaries_are_in_the_key():
    alike = [
        (), ("",), ("", ""), ("a b",), ("a", "b"), ("ab",), ("a", "", "b"), ("a\0b",), ("a\0", "b"), ("a1 b",),
        ("1 a1 b",), ("1", " a1 b"), ("a\ud800",), ("\U00010000",), ("\ud800\udc00",), ("é",), ("e\u0301",),
    ]  # fmt: skip
    assert len(set(map(tuple, sentence_keys(alike).tolist()))) == len(alike)
    assert (sentence_keys([["a", "b"]]) == sentence_keys([("a", "b")])).all()


def test_no_changed_byte_is_missed(place, vectors):
    content = place.read_bytes()
    index_end = HEADER + SHAPE.index_bytes
    for position in range(len(content)):
        changed = bytearray(content)
        changed[position] ^= 1 << position % 8
        place.write_bytes(changed)
        if position < index_end:
            with pytest.raises(DamagedSegment, match="x.features: its (header|index) is damaged"):
                FeatureSegment(place)
        elif position < SHAPE.start:
            assert (everything(FeatureSegment(place)) == vectors).all()
        else:
            segment = FeatureSegment(place)
            layer, row = divmod((position - SHAPE.start) // SHAPE.row_bytes, SHAPE.words)
            with pytest.raises(DamagedSegment, match="x.features: vectors in it are damaged"):
                segment.read(layer, np.array([0, row]))
            others = np.array([i for i in range(SHAPE.words) if i != row])
            assert (segment.read(layer, others) == vectors[layer, others]).all()


@pytest.mark.parametrize("length", [0, 1, 22, 60, 1023, 1024, 1100, 4096, 4100, -4, -1, "longer"])
def test_another_length(place, length):
    content = place.read_bytes()
    place.write_bytes(content + b"\0" if length == "longer" else content[:length])
    with pytest.raises(DamagedSegment, match="header|bytes instead of 4240"):
        FeatureSegment(place)


@pytest.mark.parametrize(
    "content",
    [
        b"\0" * 4240, b"\x89HDF\r\n\x1a\n" * 500, b"linspector features 0\n" + b" " * 4218,
        MAGIC + bytes(32) + b" " * 4186, b"text\n" * 1000,
    ],
)  # fmt: skip
def test_a_foreign_file(place, content):
    place.write_bytes(content)
    with pytest.raises(DamagedSegment, match="its header is damaged, or of another version"):
        FeatureSegment(place)


def test_another_version(place):
    content = place.read_bytes()
    place.write_bytes(content.replace(b"features 1\n", b"features 0\n", 1))
    with pytest.raises(DamagedSegment, match="of another version"):
        FeatureSegment(place)


def test_a_segment_of_another_folder(place, tmp_path):
    (tmp_path / "other").mkdir()
    moved = place.rename(tmp_path / "other" / place.name)
    with pytest.raises(DamagedSegment, match="it was not written for this folder"):
        FeatureSegment(moved)


def test_zeroed_blocks(tmp_path):
    shape = SegmentShape(1, 2, 100, 33, "float16")
    vectors = random_vectors(shape)
    place = written(tmp_path / "x.features", vectors, [("a",) * 100])
    content = place.read_bytes()
    for start in range(0, len(content), 512):
        end = min(start + 512, len(content))
        place.write_bytes(content[:start] + bytes(end - start) + content[end:])
        try:
            segment = FeatureSegment(place)
            found = everything(segment)
        except DamagedSegment:
            continue
        assert (found == vectors).all()
        assert HEADER + shape.index_bytes <= start and end <= shape.start


def test_rows_that_changed_places(place, vectors):
    content = bytearray(place.read_bytes())
    content[4096:4120] = content[4108:4120] + content[4096:4108]
    place.write_bytes(content)
    with pytest.raises(DamagedSegment):
        FeatureSegment(place).read(0, np.array([0]))


def test_a_vector_of_zeros_is_a_vector(tmp_path):
    place = written(tmp_path / "x.features", np.zeros((1, 6, 4), np.float16))
    assert (everything(FeatureSegment(place)) == 0).all()


def test_damage_after_it_was_opened(place):
    segment = FeatureSegment(place)
    segment.map()
    with open(place, "r+b") as file:
        file.seek(SHAPE.start)
        file.write(bytes(4))
    with pytest.raises(DamagedSegment, match="vectors in it are damaged"):
        segment.read(0, np.array([0]))


@pytest.mark.parametrize("mapped", [False, True])
def test_cut_off_after_it_was_opened(place, mapped):
    segment = FeatureSegment(place)
    if mapped:
        segment.map()
    os.truncate(place, SHAPE.start)
    with pytest.raises(DamagedSegment, match="x.features: it has been cut off"):
        segment.read(0, np.array([0]))


def test_removed_or_replaced_after_it_was_opened(place, vectors):
    mapped, other, third = (FeatureSegment(place) for _ in range(3))
    mapped.map()
    place.unlink()
    assert (everything(mapped) == vectors).all()
    with pytest.raises(DamagedSegment, match="x.features: it has been removed"):
        other.read(0, np.array([0]))
    written(place, vectors + 1)
    with pytest.raises(DamagedSegment, match="x.features: it has been replaced"):
        third.read(0, np.array([0]))
    assert (everything(mapped) == vectors).all()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no list of open files here")
def test_a_file_is_open_only_for_a_map(place):
    def handles():
        return len(os.listdir("/proc/self/fd"))

    before = handles()
    segments = [FeatureSegment(place) for _ in range(9)]
    assert handles() == before
    segments[0].read(0, np.array([0]))
    assert handles() == before + 1


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, OSError])
def test_an_error_on_the_way_leaves_nothing(tmp_path, vectors, error):
    def blocks():
        yield vectors[:, :2]
        raise error

    with pytest.raises(error):
        write_segment(
            tmp_path / "x.features", SHAPE, sentence_keys(SENTENCES), np.array([2, 1, 3]), blocks()
        )
    assert list(tmp_path.iterdir()) == []


def test_too_few_words(tmp_path, vectors):
    with pytest.raises(RuntimeError, match="x.features: 6 words were announced, 4 came"):
        write_segment(
            tmp_path / "x.features", SHAPE, sentence_keys(SENTENCES), np.array([2, 1, 3]), [vectors[:, :4]]
        )  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk(tmp_path, vectors, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    sentence = "need 0 MB there: .*No space left.*`linspector probe-cache` .*LINSPECTOR_CACHE names"
    with pytest.raises(OSError, match=sentence):
        written(tmp_path / "x.features", vectors)
    assert list(tmp_path.iterdir()) == []


def test_where_room_cannot_be_taken(tmp_path, vectors, monkeypatch):
    monkeypatch.delattr(os, "posix_fallocate", raising=False)
    place = written(tmp_path / "x.features", vectors)
    assert (everything(FeatureSegment(place)) == vectors).all()


def pages_in_memory(place):
    """How many kilobytes of a mapped file count as memory of this process."""
    sizes, here = [], False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if "-" in line.split()[0] and not line.split()[0].endswith(":"):
            here = line.endswith(str(place))
        elif here and line.startswith("Rss:"):
            sizes.append(int(line.split()[1]))
    return sum(sizes) if sizes else None


@pytest.mark.skipif(
    not os.path.exists("/proc/self/smaps") or not hasattr(mmap, "MADV_DONTNEED"),
    reason="what a map takes cannot be seen, or not be given back, here",
)
def test_what_was_read_does_not_stay_in_memory(tmp_path):
    vectors = np.ones((1, 20_000, 100), np.float32)  # 8 MB
    place = written(tmp_path / "x.features", vectors, [("a",) * 20_000])
    segment = FeatureSegment(place)
    np.frombuffer(segment.map(), np.uint8)[::4096].max()
    touched = pages_in_memory(place)
    if touched is None or touched < 7000:
        pytest.skip("what a map takes cannot be seen here")
    assert (everything(segment) == 1).all()
    assert pages_in_memory(place) < 100


SHORT_SENTENCES = st.lists(st.text(max_size=2), min_size=1, max_size=3).map(tuple)


class Contents(NamedTuple):
    """What an index looks at in a segment."""

    keys: np.ndarray
    lengths: np.ndarray


def segment_of(sentences):
    return Contents(sentence_keys(sentences), np.array(list(map(len, sentences)), np.int64))


@given(
    st.lists(st.lists(SHORT_SENTENCES, max_size=5), max_size=4),
    st.lists(SHORT_SENTENCES, max_size=9),
)
def test_the_index_is_like_a_dictionary(segments, others):
    expected = {}
    for number, sentences in enumerate(segments):
        row = 0
        for sentence in sentences:
            expected.setdefault(sentence, (number, row))
            row += len(sentence)
    index = FeatureIndex(list(map(segment_of, segments)))
    asked = [*others, *reversed(list(expected)), *others]
    numbers, rows = index.find(asked)
    found = list(zip(numbers.tolist(), rows.tolist()))
    assert found == [expected.get(sentence, (-1, 0)) for sentence in asked]


def test_an_index_of_nothing():
    for segments in ([], [segment_of([])]):
        numbers, rows = FeatureIndex(segments).find([("a",)])
        assert (numbers.tolist(), rows.tolist()) == ([-1], [0])
        assert [len(part) for part in FeatureIndex(segments).find([])] == [0, 0]


def test_half_a_key_is_not_enough(monkeypatch):
    """Of sentences whose keys begin alike one may be taken for missing, none for another."""

    def alike(sentences):
        keys = sentence_keys(sentences)
        keys[:, 0] = 7
        return keys

    monkeypatch.setattr(segment, "sentence_keys", alike)
    keys = alike([("a",), ("b",), ("c",)])
    index = FeatureIndex([Contents(keys, np.array([1, 1, 1]))])
    numbers, rows = index.find([("c",), ("a",), ("b",), ("d",)])
    assert numbers.tolist() == [-1, 0, -1, -1] and rows.tolist() == [0, 0, 0, 0]
