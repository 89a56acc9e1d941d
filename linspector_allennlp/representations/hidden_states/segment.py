"""Files of features: the vectors of all words of some sentences, in all layers of a model."""

import hashlib
import mmap
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Optional

import numpy as np

from linspector_allennlp.io.files import replacing, reserve
from linspector_allennlp.io.framed import Frame
from linspector_allennlp.io.hashing import checksums
from linspector_allennlp.io.regular import open_regular

if TYPE_CHECKING:  # that module needs torch, and `probe-cache` reads segments without
    from linspector_allennlp.representations.words import Words

MAGIC = b"linspector features 1\n"  # the number is the version of the layout
HEADER = 1024  # bytes; after it the index, then the vectors
FRAME = Frame(MAGIC, HEADER, name="segment")
_ROWS_AT_A_TIME = 4096


class DamagedSegment(ValueError):
    """A file of features that is not as it was written."""


class SegmentShape(NamedTuple):
    sentences: int
    layers: int
    words: int
    dimension: int
    dtype: str
    """`"float16"` or `"float32"`."""

    @property
    def row_bytes(self) -> int:
        return self.dimension * np.dtype(self.dtype).itemsize

    @property
    def index_bytes(self) -> int:
        """The size of the keys and lengths of sentences, and of a checksum for each vector."""
        return 24 * self.sentences + 8 * self.layers * self.words

    @property
    def start(self) -> int:
        """The first byte of the vectors, a page's first."""
        return -(-(HEADER + self.index_bytes) // 4096) * 4096

    @property
    def end(self) -> int:
        return self.start + self.layers * self.words * self.row_bytes


def sentence_keys(sentences: Iterable["Words"]) -> np.ndarray:
    """A 128-bit hash for each sentence. Shape: (num_sentences, 2)"""
    # No character between the words would do: any may be in a word.
    texts = ("".join(f"{len(word)} {word}" for word in words) for words in sentences)
    digests = b"".join(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        for text in texts
    )
    return np.frombuffer(digests, "<u8").reshape(-1, 2).astype(np.uint64)


def write_segment(
    place: Path,
    shape: SegmentShape,
    keys: np.ndarray,
    lengths: np.ndarray,
    blocks: Iterable[np.ndarray],
) -> None:
    """
    Writes a segment, all of it or nothing.

    # Parameters

    keys, lengths : `numpy.ndarray`
        The key and the number of words of each sentence.
    blocks : `Iterable[numpy.ndarray]`
        The vectors, some sentences at a time, in the same order. Shape: (layers, words, dimension)
    """
    sums = np.empty((shape.layers, shape.words), np.uint64)
    with replacing(place) as temporary, open(temporary, "wb") as file:
        _reserve(file, shape.end, place)
        done = 0
        for block in blocks:
            words = block.shape[1]
            sums[:, done : done + words] = checksums(block)
            for layer in range(shape.layers):
                file.seek(shape.start + (layer * shape.words + done) * shape.row_bytes)
                file.write(block[layer].data)
            done += words
        if done != shape.words:
            raise RuntimeError(f"{place}: {shape.words} words were announced, {done} came.")
        index = keys.astype("<u8").tobytes() + lengths.astype("<i8").tobytes()
        index += sums.astype("<u8").tobytes()
        meta = {
            "folder": place.parent.name,
            "shape": shape,
            "index": hashlib.sha256(index).hexdigest(),
        }
        file.seek(0)
        file.write(FRAME.pack(meta) + index)


class FeatureSegment:
    """
    A segment. Its index is read at once; its vectors are mapped into memory when they are needed,
    because a map takes a file handle. `DamagedSegment` is raised where it is not what was written.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self._map: Optional[mmap.mmap] = None
        with open_regular(place) as file:
            size, head = os.fstat(file.fileno()).st_size, file.read(HEADER)
            try:
                meta = FRAME.unpack(head)
            except ValueError:
                raise DamagedSegment(
                    f"{place}: its header is damaged, or of another version"
                ) from None
            if meta.get("folder") != place.parent.name:
                raise DamagedSegment(f"{place}: it was not written for this folder")
            self.shape = shape = SegmentShape(*meta["shape"])
            if size != shape.end:
                raise DamagedSegment(f"{place}: it has {size} bytes instead of {shape.end}")
            index = file.read(shape.index_bytes)
            if hashlib.sha256(index).hexdigest() != meta["index"]:
                raise DamagedSegment(f"{place}: its index is damaged")
        self._head = head
        count = shape.sentences
        self.keys = np.frombuffer(index, "<u8", 2 * count).reshape(-1, 2)
        self.lengths = np.frombuffer(index, "<i8", count, 16 * count)
        self._sums = np.frombuffer(index, "<u8", -1, 24 * count).reshape(shape.layers, shape.words)

    def map(self) -> mmap.mmap:
        """The file in memory, where it stays readable even if another process removes it."""
        if self._map is None:
            try:
                with open_regular(self.place) as file:
                    if file.read(HEADER) != self._head:
                        raise DamagedSegment(f"{self.place}: it has been replaced")
                    self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except FileNotFoundError:
                raise DamagedSegment(f"{self.place}: it has been removed") from None
        if self._map.size() != self.shape.end:  # reading where a file has been cut off is fatal
            raise DamagedSegment(f"{self.place}: it has been cut off")
        return self._map

    def read(self, layer: int, rows: np.ndarray) -> np.ndarray:
        """The vectors of these words in a layer, as float32, once they have proved whole."""
        shape, mapped = self.shape, self.map()
        everything = np.frombuffer(mapped, shape.dtype, -1, shape.start)
        vectors_of = everything.reshape(shape.layers, shape.words, shape.dimension)[layer]
        result = np.empty((len(rows), shape.dimension), np.float32)
        for start in range(0, len(rows), _ROWS_AT_A_TIME):
            some = rows[start : start + _ROWS_AT_A_TIME]
            vectors = vectors_of[some]
            if not np.array_equal(checksums(vectors), self._sums[layer, some]):
                raise DamagedSegment(f"{self.place}: vectors in it are damaged")
            result[start : start + len(some)] = vectors
            if hasattr(mmap, "MADV_DONTNEED"):  # or all pages that were touched stay in our memory
                mapped.madvise(mmap.MADV_DONTNEED)
        return result


class FeatureIndex:
    """
    The places of sentences in some segments, ordered by their keys.

    # Parameters

    segments : `Sequence[FeatureSegment]`
        A sentence that is in several is taken from the first.
    """

    def __init__(self, segments: Sequence[FeatureSegment]) -> None:
        keys = np.concatenate([np.empty((0, 2), np.uint64), *(s.keys for s in segments)])
        firsts = [np.cumsum(s.lengths) - s.lengths for s in segments]
        counts = [len(s.keys) for s in segments]
        order = np.argsort(keys[:, 0], kind="stable")
        self._keys = keys[order]
        self._row_of = np.concatenate([np.empty(0, np.int64), *firsts])[order]
        self._segment_of = np.repeat(np.arange(len(segments)), counts)[order]

    def find(self, sentences: Sequence["Words"]) -> tuple[np.ndarray, np.ndarray]:
        """For each sentence the number of its segment, −1 if there is none, and its first row."""
        # Many words of a task are in the same sentence, whose key is computed once.
        distinct = {sentence: number for number, sentence in enumerate(dict.fromkeys(sentences))}
        segments, rows = self._find_distinct(list(distinct))
        numbers = [distinct[sentence] for sentence in sentences]
        return segments[numbers], rows[numbers]

    def _find_distinct(self, sentences: Sequence["Words"]) -> tuple[np.ndarray, np.ndarray]:
        segments, rows = np.full(len(sentences), -1), np.zeros(len(sentences), np.int64)
        if len(sentences) and len(self._keys):
            keys = sentence_keys(sentences)
            # Of two sentences with the same first half of a key, one is not found: no harm but time.
            places = np.searchsorted(self._keys[:, 0], keys[:, 0])
            places[places == len(self._keys)] = 0
            found = (self._keys[places] == keys).all(axis=1)
            segments[found] = self._segment_of[places[found]]
            rows[found] = self._row_of[places[found]]
        return segments, rows


def _reserve(file: BinaryIO, size: int, place: Path) -> None:
    try:
        reserve(file, size)
    except OSError as error:
        raise OSError(
            f"{place.parent}: the features need {size / 1e6:,.0f} MB there: {error}. "
            "`linspector probe-cache` shows what can go; LINSPECTOR_CACHE names another folder."
        ) from error
