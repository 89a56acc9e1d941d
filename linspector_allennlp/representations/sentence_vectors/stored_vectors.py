"""The vectors of sentences in a file: those of a sentence are found, checked, and read when asked for."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.words import Words

logger = logging.getLogger(__name__)


class LayeredArray:
    """
    An array on the disk as layers × rows × dimension, whichever of these axes it has. Only what is
    asked for is read.

    # Parameters

    name : `str`
        For errors: the file, and where in it.
    array : `Any`
        Of NumPy, h5py or a slice of safetensors.
    has_rows : `bool`
        Whether it has an axis of rows; otherwise it is one row.
    rows : `str`, optional (default = `"tokens"`)
        What these are, for errors.
    """

    def __init__(self, name: str, array: Any, has_rows: bool, rows: str = "tokens") -> None:
        shape = tuple(array.get_shape() if hasattr(array, "get_shape") else array.shape)
        axes = f"{rows}, dimension" if has_rows else "dimension"
        if len(shape) - has_rows not in (1, 2) or 0 in shape:
            advice = " Set per to sentence if there is one vector for a sentence or a word form."
            raise ValueError(
                f"{name}: expected an array of shape ({axes}) or (layers, {axes}), found {shape}."
                + advice * (has_rows and len(shape) == 1)
            )
        self.name = name
        self._array = array
        self._has_rows = has_rows
        self._has_layers = len(shape) - has_rows == 2
        self.num_layers = shape[0] if self._has_layers else 1
        self.num_rows = shape[-2] if has_rows else 1
        self.dimension = shape[-1]

    def read(self, layers: Sequence[int], start: int, stop: int) -> np.ndarray:
        """Some rows in some layers, float32. Shape: (len(layers), stop − start, dimension)"""
        result = np.empty((len(layers), stop - start, self.dimension), np.float32)
        rows = (slice(start, stop),) * self._has_rows
        for i, layer in enumerate(layers):
            # Nothing but slices, since safetensors know no other index.
            index = (slice(layer, layer + 1),) * self._has_layers + (*rows, slice(None))
            try:
                values = self._array[index]
            except OSError as error:
                raise ValueError(f"{self.name}: the vectors cannot be read: {error}.") from error
            result[i] = self._as_float32(values).reshape(stop - start, -1)
        if not np.isfinite(result).all():
            raise ValueError(
                f"{self.name}: expected finite numbers (in float32), found NaN or infinity."
            )
        return result

    def _as_float32(self, values: Any) -> np.ndarray:
        if isinstance(values, torch.Tensor):
            values = values.float().numpy()
        if values.dtype.kind not in "fiu":
            raise ValueError(f"{self.name}: expected real numbers, found {values.dtype}.")
        with np.errstate(over="ignore"):  # infinity is found above
            return np.asarray(values, dtype=np.float32)


class VectorRows(NamedTuple):
    """The place of a sentence's vectors: some rows of an array."""

    array: LayeredArray
    first_row: int
    num_rows: int

    def read(self, layers: Sequence[int], start: int, stop: int) -> np.ndarray:
        """Shape: (len(layers), stop − start, dimension)"""
        return self.array.read(layers, self.first_row + start, self.first_row + stop)


class PrecomputedSentences:
    """
    The vectors of sentences in a file: finds those of a sentence, and checks that they fit it.

    A subclass implements `exact_places`, `texts` and `advice`, and sets `example`, for one way in
    which the file is laid out.

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
        """
        All places of a sentence, its words joined by spaces. The first of them counts. Where a vector
        is not of its words, they may be cut otherwise: the file may have "Gel!" for "Gel !".
        """
        found = self.exact_places(text)
        if not found and self.per_sentence:
            found = self.exact_places(self._by_letters.get("".join(text.split()), text))
        return found

    def exact_places(self, text: str) -> list[VectorRows]:
        """All places of this text, to the letter."""
        raise NotImplementedError

    def texts(self) -> Iterable[str]:
        """The texts that have places."""
        raise NotImplementedError

    def advice(self) -> str:
        """For an error: what to do about sentences that have no place."""
        raise NotImplementedError

    def find(self, sentences: Iterable[Words]) -> dict[Words, VectorRows]:
        """
        Where the vectors of each of these sentences are. Raises `ValueError` if some have none, or
        others than their number of words asks for.
        """
        return {sentence: places[0] for sentence, places in self.places_of_all(sentences)}

    def check(self, sentences: Iterable[Words]) -> None:
        """
        Raises what `find` would raise, and warns of sentences that are in the file more than once
        and with different vectors.
        """
        differing = [
            " ".join(sentence)
            for sentence, places in self.places_of_all(sentences)
            if len(places) > 1 and self.differ(places)
        ]
        if differing:
            logger.warning(
                "%s: sentences that are there more than once have different vectors, and the "
                "first counts; this concerns %d, such as %r.",
                self.path,
                len(differing),
                differing[0],
            )

    def places_of_all(self, sentences: Iterable[Words]) -> Iterator[tuple[Words, list[VectorRows]]]:
        """Each sentence with its places, which fit it; see `find`."""
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

    @cached_property
    def _by_letters(self) -> dict[str, str]:
        """The texts, by what is left of them without their spaces; of several the first."""
        return {"".join(text.split()): text for text in reversed(list(self.texts()))}

    def _check_fit(self, rows: VectorRows, sentence: Words) -> None:
        array = rows.array
        self.check_size(array)
        if not self.per_sentence and rows.num_rows != len(sentence):
            raise ValueError(
                f"{array.name}: expected {len(sentence)} rows, one for each word of "
                f"{' '.join(sentence)!r}, found {rows.num_rows}. Rows of word pieces must be made one "
                "for each word, and those of marks like [CLS] must go."
            )

    def check_size(self, array: LayeredArray) -> None:
        """Raises `ValueError` if it has not the layers and the dimension of the example."""
        expected = self.example.num_layers, self.example.dimension
        if (array.num_layers, array.dimension) != expected:
            raise ValueError(
                f"{array.name}: expected {expected[0]} layers of dimension {expected[1]}, as in "
                f"{self.example.name}, found {array.num_layers} of dimension {array.dimension}."
            )

    def differ(self, places: Sequence[VectorRows]) -> bool:
        """Whether these are not all the same vectors."""
        layers = range(self.example.num_layers)
        first, *others = (rows.read(layers, 0, rows.num_rows) for rows in places)
        # The same sentence in another batch may differ in the last digits.
        return not all(np.allclose(first, other, atol=1e-5) for other in others)
