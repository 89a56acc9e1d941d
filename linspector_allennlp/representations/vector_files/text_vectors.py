"""Reads word vectors from text files chunk by chunk: word2vec and fastText `.vec`, GloVe `.txt`."""

import logging
import os
import re
from collections.abc import Iterator
from itertools import chain, islice, takewhile

import numpy as np

from linspector_allennlp.io.hashing_reader import opened_hashed
from linspector_allennlp.io.lines import BYTE_ORDER_MARK, whole_number
from linspector_allennlp.io.unpacked import GZIP_ERRORS, TooLongLine, line_blocks
from linspector_allennlp.representations.vector_files.array_vectors import (
    check_dimension,
    rows_at_a_time,
)
from linspector_allennlp.representations.vector_files.decimals import PAD, parse_decimals

logger = logging.getLogger(__name__)

NUMBER = re.compile(rb"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)", re.IGNORECASE)
# A number as only vectors have it, with a point or an exponent; `1984` may be the end of a word.
_COMPONENT = re.compile(rb"[+-]?(\d*\.\d+([eE][+-]?\d+)?|\d+\.?[eE][+-]?\d+)")
_REPAIR, _FETCH = "Repair it or fetch it again", "Is it a truncated download? Fetch it again"
_BLOCK = 16384  # numbers parsed at a time: the temporary arrays stay in the processor's cache


def _trailing_numbers(fields: list[bytes]) -> int:
    return sum(1 for _ in takewhile(NUMBER.fullmatch, reversed(fields)))


def _ends_in_number(word: bytes) -> bool:
    return NUMBER.fullmatch(word.rsplit(b" ", 1)[-1]) is not None


def parse_line(line: bytes, dimension: int) -> tuple[bytes, np.ndarray]:
    """The word and the vector on one line; a `ValueError` says what was found instead."""
    word, *fields = line.rsplit(b" ", dimension)
    if len(fields) < dimension:
        raise ValueError(f"too few: {len(fields)}" + " (a binary file?)" * (b"\0" in line))
    if not word.strip():
        raise ValueError("no word before them")
    pieces = word.split(b" ")
    if len(pieces) > 1 and _COMPONENT.fullmatch(pieces[-1]):
        raise ValueError(f"too many: {dimension + _trailing_numbers(pieces[1:])}")
    with np.errstate(over="ignore"):
        vector = np.array([float(f) if NUMBER.fullmatch(f) else np.nan for f in fields], "f4")
    for i in np.flatnonzero(~np.isfinite(vector)):
        raise ValueError(f"{fields[i][:40].decode(errors='replace')!r}, not a finite number")
    return word, vector


def parse_lines(lines: list[bytes], dimension: int) -> tuple[list[bytes], np.ndarray] | None:
    """Many lines at once, as `parse_line` would do it; `None` if it would raise."""
    text = PAD + b"\n".join(lines) + b"\n"
    characters = np.frombuffer(text, np.uint8)
    separators = np.flatnonzero((characters == ord(" ")) | (characters == ord("\n")))
    newlines = np.flatnonzero(characters[separators] == ord("\n"))
    spaces = np.diff(newlines, prepend=-1) - 1
    if spaces.min() < dimension:
        return None
    # Shape: (lines, dimension + 1), the separators around the numbers
    bounds = separators[newlines[:, None] + np.arange(-dimension, 1)]
    begins = np.append(len(PAD), bounds[:-1, -1] + 1)
    words = [text[a:b] for a, b in zip(begins.tolist(), bounds[:, 0].tolist(), strict=True)]
    for i in np.flatnonzero((spaces > dimension) | (bounds[:, 0] == begins)):
        if not words[i].strip() or _COMPONENT.fullmatch(words[i].rsplit(b" ", 1)[-1]):
            return None
    matrix = np.empty((len(lines), dimension), np.float32)
    step = max(1, _BLOCK // dimension)
    for row in range(0, len(lines), step):
        starts = bounds[row : row + step, :-1].ravel() + 1
        ends = bounds[row : row + step, 1:].ravel()
        numbers, right = parse_decimals(text, starts, ends)
        for i in np.flatnonzero(~right):
            if not NUMBER.fullmatch(token := text[starts[i] : ends[i]]):
                return None
            numbers[i] = float(token)
        with np.errstate(over="ignore"):
            matrix[row : row + step] = numbers.reshape(-1, dimension)
    return (words, matrix) if np.isfinite(matrix).all() else None


class TextVectors:
    """
    Word vectors in a text file, plain or gzip, with or without a header `ROWS DIMENSION`.
    A word is the bytes before the last `dimension` fields of a line, so that it may contain spaces.
    `fingerprint`, the SHA-256 of the file as it lies on the disk, is known when `chunks` has ended.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.announced_rows: int | None = None
        self.fingerprint: str | None = None
        if not os.path.exists(self.path):
            raise FileNotFoundError(f"{self.path}: no such file; expected word vectors as text")
        opening = [line.split(b" ") for line in islice(self._lines(quiet=True), 2)]
        if not opening:
            raise ValueError(f"{self.path}: empty; expected a word and its vector on every line")
        numbers = [_trailing_numbers(fields[1:]) for fields in opening]
        self.dimension = numbers[0]
        if 0 < numbers[-1] < numbers[0]:  # the word of line 1 may end in numbers, as `Route 66`
            decimal = [bool(_COMPONENT.fullmatch(field)) for field in opening[0]]
            if all(decimal[-numbers[-1] :]) and not any(decimal[: -numbers[-1]]):
                self.dimension = numbers[-1]
        one_value = opening[0][1:] != [b"1"] and numbers[1:] == [1]  # on line 2, so no header
        if len(opening[0]) == 2 and all(map(bytes.isdigit, opening[0])) and not one_value:
            rows, dimension = (whole_number(field.decode()) for field in opening[0])
            if rows is None or dimension is None:
                found = f"numbers of {len(opening[0][0])} and {len(opening[0][1])} digits"
                raise self._error(1, "a header ROWS DIMENSION", found)
            self.announced_rows, self.dimension = rows, dimension
        if self.dimension < 1 or self.announced_rows == 0:
            raise self._error(1, "a word and its vector, or a header ROWS DIMENSION", "neither")
        check_dimension(f"{self.path}, line 1", self.dimension)

    def chunks(self, rows: int = 4096) -> Iterator[tuple[list[bytes], np.ndarray]]:
        """Words and vectors (float32), at most `rows` at a time. Memory is bounded by the chunk."""
        lines, found, rows = self._lines(), 0, rows_at_a_time(rows, self.dimension)
        last = len(list(islice(lines, self.announced_rows is not None)))  # the header, if any
        while chunk := list(islice(lines, rows)):
            words, matrix = parse_lines(chunk, self.dimension) or self._line_by_line(
                chunk, last + 1
            )
            self._check_words(words, last + 1)
            yield words, matrix
            found, last = found + len(chunk), last + len(chunk)
        if self.announced_rows is not None and self.announced_rows != found:
            todo = _FETCH if found < self.announced_rows else "Correct the number in line 1"
            raise self._error(
                last, f"{self.announced_rows} rows as line 1 has it", f"{found}", todo
            )

    def _line_by_line(self, lines: list[bytes], first: int) -> tuple[list[bytes], np.ndarray]:
        words, matrix = [b""] * len(lines), np.empty((len(lines), self.dimension), np.float32)
        for i, line in enumerate(lines):
            try:
                words[i], matrix[i] = parse_line(line, self.dimension)
            except ValueError as error:
                source = "line 1" if self.announced_rows is None else "the header in line 1"
                expected = f"a word and {self.dimension} numbers as {source} has it"
                raise self._error(first + i, expected, str(error)) from None
        return words, matrix

    def _check_words(self, words: list[bytes], first: int) -> None:
        """
        Refuses words that all end in numbers, which are the beginnings of their vectors: the header has
        fewer than the lines. Few such words, as `Route 66`, are only named: lines may be damaged.
        """
        ending = [i for i, word in enumerate(words) if b" " in word and _ends_in_number(word)]
        if self.announced_rows is None or not ending:
            return
        line, shown = first + ending[0], words[ending[0]][:40].decode(errors="replace")
        if len(ending) > max(1, len(words) / 2):
            expected = f"a word and {self.dimension} numbers as the header in line 1 has it"
            found = f"{len(ending)} of {len(words)} words that end in a number, as {shown!r}"
            raise self._error(line, expected, found, "Is the DIMENSION in line 1 too small?")
        logger.warning(
            "%s, line %d: the word is %r; if that ends with a number of its vector, repair it (%d such)",
            self.path, line, shown, len(ending),
        )  # fmt: skip

    def _lines(self, quiet: bool = False) -> Iterator[bytes]:
        """The lines without what may trail; tabs are spaces if the first lines have them."""
        number = blank = tabs = whole = 0
        with opened_hashed(self.path, quiet) as (file, raw):
            try:
                file.read(3 * file.peek(3).startswith(BYTE_ORDER_MARK))
                for number, line in enumerate(chain.from_iterable(line_blocks(file)), 1):
                    whole = line.endswith(b"\n")
                    line = line.rstrip(b" \t\r\n")
                    tabs = tabs or (number <= 2 and b"\t" in line)
                    if not line:
                        blank = blank or number
                    elif blank:
                        raise self._error(blank, "a word and its vector", "a blank line")
                    else:
                        yield line.replace(b"\t", b" ") if tabs else line
            except TooLongLine as error:
                found = f"{error} (a binary file?)"
                raise self._error(error.line, "a word and its vector", found) from None
            except GZIP_ERRORS as error:
                raise self._error(number + 1, "gzip data", str(error), _FETCH) from error
            if number and not whole and not quiet:
                logger.warning("%s: the last line does not end. Is the file whole?", self.path)
            self.fingerprint = raw.sha256.hexdigest()

    def _error(self, line: int, expected: str, found: str, todo: str = _REPAIR) -> ValueError:
        return ValueError(f"{self.path}, line {line}: expected {expected}; found {found}. {todo}.")
