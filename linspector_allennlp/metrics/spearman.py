"""Spearman's correlation of many rows at once."""

from typing import Any

import numpy as np
from scipy.stats import rankdata

LENGTHS = (5, 50)
"""Correlations are reported over sentences of 5 to 50 words (Hewitt & Manning 2019)."""


def row_correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """
    Spearman's ρ along the last axis; ties have the mean of their ranks, and where all of a row is
    equal, there is none (NaN). Shape: (…, n) → (…)
    """
    ranks = [rankdata(values, axis=-1) for values in (x, y)]
    x, y = (values - values.mean(axis=-1, keepdims=True) for values in ranks)
    variances = (x * x).sum(axis=-1) * (y * y).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(variances > 0, (x * y).sum(axis=-1) / np.sqrt(variances), np.nan)


def sentence_correlations(
    x: np.ndarray, y: np.ndarray, lengths: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """
    For each sentence the sum of the correlations of its rows, and how many rows have one. Sentences
    whose length is not reported on have none.

    # Parameters

    x, y : `numpy.ndarray`
        A row for each sentence, (batch, n), or for each of its words, (batch, n, n).
    lengths : `numpy.ndarray`
        Shape: (batch,)
    """
    sums, counts = np.zeros(len(lengths)), np.zeros(len(lengths))
    for length in np.unique(lengths):
        if LENGTHS[0] <= length <= LENGTHS[1]:
            here = np.flatnonzero(lengths == length)
            words: Any = (here, *[slice(length)] * (x.ndim - 1))
            found = row_correlations(x[words], y[words]).reshape(len(here), -1)
            sums[here] = np.nansum(found, axis=1)
            counts[here] = np.isfinite(found).sum(axis=1)
    return sums, counts
