"""Word vectors in NumPy, HDF5 and safetensors files."""

import json
from collections.abc import Iterator
from typing import Any, Optional

import h5py
import numpy as np

from linspector_allennlp.io.arrays import (
    HDF5,
    SAFETENSORS,
    open_hdf5,
    open_npy,
    open_safetensors,
    reading_arrays,
)
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.hdf5 import check_dataset
from linspector_allennlp.representations.vector_files.array_vectors import (
    ArrayVectors,
    check_count,
    check_dimension,
    check_shape,
    check_type,
    has_its_words,
    slices,
    stacked,
)

_TYPES = {"F16": "float16", "F32": "float32", "F64": "float64"}


class NumpyVectors(ArrayVectors):
    """
    A matrix in a `.npy` file, a row for each word, and a text file with one word a line. The
    matrix is mapped into memory, not loaded.
    """

    def __init__(self, path: PathLike, words: Optional[PathLike] = None) -> None:
        super().__init__(path)
        self._matrix = open_npy(self.path)
        check_type(self.path, self._matrix.dtype.name)
        check_shape(self.path, self._matrix.shape)
        self.num_rows, self.dimension = self._matrix.shape
        self._words = self.words_from_list(words)

    def blocks(self, rows: int) -> Iterator[tuple[list[bytes], np.ndarray]]:
        return slices(self._words, self._matrix, rows)


class Hdf5Vectors(ArrayVectors):
    """
    Vectors in an HDF5 file that has either a dataset for each word, or one matrix with a row for
    each word and, in another dataset or in a text file, the words.

    HDF5 reads a word with `/` as a path, and so do we: the word is the path to its dataset. A
    word that begins or ends with `/` or is `.` cannot be in such a file.
    """

    def __init__(self, path: PathLike, words: Optional[PathLike] = None) -> None:
        super().__init__(path)
        with open_hdf5(self.path) as file, reading_arrays(self.path, HDF5):
            own = self._read_layout(file, has_list=words is not None)
        if own is None:
            self._words = self.words_from_list(words)
        elif words is not None:
            raise has_its_words(self.path, words)
        else:
            self._words = own

    def _read_layout(self, file: h5py.File, has_list: bool) -> list[bytes] | None:
        """Finds out where the vectors are; gives their words, if they are there, too, and wanted."""
        datasets = _datasets_by_kind(file)
        vectors, matrices, texts = (datasets[kind] for kind in ("vector", "matrix", "text"))
        self._matrix = matrices[0] if matrices else None
        if vectors and not matrices and not texts:
            self.num_rows, self.dimension = len(vectors), len(file[vectors[0]])
            check_dimension(self.path, self.dimension)
            return [_encoded(name) for name in vectors]
        if len(matrices) == 1 and len(texts) <= 1 and not vectors:
            shape = file[matrices[0]].shape
            check_shape(f"{self.path}, dataset {matrices[0]!r}", shape)
            self.num_rows, self.dimension = shape
            if not texts or has_list:
                return None
            own = _checked(file[texts[0]])
            check_count(f"{self.path}, its words", len(own), "its matrix", self.num_rows)
            return [_encoded(word) for word in own[()]]
        raise ValueError(
            f"{self.path}: expected a dataset for each word, or one matrix and at most one list of "
            f"words; found {len(vectors)} vectors, {len(matrices)} matrices, {len(texts)} lists of "
            f"words and {len(datasets['other'])} other datasets. Save the vectors alone."
        )

    def blocks(self, rows: int) -> Iterator[tuple[list[bytes], np.ndarray]]:
        with open_hdf5(self.path) as file, reading_arrays(self.path, HDF5):
            if self._matrix is not None:
                yield from slices(self._words, _checked(file[self._matrix]), rows)
            else:
                yield from stacked(self.path, self._words, lambda word: _checked(file[word]), rows)


class SafetensorsVectors(ArrayVectors):
    """
    Vectors in a safetensors file that has either a tensor for each word, or one matrix with a row
    for each word. The words of a matrix are in a text file, or in the metadata of the file, as a
    JSON list with the name `words`.
    """

    def __init__(self, path: PathLike, words: Optional[PathLike] = None) -> None:
        super().__init__(path)
        with open_safetensors(self.path) as file, reading_arrays(self.path, SAFETENSORS):
            names = list(file.keys())
            shapes = [tuple(file.get_slice(name).get_shape()) for name in names]
            types = {file.get_slice(name).get_dtype() for name in names}
            in_metadata = (file.metadata() or {}).get("words")
        for type_name in sorted(types):
            check_type(self.path, _TYPES.get(type_name, type_name))
        self._matrix = names[0] if len(names) == 1 and len(shapes[0]) == 2 else None
        if self._matrix is not None:
            check_shape(f"{self.path}, tensor {self._matrix!r}", shapes[0])
            self.num_rows, self.dimension = shapes[0]
            own = in_metadata if words is None else None
            self._words = self._listed(own) if own is not None else self.words_from_list(words)
        elif names and all(len(shape) == 1 for shape in shapes):
            if words is not None:
                raise has_its_words(self.path, words)
            self.num_rows, (self.dimension,) = len(names), shapes[0]
            check_dimension(self.path, self.dimension)
            self._words = [name.encode() for name in names]
        else:
            raise ValueError(
                f"{self.path}: expected one matrix, or a vector for each word; found {len(names)} "
                f"tensors with the shapes {', '.join(map(str, shapes[:3])) or 'none'} ... Save the "
                "vectors alone."
            )

    def _listed(self, own: str) -> list[bytes]:
        try:
            words = [word.encode() for word in json.loads(own)]
        except (ValueError, TypeError, AttributeError):
            raise ValueError(
                f"{self.path}, metadata: expected a JSON list of words with the name words; found "
                f'{own[:40]!r}. Repair it, or set "words" to a file with a word a line.'
            ) from None
        check_count(f"{self.path}, metadata", len(words), "its matrix", self.num_rows)
        return words

    def blocks(self, rows: int) -> Iterator[tuple[list[bytes], np.ndarray]]:
        with open_safetensors(self.path) as file, reading_arrays(self.path, SAFETENSORS):
            if self._matrix is not None:
                yield from slices(self._words, file.get_slice(self._matrix), rows)
            else:
                tensor = file.get_tensor
                yield from stacked(self.path, self._words, lambda word: tensor(word.decode()), rows)


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


def _checked(dataset: h5py.Dataset) -> h5py.Dataset:
    check_dataset(dataset)
    return dataset


def _encoded(word: str | bytes) -> bytes:
    return word.encode("utf-8", "surrogateescape") if isinstance(word, str) else bytes(word)
