"""The content of a store of word vectors, mapped into memory; what is read from it has proved whole."""

import mmap
import os
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from linspector_allennlp.io.hashing import checksums, hash_keys
from linspector_allennlp.io.regular import open_regular
from linspector_allennlp.representations.vector_files.vector_store_layout import (
    FRAME,
    StoreFiles,
    sections_of,
)

FileId = tuple[int, int]
"""The device and the inode: another one for each file that is made while this one is mapped."""

_BLOCK = 512  # rows copied before the memory of their pages is given back


class DamagedStore(ValueError):
    """A store that is not as it was written."""


class StoreContent:
    """
    The store at a place; `ValueError` if it is none that fits its source. Its header is checked at
    once, its index (all but the vectors) when it is first needed, a vector whenever it is read.
    """

    def __init__(self, files: StoreFiles, place: Path) -> None:
        with open_regular(place) as file:
            status, meta = os.fstat(file.fileno()), FRAME.unpack(file.read(FRAME.size))
            if meta["source"] != files.stamp:
                raise ValueError(f"{files.source} has changed")
            sections = sections_of(*meta["shape"])
            self._size = sections["end"][0]
            if status.st_size != self._size:
                raise ValueError(f"it has {status.st_size} bytes instead of {self._size}")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.place, self.fingerprint = place, meta["fingerprint"]
        self.file_id: FileId = status.st_dev, status.st_ino
        self.length, self.dimension, _ = meta["shape"]
        self._arrays = {
            name: np.frombuffer(self._map, dtype, count, start)
            for name, (start, dtype, count) in sections.items()
        }
        self._matrix = self._arrays["matrix"].reshape(self.length, self.dimension)
        self._index_start, self._text_start = sections["hashes"][0], sections["words"][0]
        self._crc, self._index_is_whole = meta["index"], False

    def _section(self, name: str) -> np.ndarray:
        """A section of the index."""
        if self._map.size() != self._size:  # reading where a file has been cut off is fatal
            raise DamagedStore(f"{self.place}: it has been cut off")
        if not self._index_is_whole:
            with memoryview(self._map) as content:
                if zlib.crc32(content[self._index_start :]) != self._crc:
                    raise DamagedStore(f"{self.place}: its index is damaged")
            self._index_is_whole = True
        return self._arrays[name]

    @property
    def mean(self) -> np.ndarray:
        return (self._section("sums")[:-1] / self.length).astype(np.float32)

    @property
    def scale(self) -> float:
        return float(np.sqrt(self._section("sums")[-1] / self._matrix.size))

    def words(self) -> Iterator[bytes]:
        """The words by row."""
        offsets = self._section("offsets")
        return (self._word(offsets, row) for row in range(self.length))

    def _word(self, offsets: np.ndarray, row: int) -> bytes:
        start, end = offsets[row : row + 2].tolist()
        return self._map[self._text_start + start : self._text_start + end]

    def rows(self, words: Sequence[bytes]) -> np.ndarray:
        """The row of each word, -1 where it is unknown."""
        sorted_hashes, row_of, offsets = map(self._section, ("hashes", "rows", "offsets"))
        hashes, rows = hash_keys(words), np.full(len(words), -1, np.int64)
        places, pending = np.searchsorted(sorted_hashes, hashes), np.arange(len(words))
        while len(pending):  # once, and again for each word of the same hash
            pending = pending[places[pending] < self.length]
            pending = pending[sorted_hashes[places[pending]] == hashes[pending]]
            found = row_of[places[pending]]
            pairs = zip(found.tolist(), pending.tolist(), strict=True)
            same = np.array([self._word(offsets, row) == words[i] for row, i in pairs], bool)
            rows[pending[same]] = found[same]
            pending, places = pending[~same], places + 1
        return rows

    def vectors(self, rows: np.ndarray) -> np.ndarray:
        """A copy of these rows, float32."""
        sums = self._section("checksums")
        order, vectors = np.argsort(rows), np.empty((len(rows), self.dimension), np.float32)
        for block in np.split(order, range(_BLOCK, len(rows), _BLOCK)):
            some = self._matrix[rows[block]]
            if not np.array_equal(checksums(some), sums[rows[block]]):
                raise DamagedStore(f"{self.place}: vectors in it are damaged")
            vectors[block] = some
            if hasattr(mmap, "MADV_DONTNEED"):  # or all pages around those stay in our memory
                self._map.madvise(mmap.MADV_DONTNEED, 0, FRAME.size + self._matrix.nbytes)
        return vectors
