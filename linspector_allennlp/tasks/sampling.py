"""
Chance without a random generator: everything that is drawn has a stable hash, the seed and the
purpose of the draw are mixed into it, and the smallest keys win. A draw so depends on what is
drawn from, not on the order in which it was read, and is the same on any machine and Python.
"""

from collections.abc import Iterable

import numpy as np

from linspector_allennlp.io.hashing import GOLDEN_RATIO, hash_keys, scrambled


def stable_hash(text: str) -> int:
    """64 bits that depend on the text only."""
    return int(stable_hashes([text])[0])


def stable_hashes(texts: Iterable[str]) -> np.ndarray:
    """`stable_hash` of each text."""
    # Shape: (texts,)
    return hash_keys(text.encode("utf-8") for text in texts)


def draw_keys(hashes: np.ndarray, seed: int, purpose: str) -> np.ndarray:
    """
    A key for everything that can be drawn; sorting by it is a shuffle. Another seed or purpose
    gives an unrelated order.
    """
    # Shape: (hashes,)
    return _mixed(hashes ^ np.uint64(stable_hash(f"{seed} {purpose}")))


def mixed_hashes(*hashes: np.ndarray) -> np.ndarray:
    """One hash of several, in their order."""
    mixed = np.zeros_like(hashes[0])
    for some in hashes:
        mixed = _mixed(mixed + some)
    return mixed


def pair_hashes(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """A hash of two hashes, the same for both orders."""
    return mixed_hashes(np.minimum(first, second), np.maximum(first, second))


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
    return scrambled(state + GOLDEN_RATIO)
