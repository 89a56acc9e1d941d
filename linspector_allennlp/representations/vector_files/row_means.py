"""Means of few rows each of a matrix that is too large to be read."""

from collections.abc import Callable, Sequence

import numpy
from scipy.sparse import csr_matrix


def row_means(
    chosen: Sequence[Sequence[int]],
    read: Callable[[numpy.ndarray], numpy.ndarray],
    dimension: int,
) -> numpy.ndarray:
    """
    For each list of rows the mean of these rows; zeros for an empty list.

    # Parameters

    chosen : `Sequence[Sequence[int]]`
        A row counts as often as it is named.
    read : `Callable[[numpy.ndarray], numpy.ndarray]`
        Gives the rows that are asked for as float32. It is called once, with each row once, in
        rising order.
    dimension : `int`
        The length of a row.

    # Returns

    `numpy.ndarray`, float32. Shape: (len(chosen), dimension)
    """
    lengths = numpy.array([len(rows) for rows in chosen], dtype=numpy.int64)
    if not lengths.any():
        return numpy.zeros((len(chosen), dimension), dtype=numpy.float32)
    flat = numpy.fromiter((row for rows in chosen for row in rows), numpy.int64, lengths.sum())
    distinct, columns = numpy.unique(flat, return_inverse=True)
    # Shape: (len(chosen), num_distinct_rows)
    counts = csr_matrix(
        (numpy.ones(len(flat), numpy.float32), columns, [0, *numpy.cumsum(lengths)]),
        shape=(len(chosen), len(distinct)),
    )
    return (counts @ read(distinct)) / numpy.maximum(lengths, 1).astype(numpy.float32)[:, None]
