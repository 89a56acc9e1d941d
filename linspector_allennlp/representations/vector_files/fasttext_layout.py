"""The layout of fastText's own model files, `.bin`, on the disk."""

import mmap
import struct
from typing import Any, NamedTuple

import numpy as np

_MAGIC = 793712314
_NEWEST_VERSION = 12
_SUPERVISED = 3  # of `model` in the header: a model for classification
_LARGEST_DIMENSION = 100_000  # letters, read as the first number of a header, are far above it
_ENTRY_END = 10  # bytes that follow a word: 0, its count, its type
_FETCH = "Is it a truncated download? Fetch it again"


class FastTextHeader(NamedTuple):
    """The settings that a model was trained with, in the order of the file."""

    dimension: int
    window: int
    epochs: int
    min_count: int
    negative: int
    word_ngrams: int
    loss: int
    model: int
    buckets: int
    shortest: int
    longest: int
    rate_update: int
    threshold: float


class FastTextLayout:
    """
    Finds everything in the content of a fastText model. Files of all versions are read, also those
    from before 2017, which have no version. The labels of models for classification are left out.

    # Parameters

    content : `mmap.mmap`
    path : `str`
        As an error should name it.
    """

    header: FastTextHeader
    word_starts: np.ndarray
    """The byte at which each word begins; it ends before the next byte 0."""
    matrix_start: int
    """The first byte of the rows of all words, then those of all buckets for n-grams; float32."""
    has_subwords: bool

    def __init__(self, content: mmap.mmap, path: str) -> None:
        self._content, self._path, self._position = content, path, 0
        is_new = self._begins_with_magic()
        version = self._take("<ii")[1] if is_new else 0
        if version > _NEWEST_VERSION:
            raise self._error(f"version {version}", f"Save it as version {_NEWEST_VERSION}")
        self.header = header = FastTextHeader(*self._take("<12id"))
        if header.dimension < 1 or min(header.buckets, header.shortest, header.longest) < 0:
            raise self._error(f"a damaged header: {header}", _FETCH)
        self.word_starts = self._read_dictionary(is_new)
        if is_new and self._take("<?")[0]:
            raise self._error("a quantised one (.ftz)", "Take the .bin that it was made from")
        self.has_subwords = self._uses_subwords(version)
        shape = len(self.word_starts) + header.buckets, header.dimension
        self.matrix_start = self._pass_matrix(shape)
        if is_new:
            self._take("<?")
        self._pass_matrix()  # the output layer: nobody needs it, but a whole file has it

    def _begins_with_magic(self) -> bool:
        start = self._content[:64]
        if start.startswith((b"\x1f\x8b", b"PK\x03\x04")):
            raise self._error("a packed file", "Unpack it, with gunzip or unzip")
        (first,) = self._take("<i")
        self._position = 0
        if first != _MAGIC and not 0 < first <= _LARGEST_DIMENSION:
            line = start.split(b"\n")[0].decode(errors="replace")
            todo = 'Vectors in text or word2vec files have the representation "word_vectors"'
            raise self._error(f"a file that begins with {line!r}", todo)
        return bool(first == _MAGIC)

    def _uses_subwords(self, version: int) -> bool:
        # These had none up to version 11, whatever their header says.
        if version < _NEWEST_VERSION and self.header.model == _SUPERVISED:
            return False
        return self.header.buckets > 0 and self.header.longest >= max(1, self.header.shortest)

    def _read_dictionary(self, is_new: bool) -> np.ndarray:
        num_entries, num_words, _, _ = self._take("<3iq")
        num_pruned = self._take("<q")[0] if is_new else 0
        if num_words < 1 or num_words > num_entries:
            raise self._error(f"{num_words} words in a dictionary of {num_entries}", _FETCH)
        if self._position + num_entries * _ENTRY_END > len(self._content):
            raise self._ended()
        starts = np.empty(num_words, dtype=np.int64)
        content, start, word = self._content, self._position, 0
        for _ in range(num_entries):
            zero = content.find(b"\0", start)
            end = zero + _ENTRY_END
            if zero < 0 or end > len(content):
                raise self._ended()
            is_label = content[end - 1]
            if is_label > 1 or (word == num_words and not is_label):
                raise self._error(f"a damaged dictionary at byte {start}", _FETCH)
            if not is_label:
                starts[word] = start
                word += 1
            start = end
        if word < num_words:
            raise self._error(f"{word} words instead of {num_words}", _FETCH)
        self._position = start + 8 * max(0, num_pruned)  # only quantised files have these
        return starts

    def _pass_matrix(self, expected: tuple[int, int] | None = None) -> int:
        """The position of a matrix's first number."""
        shape = self._take("<2q")
        if min(shape) < 0 or (expected and shape != expected):
            raise self._error(f"a matrix of {shape} instead of {expected or 'outputs'}", _FETCH)
        start = self._position
        self._position += 4 * shape[0] * shape[1]
        self._check_length()
        return start

    def _take(self, layout: str) -> tuple[Any, ...]:
        start, self._position = self._position, self._position + struct.calcsize(layout)
        self._check_length()
        return struct.unpack_from(layout, self._content, start)

    def _check_length(self) -> None:
        if self._position > len(self._content):
            raise self._ended()

    def _ended(self) -> ValueError:
        return self._error(f"the end of the file after {len(self._content)} bytes", _FETCH)

    def _error(self, found: str, todo: str) -> ValueError:
        return ValueError(f"{self._path}: expected a fastText model (.bin); found {found}. {todo}.")
