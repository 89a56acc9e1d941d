"""
Chance without a random generator: everything that is drawn has a stable hash, the seed and the
purpose of the draw are mixed into it, and the smallest keys win. A draw so depends on what is
drawn from, not on the order in which it was read, and is the same on any machine and Python.
"""

import hashlib
from collections.abc import Iterable

import numpy as np

_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


def stable_hash(text: str) -> int:
    """64 bits of BLAKE2b."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "little")


def stable_hashes(texts: Iterable[str]) -> np.ndarray:
    """`stable_hash` of each text."""
    # Shape: (texts,)
    return np.fromiter(map(stable_hash, texts), dtype=np.uint64)


def draw_keys(hashes: np.ndarray, seed: int, purpose: str) -> np.ndarray:
    """
    A key for everything that can be drawn; sorting by it is a shuffle. Another seed or purpose
    gives an unrelated order.
    """
    # Shape: (hashes,)
    return _mixed(hashes ^ np.uint64(stable_hash(f"{seed} {purpose}")))


def pair_hashes(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """A hash of two hashes, the same for both orders."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    # Shape: (pairs,)
    return _mixed(_mixed(low) + high)


def chance(keys: np.ndarray, probability: float) -> np.ndarray:
    """True for this share of the keys, the smallest ones."""
    if probability >= 1:
        return np.ones(len(keys), dtype=bool)
    return keys < np.uint64(int(probability * 2**64))


def drawn(candidates: np.ndarray, keys: np.ndarray, number: int) -> np.ndarray:
    """The `number` candidates (indices into `keys`) with the smallest keys, in that order."""
    chosen = keys[candidates]
    if number < len(candidates):
        few = np.argpartition(chosen, number - 1)[:number] if number else np.empty(0, dtype=int)
        candidates, chosen = candidates[few], chosen[few]
    return candidates[np.argsort(chosen, kind="stable")]


def rounded(share: float, number: int) -> int:
    """`share` of `number`, halves upwards."""
    return int(share * number + 0.5)


def _mixed(state: np.ndarray) -> np.ndarray:
    """One step of SplitMix64 (Steele, Lea and Flood 2014): every bit depends on every bit."""
    state = state + _INCREMENT
    for shift, multiplier in zip(_SHIFTS, _MULTIPLIERS):
        state = (state ^ (state >> shift)) * multiplier
    return state ^ (state >> _SHIFTS[-1])
