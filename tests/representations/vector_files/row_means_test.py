import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.representations.vector_files.row_means import row_means

MATRIX = numpy.array([[1, 2], [3, 4], [-5, 0]], dtype=numpy.float32)


def test_by_hand():
    means = row_means([[0, 1], [], [2, 2, 1]], MATRIX.__getitem__, 2)
    assert means.dtype == numpy.float32
    assert means == pytest.approx(numpy.array([[2, 3], [0, 0], [-7 / 3, 4 / 3]]))


def test_nothing_is_read_where_there_is_nothing_to_read():
    assert row_means([[], []], MATRIX.__getitem__, 2).tolist() == [[0, 0], [0, 0]]
    assert row_means([], MATRIX.__getitem__, 2).shape == (0, 2)


@given(st.lists(st.lists(st.integers(0, 2))))
def test_each_row_is_read_once(chosen):
    asked = []

    def read(rows):
        asked.append(rows.tolist())
        return MATRIX[rows]

    means = row_means(chosen, read, 2)
    assert asked in ([], [sorted({row for rows in chosen for row in rows})])
    for rows, mean in zip(chosen, means):
        assert mean == pytest.approx(MATRIX[rows].mean(axis=0) if rows else [0, 0], abs=1e-6)
