"""
Words with a space in a binary file of word2vec, which ends a word there. What is after the space is then
read as numbers, the numbers after it are moved by as many bytes, and what is left over of them is read as
the beginning of the next word.
"""

from typing import Optional

import numpy as np

# A number that begins in the middle of another is mostly far outside of these.
_TINY, _HUGE = 1e-12, 1e9
_FEWEST = 8  # numbers in a vector by which it can be told

LONGEST_REST = 100
"""Bytes of a word after its first space that are looked for."""


def strange_rows(vectors: np.ndarray) -> list[int]:
    """The rows in which a number is of a size that vectors do not have."""
    sizes = np.abs(vectors)
    usual = (sizes == 0) | ((sizes > _TINY) & (sizes < _HUGE))  # not a number is neither
    return np.flatnonzero(~usual.all(axis=1)).tolist()


def word_with_space(word: bytes, vector: bytes, following: bytes) -> Optional[bytes]:
    """
    The word as it must have been, if its vector begins with the rest of it: then the bytes after that are
    numbers of a usual size.

    # Parameters

    vector : `bytes`
        As it was read, little-endian float32s.
    following : `bytes`
        What follows in the file.
    """
    place = vector.find(b" ")
    while 0 <= place < LONGEST_REST and len(vector) >= 4 * _FEWEST:
        rest, moved = vector[:place], vector[place + 1 :] + following[: place + 1]
        if len(moved) == len(vector) and _is_text(rest):
            if not strange_rows(np.frombuffer(moved, "<f4")[None]):
                return word + b" " + rest
        place = vector.find(b" ", place + 1)
    return None


def _is_text(rest: bytes) -> bool:
    try:
        return rest.decode().replace(" ", "").isprintable()
    except UnicodeDecodeError:
        return False
