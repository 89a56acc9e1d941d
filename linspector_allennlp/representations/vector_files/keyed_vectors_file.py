"""Word vectors as gensim saves them: a pickle and, if they are many, a NumPy file beside it."""

import os
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.vector_files.array_vectors import (
    ArrayVectors,
    check_shape,
    check_type,
    slices,
)
from linspector_allennlp.representations.vector_files.inert_pickle import (
    InertObject,
    InertUnpickler,
)
from linspector_allennlp.representations.vector_files.numpy_vectors import map_matrix
from linspector_allennlp.representations.vector_files.word_list import check_count

_VECTORS = "vectors", "syn0"  # since gensim 3.3, and before
_WORDS = "index_to_key", "index2word", "index2entity"  # since gensim 4.0, and before
_DAMAGES = (
    pickle.UnpicklingError, EOFError, AttributeError, IndexError, KeyError, MemoryError,
    OverflowError, TypeError, ValueError,
)  # fmt: skip


def matrices_beside(path: PathLike) -> list[str]:
    """The files in which gensim may have put the vectors of a `.kv`."""
    candidates = [f"{os.fspath(path)}.{name}.npy" for name in _VECTORS]
    return [candidate for candidate in candidates if os.path.isfile(candidate)]


class KeyedVectorsFile(ArrayVectors):
    """
    The `.kv` file of gensim's `KeyedVectors.save`, of any version. The pickle is not run, see
    `InertUnpickler`, and gensim is not needed.
    """

    def __init__(self, path: PathLike) -> None:
        super().__init__(path)
        saved = self._attributes()
        self._matrix = self._vectors(saved)
        check_shape(self.path, self._matrix.shape)
        self.num_rows, self.dimension = self._matrix.shape
        words: list[Any] = next((saved[name] for name in _WORDS if name in saved), [])
        for word in words:
            if not isinstance(word, str):
                raise self._error(f"the key {word!r}, which is not a word")
        check_count(f"{self.path}, its keys", len(words), "its vectors", self.num_rows)
        self._words = [word.encode("utf-8", "surrogatepass") for word in words]

    def blocks(self, rows: int) -> Iterator[tuple[list[bytes], np.ndarray]]:
        return slices(self._words, self._matrix, rows)

    def _attributes(self) -> dict[str, Any]:
        try:
            with open(self.path, "rb") as file:
                saved = InertUnpickler(file).load()
        except _DAMAGES as error:
            raise self._error(f"{error or type(error).__name__}") from error
        kind = type(saved).__name__
        if kind == "FastTextKeyedVectors":
            raise ValueError(
                f"{self.path}: expected a vector for each word; found those of fastText's n-grams. "
                "Save them with gensim.models.fasttext.save_facebook_model, and use the "
                "representation fasttext (fasttext_vectors)."
            )
        if not isinstance(saved, InertObject) or not isinstance(saved.state, dict):
            raise self._error(f"a pickled {kind}")
        return saved.state

    def _vectors(self, saved: dict[str, Any]) -> np.ndarray:
        for name in _VECTORS:
            if name in saved:
                return self._array(saved[name])
            if name in saved.get("__numpys", ()):
                beside = f"{self.path}.{name}.npy"
                if not os.path.isfile(beside):
                    raise FileNotFoundError(
                        f"{beside}: no such file; expected the vectors of {self.path}, which gensim "
                        "put there. Copy it from where they were saved."
                    )
                self.files.append(beside)
                return map_matrix(beside)
        raise self._error("no vectors")

    def _array(self, pickled: Any) -> np.ndarray:
        """The array that NumPy would make of what it has written."""
        try:
            _, shape, dtype, is_fortran, content = pickled.state
            if isinstance(content, InertObject):  # bytes, written for Python 2
                content = content.arguments[0]
            if isinstance(content, str):
                content = content.encode("latin1")
            numbers = np.dtype(dtype.arguments[0]).newbyteorder(dtype.state[1])
            check_type(self.path, numbers.name)
            matrix = np.frombuffer(content, numbers)
            return matrix.reshape(shape, order="F" if is_fortran else "C")
        except (AttributeError, IndexError, TypeError) as error:
            raise self._error(f"vectors that are no array ({error})") from error

    def _error(self, found: str) -> ValueError:
        return ValueError(
            f"{self.path}: expected the KeyedVectors of gensim; found {found}. Save the vectors alone "
            "with gensim: `model.wv.save_word2vec_format(PATH, binary=True)`."
        )
