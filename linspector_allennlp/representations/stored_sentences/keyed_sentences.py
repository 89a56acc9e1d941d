from collections.abc import Mapping
from typing import Any, Optional

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.stored_sentences.layered_array import LayeredArray
from linspector_allennlp.representations.stored_sentences.precomputed_files import (
    Arrays,
    find_array,
    first_array,
)
from linspector_allennlp.representations.stored_sentences.precomputed_sentences import (
    PrecomputedSentences,
    VectorRows,
)


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
        super().__init__(path, per_sentence)
        self._arrays = arrays
        self._numbers = numbers
        self.example = self._some_array()

    def places(self, text: str) -> list[VectorRows]:
        if self._numbers is None:
            array = find_array(self._arrays, text)
            return [] if array is None else [self._rows(text, array)]
        return [self._numbered(number) for number in self._numbers.get(text, ())]

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
