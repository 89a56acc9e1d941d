"""Hashes that are the same on every machine and Python, for everything that looks like chance."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy

GOLDEN_RATIO = numpy.uint64(0x9E3779B97F4A7C15)

KEYS_AT_A_TIME = 128


def hash_keys(keys: Iterable[bytes], seed: int = 0) -> numpy.ndarray:
    """A stable 64-bit hash for each key."""
    salt = seed.to_bytes(8, "little", signed=True)
    digests = b"".join(blake2b(key, digest_size=8, salt=salt).digest() for key in keys)
    return numpy.frombuffer(digests, dtype="<u8").astype(numpy.uint64)


def scrambled(bits: numpy.ndarray) -> numpy.ndarray:
    """
    The output of a SplitMix64 generator (Steele, Lea & Flood 2014) in these states: a one-to-one
    function in which every bit depends on every bit.
    """
    bits = (bits ^ (bits >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> numpy.uint64(31))


def checksums(rows: numpy.ndarray) -> numpy.ndarray:
    """
    A 64-bit checksum for each row of the last axis: a sum of its components, read as whole numbers,
    each times an odd number of its own, so that no change of one of them is missed; not 0 for zeros.
    """
    numbers = numpy.ascontiguousarray(rows).view(f"u{rows.dtype.itemsize}").astype(numpy.uint64)
    factors = scrambled(numpy.arange(1, numbers.shape[-1] + 1, dtype=numpy.uint64)) | numpy.uint64(
        1
    )
    return numpy.einsum("...i,i->...", numbers, factors) + GOLDEN_RATIO


def hashed_vectors(keys: Sequence[str], dimension: int, seed: int) -> numpy.ndarray:
    """
    A float32 vector for each key, its components independent and uniform with mean 0 and
    variance 1. Counter-based: component i of a key is the i-th output of a SplitMix64 generator
    that starts at the key's hash, so no table is kept.
    """
    counters = numpy.arange(1, dimension + 1, dtype=numpy.uint64) * GOLDEN_RATIO
    hashes = hash_keys((key.encode() for key in keys), seed)[:, None]
    vectors = numpy.empty((len(keys), dimension), numpy.float32)
    # So few at a time stay in the processor's cache, which makes it three times faster.
    for first in range(0, len(keys), KEYS_AT_A_TIME):
        here = slice(first, first + KEYS_AT_A_TIME)
        # Shape: (some_keys, dimension)
        bits = scrambled(hashes[here] + counters)
        # The 24 upper bits are what a float32 can hold exactly.
        unit_interval = (bits >> numpy.uint64(40)).astype(numpy.float32) * numpy.float32(2**-24)
        vectors[here] = (unit_interval - numpy.float32(0.5)) * numpy.float32(12**0.5)
    return vectors
