"""Chance in making an item: numbers that depend on the seed, the purpose and the sentence only."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from linspector_allennlp.io.hashing import GOLDEN_RATIO, scrambled
from linspector_allennlp.tasks.sampling import stable_hash

T = TypeVar("T")

_BLOCK = 16  # numbers made at a time
_STEPS = np.arange(1, _BLOCK + 1, dtype=np.uint64) * GOLDEN_RATIO


class Chance:
    """
    A stream of numbers of 64 bits, the outputs of a SplitMix64 generator: the same on any machine,
    whatever was read before.

    # Parameters

    seed : `int`
    purpose : `str`
        What is decided. Another purpose gives unrelated numbers.
    text : `str`
        What it is decided for.
    """

    def __init__(self, seed: int, purpose: str, text: str) -> None:
        self._state = np.array([stable_hash(f"{seed} {purpose}\t{text}")], dtype=np.uint64)
        self._numbers: list[int] = []

    def below(self, number: int) -> int:
        """One of 0, 1, …, `number` - 1, all equally likely."""
        if not self._numbers:
            self._numbers = scrambled(self._state + _STEPS).tolist()
            self._state = self._state + _STEPS[-1]
        return self._numbers.pop() % number

    def coin(self) -> bool:
        return bool(self.below(2))

    def one_of(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Fisher and Yates's."""
        mixed = list(things)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed
