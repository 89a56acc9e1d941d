"""The words of a matrix that has none itself: a text file with one word a line."""

import os
import re
from pathlib import Path
from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike, open_bytes
from linspector_allennlp.representations.vector_files.hashed_file import GZIP_ERRORS

_SUFFIXES = ".txt", ".vocab", ".words"
_WORD_AND_NUMBER = re.compile(rb".*\S[ \t]+[+-]?[\d.]+(e[+-]?\d+)?", re.IGNORECASE)


def word_lists_beside(path: PathLike) -> list[Path]:
    """The files that may be the word list of a matrix."""
    path = Path(path)
    candidates = [path.with_suffix(suffix) for suffix in _SUFFIXES]
    return [candidate for candidate in candidates if candidate != path and candidate.is_file()]


def choose_word_list(path: PathLike, words: Optional[PathLike]) -> str:
    """The word list that a setting names or, without it, the one that lies beside the matrix."""
    if words is not None:
        return os.fspath(words)
    found = word_lists_beside(path)
    if len(found) != 1:
        raise ConfigurationError(
            f"{path} has vectors but no words: expected one file with a word a line beside it, "
            f"named {Path(path).stem}{' or '.join(_SUFFIXES)}; found "
            f'{" and ".join(file.name for file in found) or "none"}. Set "words" to its path.'
        )
    return os.fspath(found[0])


def read_word_list(path: str, matrix: str, num_rows: int) -> list[bytes]:
    """The words for the rows of a matrix, as many as it has."""
    try:
        with open_bytes(path) as file:
            lines = [line.rstrip(b"\r\n") for line in file]
    except GZIP_ERRORS as error:
        raise ValueError(
            f"{path}: expected gzip data; found {error}. Is it a truncated download? Fetch it again."
        ) from error
    while lines and not lines[-1].strip():
        lines.pop()
    if lines:
        lines[0] = lines[0].removeprefix(b"\xef\xbb\xbf")
    _check_lines(path, lines)
    check_count(path, len(lines), matrix, num_rows)
    return lines


def check_count(words: str, num_words: int, matrix: str, num_rows: int) -> None:
    """Words and vectors must be as many."""
    if num_words != num_rows:
        raise ValueError(
            f"{words}: expected {num_rows} words, one for each row of {matrix}; found {num_words}. "
            "Do the two belong together?"
        )


def has_its_words(path: PathLike, words: PathLike) -> ConfigurationError:
    """The error where a word list is named for a file that needs none."""
    return ConfigurationError(
        f'words: expected no word list, as {path} has its own words; found {words}. Leave "words" '
        "out."
    )


def _check_lines(path: str, lines: list[bytes]) -> None:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            raise ValueError(
                f"{path}, line {number}: expected a word; found a blank line. Repair it, so that "
                "each row has its word."
            )
    # One word may end in a number, as `Route 66`; where all do, they are counts or vectors.
    if lines and all(map(_WORD_AND_NUMBER.fullmatch, lines[:100])):
        raise ValueError(
            f"{path}, line 1: expected nothing but a word on each line; found "
            f"{lines[0][:40].decode(errors='replace')!r}. Leave the numbers out."
        )
