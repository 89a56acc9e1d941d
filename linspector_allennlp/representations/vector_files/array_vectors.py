"""
Vectors that lie in arrays rather than in lines of text, and the words of a matrix that has none itself:
a text file with one word a line.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Optional

import numpy as np
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike, sha256
from linspector_allennlp.io.lines import raw_lines

_SUFFIXES = ".txt", ".vocab", ".words"
LARGEST_DIMENSION = 1_000_000
_AT_A_TIME = 1 << 24  # numbers
_WORD_AND_NUMBER = re.compile(rb".*\S[ \t]+[+-]?[\d.]+(e[+-]?\d+)?", re.IGNORECASE)


class ArrayVectors:
    """
    The base of files that hold their vectors as arrays. A subclass sets `dimension`, `num_rows` and
    `files` (all files whose content counts), and implements `blocks`.

    `fingerprint` is known when `chunks` has ended: the SHA-256 of the file or, if there are several,
    that of their SHA-256s in hexadecimal.
    """

    dimension: int
    num_rows: int

    def __init__(self, path: PathLike) -> None:
        self.path = os.fspath(path)
        self.files = [self.path]
        self.fingerprint: str | None = None

    def words_from_list(self, words: Optional[PathLike]) -> list[bytes]:
        """The words of the rows, from the file that a setting names or that lies beside."""
        word_list = choose_word_list(self.path, words)
        self.files.append(word_list)
        return read_word_list(word_list, self.path, self.num_rows)

    def blocks(self, rows: int) -> Iterator[tuple[list[bytes], np.ndarray]]:
        """Words and vectors of any floating-point type, at most `rows` at a time."""
        raise NotImplementedError

    def chunks(self, rows: int = 4096) -> Iterator[tuple[list[bytes], np.ndarray]]:
        """Words and vectors (float32), at most `rows` at a time."""
        rows, found = rows_at_a_time(rows, self.dimension), 0
        name = os.path.basename(self.path)
        with Tqdm.tqdm(total=self.num_rows, desc=name, unit="words", unit_scale=True) as bar:
            for words, block in self.blocks(rows):
                yield words, finite(self.path, words, block, found)
                found += len(words)
                bar.update(len(words))
        digests = [sha256(file) for file in self.files]
        self.fingerprint = digests[0]
        if len(digests) > 1:
            self.fingerprint = hashlib.sha256("".join(digests).encode()).hexdigest()


def finite(path: str, words: Sequence[bytes], block: np.ndarray, first: int) -> np.ndarray:
    """The block as float32; an error where one of its numbers is none. `first` is its first row."""
    with np.errstate(over="ignore"):
        vectors = np.ascontiguousarray(block, np.float32)
    for i in np.flatnonzero(~np.isfinite(vectors).all(axis=1))[:1]:
        found = block[i][~np.isfinite(vectors[i])][0]
        raise ValueError(
            f"{path}, row {first + i + 1}, word {words[i].decode(errors='replace')!r}: expected "
            f"numbers that are finite as float32; found {found}. Repair it or fetch it again."
        )
    return vectors


def check_shape(where: str, shape: Sequence[int]) -> None:
    """Refuses what is no matrix of vectors."""
    if len(shape) != 2 or not all(shape):
        raise ValueError(
            f"{where}: expected a matrix with a row for each word; found an array of the shape "
            f"{tuple(shape)}. Save the vectors alone."
        )
    check_dimension(where, shape[1])


def check_dimension(where: str, dimension: int) -> None:
    """Refuses vectors that are longer than any are, before there is room made for them."""
    if not 0 < dimension <= LARGEST_DIMENSION:
        raise ValueError(
            f"{where}: expected vectors of 1 to {LARGEST_DIMENSION:,} numbers; found {dimension:,}. "
            "Save the vectors alone, with a row for each word."
        )


def rows_at_a_time(rows: int, dimension: int) -> int:
    """At most so many rows, and not more numbers than have room in memory."""
    return max(1, min(rows, _AT_A_TIME // dimension))


def check_type(where: str, name: str) -> None:
    """Refuses numbers of other types, such as the integers of a table of counts."""
    if name not in ("float16", "float32", "float64"):
        raise ValueError(
            f"{where}: expected numbers of the type float16, float32 or float64; found {name}. "
            "Save them anew as float32."
        )


def slices(
    words: list[bytes], matrix: np.ndarray, rows: int
) -> Iterator[tuple[list[bytes], np.ndarray]]:
    """Words and rows of a matrix that may be on the disk, at most `rows` at a time."""
    for start in range(0, len(words), rows):
        some = words[start : start + rows]
        yield some, matrix[start : start + len(some)]


def stacked(
    path: str, words: list[bytes], vector_of: Callable[[bytes], Any], rows: int
) -> Iterator[tuple[list[bytes], np.ndarray]]:
    """
    Words and the vectors that lie alone under them, at most `rows` at a time. These may be on the disk,
    where they stay if they are of another shape than the first.
    """
    shape = vector_of(words[0]).shape
    check_shape(path, (len(words), *shape))
    for start in range(0, len(words), rows):
        some = words[start : start + rows]
        vectors = [vector_of(word) for word in some]
        for word, vector in zip(some, vectors):
            if vector.shape != shape:
                raise ValueError(
                    f"{path}, word {word.decode(errors='replace')!r}: expected a vector of the "
                    f"shape {shape} as the first has; found {vector.shape}."
                )
        yield some, np.stack([vector[()] for vector in vectors])


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
    lines = [raw.rstrip(b"\r\n") for _, raw in raw_lines(path)]
    while lines and not lines[-1].strip():
        lines.pop()
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
