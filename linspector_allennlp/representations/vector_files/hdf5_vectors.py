"""Word vectors in an HDF5 file."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Optional

import h5py
import numpy as np

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.vector_files.array_vectors import (
    ArrayVectors,
    check_shape,
    slices,
    stacked,
)
from linspector_allennlp.representations.vector_files.word_list import check_count, has_its_words


class Hdf5Vectors(ArrayVectors):
    """
    Vectors in an HDF5 file that has either a dataset for each word, or one matrix with a row for
    each word and, in another dataset or in a text file, the words.

    HDF5 reads a word with `/` as a path, and so do we: the word is the path to its dataset. A
    word that begins or ends with `/` or is `.` cannot be in such a file.
    """

    def __init__(self, path: PathLike, words: Optional[PathLike] = None) -> None:
        super().__init__(path)
        with _opened(self.path) as file:
            own = self._read_layout(file)
        if own is None or (words is not None and self._matrix):
            self._words = self.words_from_list(words)
        elif words is not None:
            raise has_its_words(self.path, words)
        else:
            self._words = own
            check_count(f"{self.path}, its words", len(own), "its matrix", self.num_rows)

    def _read_layout(self, file: h5py.File) -> list[bytes] | None:
        """Finds out where the vectors are; gives their words, if they are there, too."""
        datasets = _datasets_by_kind(file)
        vectors, matrices, texts = (datasets[kind] for kind in ("vector", "matrix", "text"))
        self._matrix = matrices[0] if matrices else None
        if vectors and not matrices and not texts:
            self.num_rows, self.dimension = len(vectors), len(file[vectors[0]])
            return [_encoded(name) for name in vectors]
        if len(matrices) == 1 and len(texts) <= 1 and not vectors:
            shape = file[matrices[0]].shape
            check_shape(f"{self.path}, dataset {matrices[0]!r}", shape)
            self.num_rows, self.dimension = shape
            return [_encoded(word) for word in file[texts[0]][()]] if texts else None
        raise ValueError(
            f"{self.path}: expected a dataset for each word, or one matrix and at most one list of "
            f"words; found {len(vectors)} vectors, {len(matrices)} matrices, {len(texts)} lists of "
            f"words and {len(datasets['other'])} other datasets. Save the vectors alone."
        )

    def blocks(self, rows: int) -> Iterator[tuple[list[bytes], np.ndarray]]:
        with _opened(self.path) as file:
            if self._matrix is not None:
                yield from slices(self._words, file[self._matrix], rows)
            else:
                yield from stacked(self.path, self._words, lambda word: file[word][()], rows)


@contextmanager
def _opened(path: str) -> Iterator[h5py.File]:
    try:
        with h5py.File(path, "r") as file:
            yield file
    except OSError as error:
        raise ValueError(
            f"{path}: expected a whole HDF5 file; found one of which h5py says: {error}. "
            "Is it a truncated download? Fetch it again."
        ) from error


def _datasets_by_kind(file: h5py.File) -> dict[str, list[str]]:
    datasets: dict[str, list[str]] = {"vector": [], "matrix": [], "text": [], "other": []}

    def sort(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            is_text = h5py.check_string_dtype(item.dtype) is not None
            kind = "text" if is_text else item.dtype.kind
            kinds = {("f", 1): "vector", ("f", 2): "matrix", ("text", 1): "text"}
            datasets[kinds.get((kind, item.ndim), "other")].append(name)

    file.visititems(sort)
    return datasets


def _encoded(word: str | bytes) -> bytes:
    return word.encode("utf-8", "surrogateescape") if isinstance(word, str) else bytes(word)
