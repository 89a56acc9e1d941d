"""Reads word vectors from the binary files of word2vec chunk by chunk."""

import os
import re
from collections.abc import Iterator
from itertools import islice
from typing import IO

import numpy as np

from linspector_allennlp.io.hashing_reader import GZIP_ERRORS, opened_hashed
from linspector_allennlp.representations.vector_files.array_vectors import finite

WORD2VEC_HEADER = re.compile(rb"(\d+)[ \t]+(\d+)[ \t]*\r?\n")
_BLOCK = 1 << 20  # bytes read at a time
_LONGEST_WORD = 1 << 16
_FETCH = "Is it a truncated download? Fetch it again"
_SPACE = "Does a word contain a space, which this format cannot hold? Then save the vectors as text"


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

    def chunks(self, rows: int = 4096) -> Iterator[tuple[list[bytes], np.ndarray]]:
        """Words and vectors (float32), at most `rows` at a time. Memory is bounded by the chunk."""
        found = 0
        with opened_hashed(self.path) as (file, raw):
            self._read(file, self._start)
            pairs = self._pairs(file)
            while chunk := list(islice(pairs, rows)):
                words = [word for word, _ in chunk]
                numbers = np.frombuffer(b"".join(vector for _, vector in chunk), "<f4")
                yield words, finite(self.path, words, numbers.reshape(len(words), -1), found)
                found += len(words)
            self.fingerprint = raw.sha256.hexdigest()

    def _pairs(self, file: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Each word and the bytes of its vector; `data[start:]` is what is not yet used."""
        data, start, width = b"", 0, 4 * self.dimension
        for row in range(self.announced_rows):
            while (space := data.find(b" ", start)) < 0 or len(data) <= space + width:
                if space < 0 and len(data) - start > _LONGEST_WORD:
                    raise self._error(
                        f"a word and a space in row {row + 1}",
                        f"no space in {len(data) - start} bytes",
                        _SPACE,
                    )
                if not (block := self._read(file, _BLOCK)):
                    raise self._error(
                        f"{self.announced_rows} rows as line 1 has it", f"{row} whole ones", _FETCH
                    )
                data, start = data[start:] + block, 0
            yield data[start:space].lstrip(b"\n"), data[space + 1 : space + 1 + width]
            start = space + 1 + width
        if rest := (data[start:] + self._read(file, -1)).strip():
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
