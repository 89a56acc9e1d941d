from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.features import feature_index
from linspector_allennlp.representations.features.feature_index import FeatureIndex
from linspector_allennlp.representations.features.feature_segment import sentence_keys

SENTENCES = st.lists(st.text(max_size=2), min_size=1, max_size=3).map(tuple)


class Contents(NamedTuple):
    """What an index looks at in a segment."""

    keys: np.ndarray
    lengths: np.ndarray


def segment_of(sentences):
    return Contents(sentence_keys(sentences), np.array(list(map(len, sentences)), np.int64))


@given(st.lists(st.lists(SENTENCES, max_size=5), max_size=4), st.lists(SENTENCES, max_size=9))
def test_like_a_dictionary(segments, others):
    expected = {}
    for number, sentences in enumerate(segments):
        row = 0
        for sentence in sentences:
            expected.setdefault(sentence, (number, row))
            row += len(sentence)
    index = FeatureIndex(list(map(segment_of, segments)))
    asked = [*others, *reversed(list(expected)), *others]
    numbers, rows = index.find(asked)
    found = list(zip(numbers.tolist(), rows.tolist()))
    assert found == [expected.get(sentence, (-1, 0)) for sentence in asked]


def test_nothing():
    for segments in ([], [segment_of([])]):
        numbers, rows = FeatureIndex(segments).find([("a",)])
        assert (numbers.tolist(), rows.tolist()) == ([-1], [0])
        assert [len(part) for part in FeatureIndex(segments).find([])] == [0, 0]


def test_half_a_key_is_not_enough(monkeypatch):
    """Of sentences whose keys begin alike one may be taken for missing, none for another."""

    def alike(sentences):
        keys = sentence_keys(sentences)
        keys[:, 0] = 7
        return keys

    monkeypatch.setattr(feature_index, "sentence_keys", alike)
    keys = alike([("a",), ("b",), ("c",)])
    index = FeatureIndex([Contents(keys, np.array([1, 1, 1]))])
    numbers, rows = index.find([("c",), ("a",), ("b",), ("d",)])
    assert numbers.tolist() == [-1, 0, -1, -1] and rows.tolist() == [0, 0, 0, 0]
