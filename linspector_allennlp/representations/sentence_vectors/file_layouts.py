"""
The layouts of files with the vectors of sentences: an array for each sentence (HDF5, safetensors), or
one array for all of them (`.npy`), with the sentences in a text file or a treebank.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.arrays import ONLY, Arrays, find_array, first_array, open_arrays
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.sentence_vectors.sentence_file import (
    NumberedSentences,
    SentenceFile,
)
from linspector_allennlp.representations.sentence_vectors.stored_vectors import (
    LayeredArray,
    PrecomputedSentences,
    VectorRows,
)

INDEX = "sentence_to_index"  # where `allennlp elmo` wrote which sentence has which number


def open_precomputed(
    path: PathLike, sentences: Sequence[SentenceFile] = (), per_sentence: bool = False
) -> PrecomputedSentences:
    """
    The vectors of a file, whose kind is known by its content: a downloaded file has no ending.

    # Parameters

    path : `PathLike`
        An HDF5, `.npy` or safetensors file.
    sentences : `Sequence[SentenceFile]`, optional (default = `()`)
        The files of the sentences whose numbers are the keys, or that are the rows of a `.npy` file;
        if there are several, they are numbered through.
    per_sentence : `bool`, optional (default = `False`)
        Whether there is one vector for a sentence, not one for each of its words.
    """
    arrays = open_arrays(path)
    if not sentences:
        if ONLY in arrays:
            raise ConfigurationError(
                f"sentences: expected the file of the sentences whose vectors are the rows of {path}, "
                "found no setting."
            )
        return KeyedSentences(path, arrays, _read_index(path, arrays), per_sentence)
    named = NumberedSentences.read(sentences)
    if ONLY in arrays:
        return StackedSentences(path, arrays[ONLY], named, per_sentence)
    _check_number_of_arrays(path, arrays, named)
    return KeyedSentences(path, arrays, named.numbers, per_sentence)


class KeyedSentences(PrecomputedSentences):
    """
    An array for each sentence (HDF5, safetensors). Its key is the sentence or the sentence's number.

    # Parameters

    path : `PathLike`
    arrays : `Arrays`
        Of this file.
    numbers : `Mapping[str, List[int]]`, optional
        Of each sentence, where these are the keys.
    per_sentence : `bool`, optional (default = `False`)
    """

    def __init__(
        self,
        path: PathLike,
        arrays: Arrays,
        numbers: Optional[Mapping[str, list[int]]] = None,
        per_sentence: bool = False,
    ) -> None:
        super().__init__(path=path, per_sentence=per_sentence)
        self._arrays = arrays
        self._numbers = numbers
        self.example = self._some_array()

    def exact_places(self, text: str) -> list[VectorRows]:
        if self._numbers is None:
            array = find_array(self._arrays, text)
            return [] if array is None else [self._rows(text, array)]
        return [self._numbered(number) for number in self._numbers.get(text, ())]

    def texts(self) -> Iterable[str]:
        return self._arrays if self._numbers is None else self._numbers

    def advice(self) -> str:
        if self._numbers is not None:
            return "They are not among those that the file is said to have."
        if find_array(self._arrays, "0") is not None:
            return "Its keys are numbers: name the file of its sentences in `sentences`."
        return "Its keys must be the sentences, their words joined by spaces."

    def _numbered(self, number: int) -> VectorRows:
        array = find_array(self._arrays, str(number))
        if array is None:
            raise ValueError(
                f"{self.path}: expected an array with the key '{number}', found none. The first "
                "sentence has number 0."
            )
        return self._rows(str(number), array)

    def _rows(self, key: str, array: Any) -> VectorRows:
        found = LayeredArray(f"{self.path}, {key!r}", array, has_rows=not self.per_sentence)
        return VectorRows(found, 0, found.num_rows)

    def _some_array(self) -> LayeredArray:
        if self._numbers:
            return self._numbered(next(iter(self._numbers.values()))[0]).array
        array = first_array(self._arrays)
        if array is None:
            raise ValueError(f"{self.path}: expected vectors, found none.")
        return self._rows("", array).array


class StackedSentences(PrecomputedSentences):
    """
    The vectors of all sentences, one after the other, as the rows of one array (`.npy`).

    # Parameters

    path : `PathLike`
    array : `np.ndarray`
        Of this file.
    named : `NumberedSentences`
    per_sentence : `bool`, optional (default = `False`)
    """

    def __init__(
        self,
        path: PathLike,
        array: np.ndarray,
        named: NumberedSentences,
        per_sentence: bool = False,
    ) -> None:
        rows = "sentences" if per_sentence else "tokens"
        super().__init__(path=path, per_sentence=per_sentence)
        self.example = LayeredArray(str(path), array, has_rows=True, rows=f"all {rows}")
        self._numbers = named.numbers
        self._counts = np.ones_like(named.lengths) if per_sentence else np.array(named.lengths)
        self._firsts = np.cumsum(self._counts) - self._counts
        if self._counts.sum() != self.example.num_rows:
            raise ValueError(
                f"{path}: expected {self._counts.sum()} rows, one for each of the {rows} of "
                f"{named.source}, found {self.example.num_rows}."
            )

    def exact_places(self, text: str) -> list[VectorRows]:
        return [
            VectorRows(self.example, int(self._firsts[number]), int(self._counts[number]))
            for number in self._numbers.get(text, ())
        ]

    def texts(self) -> Iterable[str]:
        return self._numbers

    def advice(self) -> str:
        return "They are not among those that the file is said to have."


def _read_index(path: PathLike, arrays: Arrays) -> Optional[dict[str, list[int]]]:
    """The numbers of each sentence, if the file has them as `allennlp elmo` wrote them."""
    found = find_array(arrays, INDEX)
    if found is None:
        return None
    try:
        return {text: [int(number)] for text, number in json.loads(found[0]).items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path}, {INDEX!r}: expected a JSON object that gives each sentence a number, found "
            f"something else ({error}). Name the file of the sentences in `sentences`."
        ) from error


def _check_number_of_arrays(path: PathLike, arrays: Arrays, named: NumberedSentences) -> None:
    found = sum(key.isdecimal() for key in arrays)
    if found != len(named.lengths):
        raise ValueError(
            f"{path}: expected {len(named.lengths)} arrays with numbers for keys, one for each sentence "
            f"of {named.source}, found {found}."
            + " Where the keys are the sentences, leave out `sentences`."
            * (not found)
        )
