"""Reading within bounds: what is packed in a file, and lines, of which one may be a whole bomb."""

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from typing import IO, Any, cast

from linspector_allennlp.io.regular import PathLike

GZIP_ERRORS = EOFError, gzip.BadGzipFile, zlib.error
GZIP_MAGIC = b"\x1f\x8b"

LONGEST_LINE = 1 << 24
"""Bytes of a line: a million numbers as text have room in it."""

FREE_BYTES = 1 << 30
MOST_TIMES = 200
"""What is unpacked may have so many bytes, and beyond them be so many times as large as its file. Text is
10 times as large, tables of paradigms 30 times."""

_BLOCK = 1 << 20  # bytes read at a time


class Unpacked(io.RawIOBase):
    """
    What is in a file of gzip; an error where that is more than any text or vectors would be. Where the
    data are damaged, one of `GZIP_ERRORS`.

    # Parameters

    file : `IO[bytes]`
        Closed with this one.
    path : `PathLike`
        For errors.
    """

    def __init__(self, file: IO[bytes], path: PathLike) -> None:
        self._file, self._path, self._read = file, path, 0
        self._gzip = gzip.GzipFile(fileobj=cast(Any, file))
        status = os.fstat(file.fileno())
        # Of standard input the size is not known, nor is it kept.
        self._most = max(FREE_BYTES, MOST_TIMES * status.st_size)
        if not stat.S_ISREG(status.st_mode):
            self._most = 1 << 62

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._gzip.readinto(buffer)
        self._read += count
        if self._read > self._most:
            raise ValueError(
                f"{os.fspath(self._path)}: expected at most {self._most:,} bytes when it is unpacked, "
                f"{MOST_TIMES} times its size; found more. Unpack it yourself if it is right."
            )
        return count

    def close(self) -> None:
        try:
            self._gzip.close()
            self._file.close()
        finally:
            super().close()


def unpacked(file: IO[bytes], path: PathLike) -> IO[bytes]:
    """What is in an open file of gzip; see `Unpacked`."""
    return io.BufferedReader(Unpacked(file, path), _BLOCK)


class TooLongLine(ValueError):
    """A line of more than `LONGEST_LINE` bytes; its number among those given is `line`."""

    def __init__(self, line: int) -> None:
        super().__init__(f"a line of more than {LONGEST_LINE:,} bytes")
        self.line = line


def line_blocks(file: IO[bytes]) -> Iterator[list[bytes]]:
    """The lines of a file with their ends, about a megabyte at a time; only a line feed ends a line."""
    rest, number = b"", 0
    while block := file.read(_BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        number += len(lines)
        if len(rest) > LONGEST_LINE:
            raise TooLongLine(number + 1)
        if lines:
            yield [line + b"\n" for line in lines]
    if rest:
        yield [rest]
