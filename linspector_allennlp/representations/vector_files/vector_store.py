"""Word vectors in one memory-mapped file, made from their source when that is first opened."""

import logging
import mmap
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from linspector_allennlp.io.files import PathLike, replacing
from linspector_allennlp.io.hashing import hash_keys
from linspector_allennlp.io.locks import exclusively
from linspector_allennlp.representations.vector_files.vector_sources import open_vectors
from linspector_allennlp.representations.vector_files.vector_store_layout import (
    FRAME,
    StoreFiles,
    sections_of,
    write_store,
)

logger = logging.getLogger(__name__)

_BLOCK = 512  # rows copied before the memory of their pages is given back


class VectorStore:
    """
    The vectors of a file (see `open_vectors`), of which only those asked for are read. Get it by
    `VectorStore.open`, which makes the store file when there is none, or none that fits the source.

    `fingerprint` is the SHA-256 of the source (and of what belongs to it, such as a word list),
    `mean` the mean vector, and `scale` the root mean square of all components.
    """

    def __init__(self, files: StoreFiles, place: Path) -> None:
        with open(place, "rb") as file:
            size, meta = os.fstat(file.fileno()).st_size, FRAME.unpack(file.read(FRAME.size))
            if meta["source"] != files.stamp:
                raise ValueError(f"{files.source} has changed")
            sections = sections_of(*meta["shape"])
            if size != sections["end"][0]:
                raise ValueError(f"it has {size} bytes instead of {sections['end'][0]}")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.path, self.fingerprint = files.source, meta["fingerprint"]
        self._files = files
        arrays = {
            name: np.frombuffer(self._map, dtype, count, start)
            for name, (start, dtype, count) in sections.items()
        }
        self._length, self.dimension, _ = meta["shape"]
        self._matrix = arrays["matrix"].reshape(self._length, self.dimension)
        self._hashes, self._row_of = arrays["hashes"], arrays["rows"]
        self._offsets, self._text = arrays["offsets"], sections["words"][0]
        self.mean = (arrays["sums"][:-1] / self._length).astype(np.float32)
        self.scale = float(np.sqrt(arrays["sums"][-1] / self._matrix.size))

    @classmethod
    def open(cls, path: PathLike, words: PathLike | None = None) -> "VectorStore":
        """
        The store of a file of vectors: beside it or, where that cannot be written, in the cache.
        `words` is the word list of a matrix that has none.
        """
        files, failures = StoreFiles(path, words), []
        for place in files.places:
            if store := cls._mapped(files, place):
                return store
        vectors = open_vectors(files.source, files.words)
        for place in files.places:
            try:
                with exclusively(place, keep_lock=False):
                    if store := cls._mapped(files, place):  # another process made it
                        return store
                    with replacing(place) as temporary, open(temporary, "wb") as file:
                        write_store(file, vectors, files.stamp)
                    logger.info("the vectors of %s are now in %s", vectors.path, place)
                    return cls(files, place)
            except OSError as error:
                logger.warning(
                    "the vectors of %s cannot be kept in %s: %s", vectors.path, place, error
                )
                failures.append(f"{place} ({error})")
        raise OSError(
            f"{vectors.path}: its vectors can be kept neither in {' nor in '.join(failures)}. "
            "Set LINSPECTOR_CACHE to a folder that can be written and has room for them."
        )

    @classmethod
    def _mapped(cls, files: StoreFiles, place: Path) -> "VectorStore | None":
        try:
            return cls(files, place)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            logger.info("%s cannot be used: %s", place, error)
            return None

    def __len__(self) -> int:
        return self._length

    def __contains__(self, word: str) -> bool:
        return bool(self.rows([word])[0] >= 0)

    def words(self) -> Iterator[str]:
        """The words by row; what is not UTF-8 in them is replaced."""
        for row in range(self._length):
            yield self._word(row).decode("utf-8", "replace")

    def _word(self, row: int) -> bytes:
        start, end = self._offsets[row : row + 2].tolist()
        return self._map[self._text + start : self._text + end]

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """The row of each word, -1 where it is unknown."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        hashes, rows = hash_keys(encoded), np.full(len(words), -1, np.int64)
        places, pending = np.searchsorted(self._hashes, hashes), np.arange(len(words))
        while len(pending):  # once, and again for each word of the same hash
            pending = pending[places[pending] < self._length]
            pending = pending[self._hashes[places[pending]] == hashes[pending]]
            found = self._row_of[places[pending]]
            pairs = zip(found.tolist(), pending.tolist(), strict=True)
            same = np.array([self._word(row) == encoded[i] for row, i in pairs], bool)
            rows[pending[same]] = found[same]
            pending, places = pending[~same], places + 1
        return rows

    def vectors(self, rows: np.ndarray) -> np.ndarray:
        """A copy of these rows, float32."""
        rows = np.asarray(rows, np.int64)
        if rows.size and not 0 <= rows.min() <= rows.max() < self._length:
            raise IndexError(f"expected rows from 0 to {self._length - 1}; -1 is an unknown word")
        order, vectors = np.argsort(rows), np.empty((len(rows), self.dimension), np.float32)
        for block in np.split(order, range(_BLOCK, len(rows), _BLOCK)):
            vectors[block] = self._matrix[rows[block]]
            if hasattr(mmap, "MADV_DONTNEED"):  # or all pages around those stay in our memory
                self._map.madvise(mmap.MADV_DONTNEED, 0, FRAME.size + self._matrix.nbytes)
        return vectors

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).open, (self._files.source, self._files.words)
