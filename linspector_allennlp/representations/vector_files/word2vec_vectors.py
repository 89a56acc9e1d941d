"""Reads word vectors from the binary files of word2vec chunk by chunk."""

import logging
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import IO, NamedTuple

import numpy as np

from linspector_allennlp.io.hashing_reader import opened_hashed
from linspector_allennlp.io.unpacked import GZIP_ERRORS
from linspector_allennlp.representations.vector_files.array_vectors import (
    check_dimension,
    finite,
    rows_at_a_time,
)
from linspector_allennlp.representations.vector_files.spaces_in_words import (
    LONGEST_REST,
    strange_rows,
    word_with_space,
)

logger = logging.getLogger(__name__)

WORD2VEC_HEADER = re.compile(rb"(\d{1,18})[ \t]+(\d{1,18})[ \t]*\r?\n")
_BLOCK = 1 << 20  # bytes read at a time
_LONGEST_WORD = 1 << 16
_FETCH = "Is it a truncated download? Fetch it again"
_SPACES = "This format cannot hold such words: save the vectors as text"
_SPACE = "Does a word contain a space, which this format cannot hold? Then save the vectors as text"


class _Row(NamedTuple):
    word: bytes
    vector: bytes
    following: bytes
    """Some bytes of the next row."""


class Word2VecVectors:
    """
    Word vectors in a binary file of word2vec, plain or gzip: a line `ROWS DIMENSION`, then for each
    row the word, a space, the numbers (float32, little-endian) and, in some files, a newline.
    `fingerprint`, the SHA-256 of the file as it lies on the disk, is known when `chunks` has ended.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.fingerprint: str | None = None
        with opened_hashed(self.path, quiet=True) as (file, raw):
            opening = self._read(file, 100)
            packed = raw is not getattr(file, "raw", None)
        if not (header := WORD2VEC_HEADER.match(opening)):
            raise self._error("a first line ROWS DIMENSION", repr(opening[:20]), _FETCH)
        self.announced_rows, self.dimension = map(int, header.groups())
        self._start = header.end()
        # gzip makes nothing smaller than a thousandth.
        possible = os.path.getsize(self.path) * (1100 if packed else 1)
        if not 0 < self.announced_rows * self.dimension * 4 < possible:
            rows = f"{self.announced_rows} rows of {self.dimension} numbers as line 1 has it"
            raise self._error(rows, f"only {os.path.getsize(self.path)} bytes", _FETCH)
        check_dimension(f"{self.path}, line 1", self.dimension)

    def chunks(self, rows: int = 4096) -> Iterator[tuple[list[bytes], np.ndarray]]:
        """Words and vectors (float32), at most `rows` at a time. Memory is bounded by the chunk."""
        rows, found = rows_at_a_time(rows, self.dimension), 0
        with opened_hashed(self.path) as (file, raw):
            self._read(file, self._start)
            read, strange = self._rows(file), Counter[str]()
            while chunk := list(islice(read, rows)):
                words = [row.word for row in chunk]
                numbers = np.frombuffer(b"".join(row.vector for row in chunk), "<f4")
                matrix = numbers.reshape(len(words), -1)
                for i in strange_rows(matrix):
                    self._check_space(found + i + 1, chunk[i])
                    strange[repr(words[i][:40].decode(errors="replace"))] += 1
                yield words, finite(self.path, words, matrix, found)
                found += len(words)
            self.fingerprint = raw.sha256.hexdigest()
        if strange:
            logger.warning(
                "%s: %d words have numbers of an unusual size, such as %s. Is the file whole?",
                self.path, strange.total(), next(iter(strange)),
            )  # fmt: skip

    def _check_space(self, row: int, read: "_Row") -> None:
        if word := word_with_space(*read):
            found = repr(word.decode(errors="replace"))
            raise self._error(f"a word without a space in row {row}", found, _SPACES)

    def _rows(self, file: IO[bytes]) -> Iterator["_Row"]:
        """The rows one by one; `data[start:]` is what is not yet used."""
        data, start, width, ended = b"", 0, 4 * self.dimension, False
        for row in range(self.announced_rows):
            while True:
                space = data.find(b" ", start)
                end = space + 1 + width
                if space >= 0 and len(data) >= end + (0 if ended else LONGEST_REST):
                    break
                if space < 0 and len(data) - start > _LONGEST_WORD:
                    raise self._error(
                        f"a word and a space in row {row + 1}",
                        f"no space in {len(data) - start} bytes",
                        _SPACE,
                    )
                if ended:
                    raise self._error(
                        f"{self.announced_rows} rows as line 1 has it", f"{row} whole ones", _FETCH
                    )
                ended = not (block := self._read(file, _BLOCK))
                data, start = data[start:] + block, 0
            following = data[end : end + LONGEST_REST]
            yield _Row(data[start:space].lstrip(b"\n"), data[space + 1 : end], following)
            start = end
        if rest := (data[start:] + self._read(file, _BLOCK)).strip():
            raise self._error(
                f"the end after {self.announced_rows} rows", f"{len(rest)} bytes more", _SPACE
            )

    def _read(self, file: IO[bytes], count: int) -> bytes:
        try:
            return file.read(count)
        except GZIP_ERRORS as error:
            raise self._error("gzip data", str(error), _FETCH) from error

    def _error(self, expected: str, found: str, todo: str) -> ValueError:
        return ValueError(
            f"{self.path}, a word2vec binary: expected {expected}; found {found}. {todo}."
        )
