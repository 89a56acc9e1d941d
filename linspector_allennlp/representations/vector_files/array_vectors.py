"""What all vectors have in common that lie in arrays rather than in lines of text."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Optional

import numpy as np
from allennlp.common import Tqdm

from linspector_allennlp.io.files import PathLike, sha256
from linspector_allennlp.representations.vector_files.word_list import (
    choose_word_list,
    read_word_list,
)


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
        found = 0
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
    path: str, words: list[bytes], vector_of: Callable[[bytes], np.ndarray], rows: int
) -> Iterator[tuple[list[bytes], np.ndarray]]:
    """Words and the vectors that lie alone under them, at most `rows` at a time."""
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
        yield some, np.stack(vectors)
