"""
Dependency trees as arrays: path lengths, depths, and minimum spanning trees, many sentences at a time.

The words of a sentence are numbered from 0, and a head is the number of a word, or `ROOT`. Sentences
of different lengths stand in one array, with `mask` telling which places have a word.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

ROOT = -1
"""The head of the word that has none."""


class BadTree(ValueError):
    """Heads that make no tree; `word` is the number of the word where that shows."""

    def __init__(self, expected: str, found: str, word: int) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected = expected
        self.found = found
        self.word = word


class Edges(NamedTuple):
    """Edges of several trees: that of sentence `sentence[k]` between the words `first[k]` < `second[k]`."""

    sentence: np.ndarray
    first: np.ndarray
    second: np.ndarray

    def matrix(self, shape: tuple[int, ...]) -> np.ndarray:
        """Whether there is an edge, on one side of the diagonal. Shape: (batch, n, n)"""
        result = np.zeros(shape, dtype=bool)
        result[tuple(self)] = True
        return result


def check_tree(heads: Sequence[int]) -> None:
    """Raises `BadTree` unless these heads make one tree with one root."""
    n = len(heads)
    for word, head in enumerate(heads):
        if not (head == ROOT or 0 <= head < n) or head == word:
            other = "itself" if head == word else head + 1
            raise BadTree(f"the id of another word (1 to {n}) or 0 as head", str(other), word)
    roots = [word for word, head in enumerate(heads) if head == ROOT]
    if len(roots) > 1:
        raise BadTree(
            "one root", f"{len(roots)}: words {', '.join(str(r + 1) for r in roots)}", roots[1]
        )
    reaches_root = set(roots)
    for word in range(n):
        path: dict[int, None] = {}
        at = word
        while at not in reaches_root:
            if at in path:
                cycle = list(path)[list(path).index(at) :]
                shown = " → ".join(str(w + 1) for w in [*cycle, at])
                raise BadTree("a path from every word to the root", f"a cycle: {shown}", at)
            path[at] = None
            at = heads[at]
        reaches_root.update(path)


def path_lengths(heads: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """
    The number of edges between any two words; from the root they are the depths. The path between two
    words leads over their lowest common ancestor, so it has as many edges as there are words above (or
    equal to) the one or the other but not both.

    # Parameters

    heads, mask : `numpy.ndarray`
        Shape: (batch, n)

    # Returns

    `numpy.ndarray`, int16; 0 for padding. Shape: (batch, n, n)
    """
    batch, n = heads.shape
    # Whether a word (second axis) has an ancestor (third axis), itself being one.
    above = np.zeros((batch, n, n), dtype=np.float32)
    sentence, word = np.nonzero(mask)
    ancestor = word
    for _ in range(n + 1):
        if not len(word):
            break
        above[sentence, word, ancestor] = 1
        ancestor = heads[sentence, ancestor]
        climbing = ancestor != ROOT
        sentence, word, ancestor = sentence[climbing], word[climbing], ancestor[climbing]
    else:
        raise ValueError("expected trees, found a cycle among the heads.")
    # Shape: (batch, n, n)
    common = above @ above.swapaxes(1, 2)
    own = np.diagonal(common, axis1=1, axis2=2)
    lengths = own[:, :, None] + own[:, None, :] - 2 * common
    return np.where(mask[:, :, None] & mask[:, None, :], lengths, 0).astype(np.int16)


def tree_edges(heads: np.ndarray, mask: np.ndarray) -> Edges:
    """The edges of trees, but those of which an end is not in the mask. Shape: (batch, n)"""
    sentence, word = np.nonzero(mask & (heads != ROOT))
    head = heads[sentence, word]
    kept = mask[sentence, head]
    sentence, word, head = sentence[kept], word[kept], head[kept]
    return Edges(sentence, np.minimum(word, head), np.maximum(word, head))


def spanning_trees(weights: np.ndarray, mask: np.ndarray) -> Edges:
    """
    The minimum spanning tree of the words of each sentence. Of equal weights, the pair that comes first
    (by its first word, then its second) goes first, on every machine.

    # Parameters

    weights : `numpy.ndarray`
        Of the pairs; what stands above the diagonal counts. Shape: (batch, n, n)
    mask : `numpy.ndarray`
        The words that are spanned. Shape: (batch, n)
    """
    batch, n = mask.shape
    pairs = mask[:, :, None] & mask[:, None, :] & np.triu(np.ones((n, n), dtype=bool), k=1)
    sentence, first, second = np.nonzero(pairs)
    if not np.isfinite(weights[pairs]).all():
        raise ValueError("expected finite distances between words, found others.")
    # SciPy takes a weight of 0 for no edge, and its order of equal weights is its own: it gets ranks.
    order = np.argsort(weights[pairs], kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    ends = np.cumsum(pairs.sum(axis=2).ravel())
    graph = csr_matrix(
        (ranks, sentence * n + second, np.append(0, ends)), shape=(batch * n, batch * n)
    )
    forest = minimum_spanning_tree(graph).tocoo()
    return Edges(forest.row // n, forest.row % n, forest.col % n)


def rooted_heads(edges: Edges, mask: np.ndarray) -> np.ndarray:
    """The heads of the words of undirected trees that span the mask, with the first word as root."""
    batch, n = mask.shape
    top = batch * n  # above all roots, so that one walk passes through all trees
    has_words = np.flatnonzero(mask.any(axis=1))
    roots = has_words * n + mask[has_words].argmax(axis=1)
    rows = np.concatenate([edges.sentence * n + edges.first, np.full(len(roots), top)])
    columns = np.concatenate([edges.sentence * n + edges.second, roots])
    graph = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(top + 1, top + 1))
    _, above = breadth_first_order(graph, top, directed=False)
    heads = np.where((above[:top] < 0) | (above[:top] == top), ROOT, above[:top] % n)
    return heads.reshape(batch, n)
