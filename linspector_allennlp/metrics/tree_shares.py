"""How far predicted distances, depths and edges agree with dependency trees, sentence by sentence."""

from typing import Any

import numpy as np
from scipy.stats import rankdata

from linspector_allennlp.metrics.sentence_scores import LENGTHS, Shares
from linspector_allennlp.trees import ROOT, path_lengths, rooted_heads, spanning_trees, tree_edges


def edge_shares(predicted: np.ndarray, heads: np.ndarray, kept: np.ndarray) -> Shares:
    """
    `uuas`: of the edges of a tree between words that are kept, how many are in the minimum spanning
    tree of these words under the predicted distances.

    # Parameters

    predicted : `numpy.ndarray`
        Shape: (batch, n, n)
    heads, kept : `numpy.ndarray`
        Shape: (batch, n)
    """
    gold = tree_edges(heads, kept).matrix(predicted.shape)
    found = spanning_trees(predicted, kept).matrix(predicted.shape)
    return {"uuas": ((gold & found).sum(axis=(1, 2)), gold.sum(axis=(1, 2)))}


def distance_shares(predicted: np.ndarray, distances: np.ndarray, mask: np.ndarray) -> Shares:
    """
    `dspr`: Spearman's ρ of a word's gold and predicted distances to all words, itself among them;
    `dspr_pfw`: the same with the path lengths of the predicted tree (DSpr_{P+FW}, by Prim and
    Floyd–Warshall in Hall Maudslay et al. 2020).

    # Parameters

    predicted, distances : `numpy.ndarray`
        Shape: (batch, n, n)
    mask : `numpy.ndarray`
        Shape: (batch, n)
    """
    lengths = mask.sum(axis=1)
    steps = path_lengths(rooted_heads(spanning_trees(predicted, mask), mask), mask)
    return {
        "dspr": sentence_correlations(predicted, distances, lengths),
        "dspr_pfw": sentence_correlations(steps, distances, lengths),
    }


def depth_shares(
    predicted: np.ndarray, depths: np.ndarray, heads: np.ndarray, mask: np.ndarray, kept: np.ndarray
) -> Shares:
    """
    `root_accuracy`: whether the word of the least predicted depth, among those that are kept, is the
    root (a sentence of which no word is kept counts as an error); `nspr`: Spearman's ρ of gold and
    predicted depths. Shape of all: (batch, n)
    """
    is_root = mask & (heads == ROOT)
    found = np.where(kept, predicted, np.inf).argmin(axis=1)
    right = is_root[np.arange(len(found)), found] & kept.any(axis=1)
    return {
        "root_accuracy": (right, np.ones(len(right))),
        "nspr": sentence_correlations(predicted, depths, mask.sum(axis=1)),
    }


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
