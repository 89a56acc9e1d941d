"""Features on the disk, by representation and sentence: computed once, for all who ask."""

import hashlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np
from allennlp.common import Tqdm

from linspector_allennlp.io.cache import cache_folder
from linspector_allennlp.io.files import write_json
from linspector_allennlp.io.locks import exclusively
from linspector_allennlp.io.private import is_ours, make_private
from linspector_allennlp.representations.hidden_states.cache import (
    features_name,
    make_room,
    size_limit,
    writable_folder,
)
from linspector_allennlp.representations.hidden_states.segment import (
    DamagedSegment,
    FeatureIndex,
    FeatureSegment,
    SegmentShape,
    sentence_keys,
    write_segment,
)
from linspector_allennlp.representations.words import Words

logger = logging.getLogger(__name__)

ROWS_TOGETHER = 4
"""Sentences that are computed at a time are filled up to so many, or a multiple of it: a matrix of fewer
rows is multiplied in another way, by which the last digits differ."""

SEGMENT_BYTES = 256_000_000  # what a process that is killed loses at most

Lengths = Callable[[Sequence[Words]], Sequence[int]]
Compute = Callable[[Sequence[Words]], np.ndarray]

_OPEN_STORES: "WeakSet[FeatureStore]" = WeakSet()


class FeatureStore:
    """
    The vectors of the words of sentences in all layers of a representation, in a folder of the
    cache that is named by what the representation is. Several processes may use it at a time: what
    is there is never changed, and one process at a time adds to it.

    # Parameters

    identity : `Dict[str, Any]`
        All that decides the vectors.
    layers, dimension : `int`
        How many vectors a word has, and their size.
    precision : `str`
        `"float16"` or `"float32"`.
    source : `str`, optional
        What `probe-cache` should call it.
    per_sentence : `bool`, optional (default = `False`)
        Whether a sentence has one vector in each layer, not one for each of its words.
    """

    def __init__(
        self,
        identity: dict[str, Any],
        layers: int,
        dimension: int,
        precision: str,
        source: str = "",
        per_sentence: bool = False,
    ) -> None:
        self._settings = identity, layers, dimension, precision, source, per_sentence
        content = {**identity, "layers": layers, "dimension": dimension, "precision": precision}
        self.folder = writable_folder(cache_folder() / "features" / features_name(content))
        self._description = {"source": source, **content}
        self._segments: dict[Path, FeatureSegment] = {}
        self._used: set[Path] = set()
        self._index_anew()
        _OPEN_STORES.add(self)

    def find(self, sentences: Sequence[Words]) -> tuple[np.ndarray, np.ndarray]:
        """For each sentence the number of its segment, −1 if there is none, and its first row."""
        return self._index.find(sentences)

    def missing(self, sentences: Iterable[Words]) -> list[Words]:
        """The sentences that are not in the store, each once, without those that have no words."""
        distinct = [sentence for sentence in dict.fromkeys(sentences) if sentence]
        segments, _ = self.find(distinct)
        return [distinct[i] for i in np.flatnonzero(segments < 0)]

    def read(self, segments: np.ndarray, rows: np.ndarray, layers: Sequence[int]) -> np.ndarray:
        """
        The vectors of these words, float32. Shape: (num_words, num_layers, dimension)

        A segment that has been damaged is removed, and `DamagedSegment` raised: then ask again.
        """
        opened = list(self._segments.values())
        result = np.empty((len(rows), len(layers), self._settings[2]), np.float32)
        for number in np.unique(segments).tolist():
            segment, here = opened[number], segments == number
            try:
                self._mark_as_used(segment)
                for i, layer in enumerate(layers):
                    result[here, i] = segment.read(layer, rows[here])
            except DamagedSegment as error:
                logger.warning("%s; what it held is computed again.", error)
                segment.place.unlink(missing_ok=True)
                del self._segments[segment.place]
                self._used.discard(segment.place)
                self._index_anew()
                raise
        return result

    def add(
        self,
        sentences: Iterable[Words],
        lengths: Lengths,
        batch_size: int,
        compute: Compute,
    ) -> None:
        """
        Computes what is missing of these sentences: the longest first, in batches of the same length.

        # Parameters

        lengths : `Callable[[Sequence[Words]], Sequence[int]]`
            What the time of each sentence depends on.
        compute : `Callable[[Sequence[Words]], numpy.ndarray]`
            The vectors of the words of some sentences, or of the sentences, one after the other, in
            the precision of the store. Shape: (layers, num_words, dimension)
        """
        asked = list(dict.fromkeys(sentences))
        if not self.missing(asked):
            return
        limit = size_limit()  # a wrong one is to be known before the work, not after it
        with exclusively(self.folder):
            make_private(self.folder)  # another process may have pruned it
            self._index_anew()  # another process may have computed some while we waited
            self._hold(asked)
            if wanted := self.missing(asked):
                length_of = dict(zip(wanted, lengths(wanted)))
                ordered = longest_first(wanted, length_of)
                self._compute(ordered, length_of, batch_size, compute)
            make_room(limit, spared={place for store in _OPEN_STORES for place in store._used})

    def _compute(
        self,
        sentences: list[Words],
        length_of: Mapping[Words, int],
        batch_size: int,
        compute: Compute,
    ) -> None:
        with suppress(OSError, UnicodeError):  # it is for `probe-cache`, and no reason to stop
            write_json(self.folder / "representation.json", self._description)
        _, layers, dimension, precision, _, per_sentence = self._settings
        word_bytes = layers * dimension * np.dtype(precision).itemsize
        with Tqdm.tqdm(total=len(sentences), desc="representing sentences") as bar:
            for part in segment_parts(sentences, word_bytes, per_sentence):
                self._write(equal_batches(part, length_of, batch_size), compute, bar)
                self._index_anew()
                self._hold(part)

    def _write(self, batches: list[list[Words]], compute: Compute, bar: Any) -> None:
        _, layers, dimension, precision, _, per_sentence = self._settings
        sentences = [sentence for batch in batches for sentence in batch]
        keys = sentence_keys(sentences)
        lengths = np.array([num_rows(sentence, per_sentence) for sentence in sentences])

        def blocks() -> Iterator[np.ndarray]:
            for batch in batches:
                yield compute(batch)
                bar.update(len(batch))

        name = hashlib.blake2b(keys.tobytes(), digest_size=12).hexdigest()
        place = self.folder / f"{name}.features"
        shape = SegmentShape(len(sentences), layers, int(lengths.sum()), dimension, precision)
        write_segment(place, shape, keys, lengths, blocks())

    def _index_anew(self) -> None:
        """Looks for segments that have come, and orders the sentences of all by their keys."""
        for place in sorted(self.folder.glob("*.features")):
            if place in self._segments or not is_ours(place):
                continue
            try:
                self._segments[place] = FeatureSegment(place)
            except DamagedSegment as error:
                logger.warning("%s; what it held is computed again.", error)
                place.unlink(missing_ok=True)
            except FileNotFoundError:
                pass  # another process removed it
            except (OSError, ValueError) as error:  # which may pass, so it stays
                logger.warning("%s; what it holds is computed again.", error)
        self._index = FeatureIndex(list(self._segments.values()))

    def _hold(self, sentences: Sequence[Words]) -> None:
        """Marks the segments of these sentences as used, so that they are not removed for others."""
        numbers, _ = self.find(sentences)
        opened = list(self._segments.values())
        for number in np.unique(numbers[numbers >= 0]).tolist():
            with suppress(DamagedSegment):  # for who reads it
                self._mark_as_used(opened[number])

    def _mark_as_used(self, segment: FeatureSegment) -> None:
        """Sets the time of last use: the segments of the longest ago are the first to go."""
        if segment.place not in self._used:
            segment.map()
            self._used.add(segment.place)
            with suppress(OSError):
                os.utime(segment.place)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._settings


def longest_first(sentences: Iterable[Words], length_of: Mapping[Words, int]) -> list[Words]:
    """The sentences by length: one that is too long fails at once."""
    return sorted(sentences, key=length_of.__getitem__, reverse=True)


def equal_batches(
    sentences: Iterable[Words], length_of: Mapping[Words, int], batch_size: int
) -> list[list[Words]]:
    """
    The sentences in batches, those that follow each other and have the same length: padding, which
    changes the last digits, would depend on what else is asked for.
    """
    size = batch_size - batch_size % ROWS_TOGETHER or batch_size
    groups = (list(group) for _, group in groupby(sentences, length_of.__getitem__))
    return [group[i : i + size] for group in groups for i in range(0, len(group), size)]


def num_rows(sentence: Words, per_sentence: bool) -> int:
    """How many vectors a sentence has in a layer."""
    return 1 if per_sentence else len(sentence)


def segment_parts(
    sentences: Sequence[Words], word_bytes: int, per_sentence: bool = False
) -> Iterator[list[Words]]:
    """The sentences in parts that each fit into a segment, and have at least one sentence."""
    part: list[Words] = []
    size = 0
    for sentence in sentences:
        needed = num_rows(sentence, per_sentence) * word_bytes
        if part and size + needed > SEGMENT_BYTES:
            yield part
            part, size = [], 0
        part.append(sentence)
        size += needed
    if part:
        yield part
