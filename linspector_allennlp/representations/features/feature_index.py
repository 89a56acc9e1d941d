from collections.abc import Sequence

import numpy as np

from linspector_allennlp.representations.features.feature_segment import (
    FeatureSegment,
    sentence_keys,
)
from linspector_allennlp.representations.words import Words


class FeatureIndex:
    """
    Which sentences there are in some segments, ordered by their keys.

    # Parameters

    segments : `Sequence[FeatureSegment]`
        A sentence that is in several is taken from the first.
    """

    def __init__(self, segments: Sequence[FeatureSegment]) -> None:
        keys = np.concatenate([np.empty((0, 2), np.uint64), *(s.keys for s in segments)])
        firsts = [np.cumsum(s.lengths) - s.lengths for s in segments]
        counts = [len(s.keys) for s in segments]
        order = np.argsort(keys[:, 0], kind="stable")
        self._keys = keys[order]
        self._row_of = np.concatenate([np.empty(0, np.int64), *firsts])[order]
        self._segment_of = np.repeat(np.arange(len(segments)), counts)[order]

    def find(self, sentences: Sequence[Words]) -> tuple[np.ndarray, np.ndarray]:
        """For each sentence the number of its segment, −1 if there is none, and its first row."""
        # Many words of a task are in the same sentence, whose key is computed once.
        distinct = {sentence: number for number, sentence in enumerate(dict.fromkeys(sentences))}
        segments, rows = self._find_distinct(list(distinct))
        numbers = [distinct[sentence] for sentence in sentences]
        return segments[numbers], rows[numbers]

    def _find_distinct(self, sentences: Sequence[Words]) -> tuple[np.ndarray, np.ndarray]:
        segments, rows = np.full(len(sentences), -1), np.zeros(len(sentences), np.int64)
        if len(sentences) and len(self._keys):
            keys = sentence_keys(sentences)
            # Of two sentences with the same first half of a key, one is not found: no harm but time.
            places = np.searchsorted(self._keys[:, 0], keys[:, 0])
            places[places == len(self._keys)] = 0
            found = (self._keys[places] == keys).all(axis=1)
            segments[found] = self._segment_of[places[found]]
            rows[found] = self._row_of[places[found]]
        return segments, rows
