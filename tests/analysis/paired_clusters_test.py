import numpy
import pytest

from linspector_allennlp.analysis.paired_clusters import PairedClusters


def test_by_hand():
    """Two seeds of A, three of B, five items in two sentences."""
    a = [[1, 0, 1, 0, 0], [1, 1, 0, 0, 1]]
    b = [[1, 1, 1, 0, 1], [1, 0, 1, 1, 1], [0, 1, 1, 1, 1]]
    scores = PairedClusters.of_items(a, b, ["s", "t", "s", "t", "t"])
    assert scores.right_a.tolist() == [[2, 0], [1, 2]]
    assert scores.right_b.tolist() == [[2, 2], [2, 2], [1, 3]]
    assert scores.sizes.tolist() == [2, 3]
    # Of s: 2 · (2 + 2 + 1) - 3 · (2 + 1).
    assert scores.gains.tolist() == [1, 8] and scores.weights.tolist() == [12, 18]
    assert scores.difference == pytest.approx(12 / 15 - 5 / 10)


def test_one_row_is_one_seed():
    scores = PairedClusters.of_items([True, False], numpy.array([True, True]), [7, 8])
    assert scores.right_a.tolist() == [[1, 0]] and scores.gains.tolist() == [0, 1]


def test_other_numbers_of_items():
    with pytest.raises(ValueError, match="found 2, 1 and 2"):
        PairedClusters.of_items([[True, False]], [[True]], [0, 1])
