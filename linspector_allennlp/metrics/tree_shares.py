"""How far predicted distances, depths and edges agree with dependency trees, sentence by sentence."""

import numpy as np

from linspector_allennlp.metrics.sentence_scores import Shares
from linspector_allennlp.metrics.spearman import sentence_correlations
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
