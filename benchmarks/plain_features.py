"""Features of a task folder without this package: a plain reader and gensim's vectors."""

from pathlib import Path

import numpy
import torch
from gensim.models import KeyedVectors


class PlainFeatures:
    """Word vectors by gensim; an unknown word gets the mean of all."""

    def __init__(self, path):
        self._vectors = KeyedVectors.load_word2vec_format(path)
        self._mean = self._vectors.vectors.mean(axis=0, dtype=numpy.float64).astype("float32")

    def task(self, folder, kind):
        """{"train": (features, labels), …} and the number of labels."""
        rows = {
            split: [
                line.rstrip("\n").split("\t")
                for line in open(Path(folder, f"{split}.txt"), encoding="utf-8")
            ]
            for split in ("train", "dev", "test")
        }
        labels = sorted({row[-1] for row in rows["train"]})
        return {
            split: (
                torch.tensor(numpy.stack([self._features(row, kind) for row in rows[split]])),
                torch.tensor(
                    [labels.index(row[-1]) if row[-1] in labels else -1 for row in rows[split]]
                ),
            )
            for split in rows
        }, len(labels)

    def _features(self, row, kind):
        if kind == "token_in_context":
            return self._vector(row[0].split(" ")[int(row[1])])
        return numpy.concatenate([self._vector(word) for word in row[:-1]])

    def _vector(self, word):
        return self._vectors[word] if word in self._vectors else self._mean
