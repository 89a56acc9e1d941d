from collections.abc import Mapping, Sequence

import numpy

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.stored_sentences.layered_array import LayeredArray
from linspector_allennlp.representations.stored_sentences.precomputed_sentences import (
    PrecomputedSentences,
    VectorRows,
)


class StackedSentences(PrecomputedSentences):
    """
    The vectors of all sentences, one after the other, as the rows of one array (`.npy`).

    # Parameters

    path : `PathLike`
    array : `numpy.ndarray`
        Of this file.
    numbers : `Mapping[str, List[int]]`
        Of each sentence.
    lengths : `Sequence[int]`
        How many words each sentence has, by number.
    per_sentence : `bool`, optional (default = `False`)
    """

    def __init__(
        self,
        path: PathLike,
        array: numpy.ndarray,
        numbers: Mapping[str, list[int]],
        lengths: Sequence[int],
        per_sentence: bool = False,
    ) -> None:
        rows = "sentences" if per_sentence else "tokens"
        super().__init__(path, per_sentence)
        self.example = LayeredArray(str(path), array, has_rows=True, rows=f"all {rows}")
        self._numbers = numbers
        self._counts = numpy.ones_like(lengths) if per_sentence else numpy.array(lengths)
        self._firsts = numpy.cumsum(self._counts) - self._counts
        if self._counts.sum() != self.example.num_rows:
            raise ValueError(
                f"{path}: expected {self._counts.sum()} rows, one for each of the {rows} that "
                f"`sentences` names, found {self.example.num_rows}."
            )

    def places(self, text: str) -> list[VectorRows]:
        return [
            VectorRows(self.example, int(self._firsts[number]), int(self._counts[number]))
            for number in self._numbers.get(text, ())
        ]

    def advice(self) -> str:
        return "They are not among those that the file is said to have."
