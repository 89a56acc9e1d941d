"""
What a probe's probabilities are worth, in bits: the usable information of Xu et al. (2020) in a
representation is how many bits it spares an item, compared with a predictor that sees no input.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.trees import ROOT


def label_information(train: Sequence[Item], test: Sequence[Item], nats: float) -> dict[str, float]:
    """
    `bits` is the cross-entropy of the probe on the test items; `label_bits` that of a predictor that
    gives each label its share of the training items; `usable_bits` the difference, below 0 where the
    probe does worse than that. Items whose label training has not seen have no finite cost for
    either, and are left out.

    # Parameters

    nats : `float`
        The sum of −ln p that the probe gives the right labels of the test items.
    """
    counts, total = Counter(item.label for item in train), len(train)
    known = [item.label for item in test if item.label in counts]
    label_bits = sum(math.log2(total / counts[label]) for label in known)
    return _per_item(nats, label_bits, len(known))


def head_information(
    train: Iterable[np.ndarray], test: Iterable[np.ndarray], nats: float
) -> dict[str, float]:
    """
    The same for the heads of words. The predictor without input knows how often a head stands so many
    places before or after its word in training (each is counted once more, so that none is
    impossible), and the length of the sentence.

    # Parameters

    train, test : `Iterable[numpy.ndarray]`
        The heads of each sentence, 0-based, `ROOT` for the root.
    """
    train, test = list(train), list(test)
    longest = max(map(len, [*train, *test]))
    # How often a head is `offset` places after its word, at place `offset + longest`.
    counts = np.ones(2 * longest + 1)
    for heads in train:
        words = np.flatnonzero(heads != ROOT)
        np.add.at(counts, heads[words] - words + longest, 1)
    label_bits, num_words = 0.0, 0
    for heads in test:
        words = np.flatnonzero(heads != ROOT)
        # Shape: (num_scored_words, num_words)
        weights = counts[np.arange(len(heads)) - words[:, None] + longest]
        shares = weights[np.arange(len(words)), heads[words]] / weights.sum(axis=1)
        label_bits -= float(np.log2(shares).sum())
        num_words += len(words)
    return _per_item(nats, label_bits, num_words)


def _per_item(nats: float, label_bits: float, num_items: int) -> dict[str, float]:
    if not num_items:
        return {}
    bits = nats / math.log(2) / num_items
    prior = label_bits / num_items
    return {"bits": bits, "label_bits": prior, "usable_bits": prior - bits}
