"""Word vectors in a NumPy file, with their words in a text file."""

import os
from collections.abc import Iterator
from typing import Optional

import numpy as np

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.vector_files.array_vectors import (
    ArrayVectors,
    check_shape,
    check_type,
    slices,
)


class NumpyVectors(ArrayVectors):
    """
    A matrix in a `.npy` file, a row for each word, and a text file with one word a line. The
    matrix is mapped into memory, not loaded.
    """

    def __init__(self, path: PathLike, words: Optional[PathLike] = None) -> None:
        super().__init__(path)
        self._matrix = map_matrix(self.path)
        self.num_rows, self.dimension = self._matrix.shape
        self._words = self.words_from_list(words)

    def blocks(self, rows: int) -> Iterator[tuple[list[bytes], np.ndarray]]:
        return slices(self._words, self._matrix, rows)


def map_matrix(path: str) -> np.ndarray:
    """The matrix of vectors in a `.npy` file, memory-mapped."""
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise ValueError(
            f"{path}: expected a whole NumPy array of numbers; found {os.path.getsize(path)} bytes "
            f"of which NumPy says: {str(error).rstrip('.')}. Save or fetch it again."
        ) from error
    check_type(path, matrix.dtype.name)
    check_shape(path, matrix.shape)
    return matrix
