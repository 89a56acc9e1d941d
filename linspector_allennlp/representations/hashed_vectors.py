"""Random vectors that are a fixed function of (seed, key), the same on every machine."""

from collections.abc import Sequence

import numpy

from linspector_allennlp.io.hashing import GOLDEN_RATIO, hash_keys, scrambled


def hashed_vectors(keys: Sequence[str], dimension: int, seed: int) -> numpy.ndarray:
    """
    A float32 vector for each key, its components independent and uniform with mean 0 and
    variance 1. Counter-based: component i of a key is the i-th output of a SplitMix64 generator
    that starts at the key's hash, so no table is kept.
    """
    counters = numpy.arange(1, dimension + 1, dtype=numpy.uint64) * GOLDEN_RATIO
    # Shape: (num_keys, dimension)
    bits = scrambled(hash_keys((key.encode() for key in keys), seed)[:, None] + counters)
    # The 24 upper bits are what a float32 can hold exactly.
    unit_interval = (bits >> numpy.uint64(40)).astype(numpy.float32) * numpy.float32(2**-24)
    return (unit_interval - numpy.float32(0.5)) * numpy.float32(12**0.5)
