"""Hashes that are the same on every machine and Python, for everything that looks like chance."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy

GOLDEN_RATIO = numpy.uint64(0x9E3779B97F4A7C15)


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
