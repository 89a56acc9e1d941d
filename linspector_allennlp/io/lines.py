"""The numbered lines of text files as they are found: compressed, from Windows, broken."""

import logging
import os
from collections.abc import Iterator
from typing import IO, Optional

from tqdm import tqdm

from linspector_allennlp.io.files import PathLike, open_bytes
from linspector_allennlp.io.unpacked import GZIP_ERRORS, TooLongLine, line_blocks
from linspector_allennlp.io.visible import visible

logger = logging.getLogger(__name__)

BYTE_ORDER_MARK = "\ufeff".encode()
SHOWN = 5  # of the bad lines
QUOTED = 200  # characters of a line, at most, in an error
_DIGITS = 18  # of a number that fits into 64 bits


class BadLines:
    """
    The lines of a file that cannot be read: the first stops the reading, or they are counted.

    # Parameters

    skip : `bool`
        Whether to go on after a bad line. The first few are logged, all are counted.
    """

    def __init__(self, skip: bool) -> None:
        self.number = 0
        self._skip = skip

    def add(self, error: ValueError) -> None:
        """Raises the error, or counts it."""
        if not self._skip:
            raise error
        self.number += 1
        if self.number <= SHOWN:
            logger.warning("skipped: %s", error)
        if self.number == SHOWN:
            logger.warning("further bad lines are counted, not shown.")


class MalformedLine(ValueError):
    """A line that is not what the format says: where, what was expected, what was found."""

    def __init__(self, path: PathLike, line: int, expected: str, found: str) -> None:
        expected, found = shortened(expected), shortened(found)
        super().__init__(f"{path}, line {line}: expected {expected}, found {found}.")


def shortened(text: str) -> str:
    """A text that may quote a line, for an error: its beginning, if it is long."""
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}… ({len(text):,} characters)"


def whole_number(text: str) -> Optional[int]:
    """The number that plain digits are; `None` if they are none, or more than any count has."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def raw_lines(
    path: PathLike, must_end: bool = False, progress: bool = False
) -> Iterator[tuple[int, bytes]]:
    """
    All lines of a file with their numbers, one at a time, as bytes and with their ends; without a
    byte-order mark. Only a line feed ends a line: other Unicode separators belong to the text.

    # Parameters

    path : `PathLike`
        A file, plain or compressed by gzip.
    must_end : `bool`, optional (default = `False`)
        Whether to warn of a last line that does not end: the file may have been cut off.
    progress : `bool`, optional (default = `False`)
        Whether to show a progress bar.
    """
    first, raw = 1, b"\n"
    size, name = os.path.getsize(path), os.path.basename(path)
    with (
        open_bytes(path) as file,
        tqdm(
            total=size,
            desc=f"reading {visible(name)}",
            unit="B",
            unit_scale=True,
            disable=not progress,
        ) as bar,
    ):
        for block in _blocks(file, path):
            if first == 1:
                block[0] = block[0].removeprefix(BYTE_ORDER_MARK)
            for number, raw in enumerate(block, first):
                yield number, raw
            first += len(block)
            bar.update(sum(map(len, block)))
    if must_end and not raw.endswith(b"\n"):
        logger.warning("%s: the last line does not end. Is the file whole?", path)


def _blocks(file: IO[bytes], path: PathLike) -> Iterator[list[bytes]]:
    """Lines, many at a time: a progress bar that moves with each line is slow."""
    first = 1
    try:
        for block in line_blocks(file):
            yield block
            first += len(block)
    except TooLongLine as error:
        raise MalformedLine(path, error.line, "lines of text", str(error)) from None
    except GZIP_ERRORS as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        found = f"{error} (is it a truncated download?)"
        raise MalformedLine(path, first, "a whole gzip file from here on", found) from error


def decoded(path: PathLike, number: int, raw: bytes) -> str:
    """The text of a line, without its end; there is no NUL in it."""
    if b"\0" in raw:
        raise MalformedLine(path, number, "text", "a character of number 0 (NUL) in it")
    try:
        return raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise MalformedLine(path, number, "UTF-8 text", str(error)) from error


def numbered_lines(
    path: PathLike,
    expected: Optional[str] = None,
    bad: Optional[BadLines] = None,
    blank: Optional[bytes] = None,
    must_end: bool = False,
    progress: bool = False,
) -> Iterator[tuple[int, str]]:
    """
    The lines of a UTF-8 file that are not blank, with their numbers and without their ends, one at
    a time; see `raw_lines`.

    # Parameters

    expected : `str`, optional (default = `None`)
        For an error: what each line has ("a word"). Then blank lines may be at the end of the file
        only; without it they may be anywhere.
    bad : `BadLines`, optional (default = `None`)
        Counts the lines that are not text, and blank ones that should not be there; without it the
        first of them is an error.
    blank : `bytes`, optional (default = `None`)
        The characters that a blank line may have; by default all white space of ASCII.
    """
    bad = bad or BadLines(skip=False)
    gap = 0
    for number, raw in raw_lines(path, must_end, progress):
        if not raw.strip(blank):
            gap = gap or number
            continue
        if gap and expected:
            bad.add(MalformedLine(path, gap, expected, "a blank line"))
        gap = 0
        try:
            text = decoded(path, number, raw)
        except MalformedLine as error:
            bad.add(error)
            continue
        yield number, text
