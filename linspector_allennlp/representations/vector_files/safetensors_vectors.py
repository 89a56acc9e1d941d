"""Word vectors in a safetensors file."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.vector_files.array_vectors import (
    ArrayVectors,
    check_shape,
    check_type,
    slices,
    stacked,
)
from linspector_allennlp.representations.vector_files.word_list import check_count, has_its_words

_TYPES = {"F16": "float16", "F32": "float32", "F64": "float64"}


class SafetensorsVectors(ArrayVectors):
    """
    Vectors in a safetensors file that has either a tensor for each word, or one matrix with a row
    for each word. The words of a matrix are in a text file, or in the metadata of the file, as a
    JSON list with the name `words`.
    """

    def __init__(self, path: PathLike, words: Optional[PathLike] = None) -> None:
        super().__init__(path)
        with _opened(self.path) as file:
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
        with _opened(self.path) as file:
            if self._matrix is not None:
                yield from slices(self._words, file.get_slice(self._matrix), rows)
            else:
                tensor = file.get_tensor
                yield from stacked(self.path, self._words, lambda word: tensor(word.decode()), rows)


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as error:
        raise ConfigurationError(
            f"{path}: reading safetensors needs a package: pip install safetensors"
        ) from error
    try:
        with safe_open(path, "np") as file:
            yield file
    except SafetensorError as error:
        raise ValueError(
            f"{path}: expected a whole safetensors file; found one of which safetensors says: "
            f"{error}. Is it a truncated download? Fetch it again."
        ) from error
