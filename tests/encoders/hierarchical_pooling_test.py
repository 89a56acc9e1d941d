import numpy
from hypothesis import given
from hypothesis import strategies as st

from tests.encoders.word_rows import build, rows_of


def test_words_by_hand():
    rows = rows_of([
        [[1, 9], [2, 0], [6, 3]],
        [[5, 1], [-4, 2]],
        [[0, 0], [1, 6], [2, 0], [9, 0]],
    ])  # fmt: skip
    # The means of three are (3, 4); the second is too short; (1, 2) and (4, 2).
    assert build("hierarchical_pooling", 2, window=3)(rows).tolist() == [[3, 4], [5, 2], [4, 2]]
    assert build("hierarchical_pooling", 2, window=1)(rows).tolist() == [[6, 9], [5, 2], [9, 6]]
    assert build("hierarchical_pooling", 2, window=9)(rows).tolist() == [[6, 9], [5, 2], [9, 6]]
    assert build("hierarchical_pooling", 2, window=3).provenance() == {"window": 3}


@given(
    lengths=st.lists(st.integers(1, 7), min_size=1, max_size=6),
    window=st.integers(1, 8),
    seed=st.integers(0, 99),
)
def test_any_lengths_sentence_by_sentence(lengths, window, seed):
    rng = numpy.random.default_rng(seed)
    sentences = [rng.normal(size=(length, 3)) for length in lengths]
    expected = []
    for words in sentences:
        windows = [words[i : i + window].mean(axis=0) for i in range(len(words) - window + 1)]
        expected.append(numpy.max(windows if windows else words, axis=0))
    found = build("hierarchical_pooling", 3, window=window)(rows_of(sentences))
    numpy.testing.assert_allclose(found, expected, atol=1e-5)
