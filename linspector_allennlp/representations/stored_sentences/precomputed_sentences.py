import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.stored_sentences.layered_array import LayeredArray
from linspector_allennlp.representations.words import Words as Sentence

logger = logging.getLogger(__name__)


class VectorRows(NamedTuple):
    """Where the vectors of a sentence are: some rows of an array."""

    array: LayeredArray
    first_row: int
    num_rows: int

    def read(self, layers: Sequence[int], start: int, stop: int) -> numpy.ndarray:
        """Shape: (len(layers), stop − start, dimension)"""
        return self.array.read(layers, self.first_row + start, self.first_row + stop)


class PrecomputedSentences:
    """
    The vectors of sentences in a file: finds those of a sentence, and checks that they fit it.

    A subclass implements `places` and `advice`, and sets `example`, for one way in which the file
    is laid out.

    # Parameters

    path : `PathLike`
    per_sentence : `bool`
        Whether there is one vector for a sentence, not one for each of its words.
    """

    example: LayeredArray
    """All have as many layers and the same dimension as this array."""

    def __init__(self, path: PathLike, per_sentence: bool) -> None:
        self.path = path
        self.per_sentence = per_sentence

    def places(self, text: str) -> list[VectorRows]:
        """All places of a sentence, its words joined by spaces. The first of them counts."""
        raise NotImplementedError

    def advice(self) -> str:
        """What to do about sentences that have no place."""
        raise NotImplementedError

    def find(self, sentences: Iterable[Sentence]) -> dict[Sentence, VectorRows]:
        """
        Where the vectors of each of these sentences are. Raises `ValueError` if some have none, or
        others than their number of words asks for.
        """
        return {sentence: places[0] for sentence, places in self._places_of_all(sentences)}

    def check(self, sentences: Iterable[Sentence]) -> None:
        """
        Raises what `find` would raise, and warns of sentences that are in the file more than once
        and with different vectors.
        """
        differing = [
            " ".join(sentence)
            for sentence, places in self._places_of_all(sentences)
            if len(places) > 1 and self._differ(places)
        ]
        if differing:
            logger.warning(
                "%s: sentences that are there more than once have different vectors, and the "
                "first counts; this concerns %d, such as %r.",
                self.path,
                len(differing),
                differing[0],
            )

    def _places_of_all(
        self, sentences: Iterable[Sentence]
    ) -> Iterator[tuple[Sentence, list[VectorRows]]]:
        missing = []
        distinct = dict.fromkeys(sentences)
        for sentence in distinct:
            places = self.places(" ".join(sentence))
            for rows in places:
                self._check_fit(rows, sentence)
            if places:
                yield sentence, places
            else:
                missing.append(" ".join(sentence))
        if missing:
            raise ValueError(
                f"{self.path}: expected vectors of {len(distinct)} sentences, found none for "
                f"{len(missing)} of them, such as {missing[0]!r}. {self.advice()}"
            )

    def _check_fit(self, rows: VectorRows, sentence: Sentence) -> None:
        array = rows.array
        expected = self.example.num_layers, self.example.dimension
        if (array.num_layers, array.dimension) != expected:
            raise ValueError(
                f"{array.name}: expected {expected[0]} layers of dimension {expected[1]}, as in "
                f"{self.example.name}, found {array.num_layers} of dimension {array.dimension}."
            )
        if not self.per_sentence and rows.num_rows != len(sentence):
            raise ValueError(
                f"{array.name}: expected {len(sentence)} rows, one for each word of "
                f"{' '.join(sentence)!r}, found {rows.num_rows}. Rows of word pieces must be made one "
                "for each word, and those of marks like [CLS] must go."
            )

    def _differ(self, places: Sequence[VectorRows]) -> bool:
        layers = range(self.example.num_layers)
        first, *others = (rows.read(layers, 0, rows.num_rows) for rows in places)
        # The same sentence in another batch may differ in the last digits.
        return not all(numpy.allclose(first, other, atol=1e-5) for other in others)
