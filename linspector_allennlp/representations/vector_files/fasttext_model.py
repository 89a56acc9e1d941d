"""Reads vectors from fastText's own model files: all of the dictionary, few rows of the matrix."""

import mmap
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from allennlp.common.checks import ConfigurationError
from scipy.sparse import csr_matrix

from linspector_allennlp.io.regular import open_regular
from linspector_allennlp.representations.vector_files.fasttext_layout import FastTextLayout

_BLOCK = 1024  # words whose rows are in memory at a time
_SAMPLE = 10_000  # words that the mean and the scale are computed from


class FastTextModel:
    """
    A fastText model (`.bin`) whose matrix stays on the disk. The vector of a word is the mean of
    its own row, if it is in the vocabulary, and of the rows of its character n-grams: as gensim
    computes it, and fastText itself for all words but its end of line, `</s>`. Where a word is
    twice in the vocabulary, its last row counts, as in fastText.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        with open_regular(self.path) as file:
            if not os.fstat(file.fileno()).st_size:
                raise ValueError(f"{self.path}: expected a fastText model (.bin); found no bytes.")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        layout = FastTextLayout(self._map, self.path)
        header, self._starts = layout.header, layout.word_starts
        self.dimension = header.dimension
        self.has_subwords = layout.has_subwords
        self._ngrams = header.shortest, header.longest, header.buckets
        if self.has_subwords:
            self._ngram_hashes = _import_ngram_hashes()
        # Hashes and places in the file take a seventh of the memory of a `dict` of the words. No
        # index leaves its process, so that Python's own hash will do.
        words = map(self._word, range(len(self)))
        hashes = np.fromiter(map(hash, words), np.int64, len(self))
        self._row_of = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._row_of]
        shape = len(self) + header.buckets, self.dimension
        numbers = np.frombuffer(self._map, "<f4", shape[0] * shape[1], layout.matrix_start)
        self._matrix = numbers.reshape(shape)
        if hasattr(mmap, "MADV_RANDOM"):  # or the system reads many pages around each row
            self._map.madvise(mmap.MADV_RANDOM)

    def __len__(self) -> int:
        return len(self._starts)

    def _word(self, row: int) -> bytes:
        start = int(self._starts[row])
        return self._map[start : self._map.find(b"\0", start)]

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """The row of each word, -1 where it is not in the vocabulary."""
        encoded = [word.encode() for word in words]
        hashes = np.fromiter(map(hash, encoded), np.int64, len(encoded))
        rows = np.full(len(words), -1, dtype=np.int64)
        firsts = np.searchsorted(self._hashes, hashes, "left").tolist()
        ends = np.searchsorted(self._hashes, hashes, "right").tolist()
        for i, (first, end) in enumerate(zip(firsts, ends)):
            for row in self._row_of[first:end].tolist():
                if self._word(row) == encoded[i]:
                    rows[i] = row
        return rows

    def ngram_rows(self, word: str) -> list[int]:
        """The rows of a word's n-grams; none where it is shorter than all n-grams of the model."""
        if not self.has_subwords:
            return []
        return [len(self) + bucket for bucket in self._ngram_hashes(word, *self._ngrams)]

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """A float32 vector for each word, in the vocabulary or not; zeros where it has no rows."""
        return self._compose(words, self.rows(words))

    def _compose(self, words: Sequence[str], own_rows: np.ndarray) -> np.ndarray:
        vectors = np.empty((len(words), self.dimension), dtype=np.float32)
        for start in range(0, len(words), _BLOCK):
            block = slice(start, start + _BLOCK)
            chosen = [
                [row] * (row >= 0) + self.ngram_rows(word)
                for word, row in zip(words[block], own_rows[block].tolist())
            ]
            vectors[block] = row_means(chosen, self._matrix.__getitem__, self.dimension)
        for i in np.flatnonzero(~np.isfinite(vectors).all(axis=1)).tolist():
            raise ValueError(
                f"{self.path}: expected finite numbers; found others in the vector of {words[i]!r}. "
                "Fetch the file again."
            )
        return vectors

    @cached_property
    def _sample(self) -> np.ndarray:
        rows = np.linspace(0, len(self) - 1, min(_SAMPLE, len(self))).astype(np.int64)
        words = [self._word(row).decode(errors="backslashreplace") for row in rows]
        return self._compose(words, rows)

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean vector of all words; of 10,000, evenly spread, where there are more."""
        return self._sample.mean(axis=0, dtype=np.float64).astype(np.float32)

    @cached_property
    def scale(self) -> float:
        """The root mean square of all components of these vectors."""
        return float(np.sqrt(np.mean(self._sample**2, dtype=np.float64)))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path,)


def row_means(
    chosen: Sequence[Sequence[int]],
    read: Callable[[np.ndarray], np.ndarray],
    dimension: int,
) -> np.ndarray:
    """
    The means of few rows each of a matrix that is too large to be read: for each list of rows the mean
    of these rows, zeros for an empty list.

    # Parameters

    chosen : `Sequence[Sequence[int]]`
        A row counts as often as it is named.
    read : `Callable[[np.ndarray], np.ndarray]`
        Gives the rows that are asked for as float32. It is called once, with each row once, in
        rising order.
    dimension : `int`
        The length of a row.

    # Returns

    `np.ndarray`, float32. Shape: (len(chosen), dimension)
    """
    lengths = np.array([len(rows) for rows in chosen], dtype=np.int64)
    if not lengths.any():
        return np.zeros((len(chosen), dimension), dtype=np.float32)
    flat = np.fromiter((row for rows in chosen for row in rows), np.int64, lengths.sum())
    distinct, columns = np.unique(flat, return_inverse=True)
    # Shape: (len(chosen), num_distinct_rows)
    counts = csr_matrix(
        (np.ones(len(flat), np.float32), columns, [0, *np.cumsum(lengths)]),
        shape=(len(chosen), len(distinct)),
    )
    return (counts @ read(distinct)) / np.maximum(lengths, 1).astype(np.float32)[:, None]


def _import_ngram_hashes() -> Callable[[str, int, int, int], list[int]]:
    try:
        from gensim.models.fasttext import ft_ngram_hashes
    except ImportError as error:
        raise ConfigurationError(
            "The n-grams of fastText need a package: pip install 'gensim>=4.3'"
        ) from error
    return ft_ngram_hashes
