"""Rows of vectors or numbers, of which every instance has its own number."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch


class Ragged(NamedTuple):
    """What several instances have, one after the other: instance i has `lengths[i]` rows of `values`."""

    values: torch.Tensor
    """Shape: (num_rows, …)"""
    lengths: torch.Tensor
    """Shape: (num_instances,)"""

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]], dtype: torch.dtype = torch.long) -> "Ragged":
        """From the rows of each instance."""
        values = torch.tensor([row for each in rows for row in each], dtype=dtype)
        return cls(values, torch.tensor(list(map(len, rows))))

    @classmethod
    def joined(cls, parts: Sequence["Ragged"]) -> "Ragged":
        return cls(*(torch.cat(tensors) for tensors in zip(*parts)))

    def rows_of(self, instances: torch.Tensor) -> torch.Tensor:
        """The numbers of the rows of these instances, one instance after the other."""
        lengths = self.lengths[instances]
        ends = lengths.cumsum(0)
        first_rows = self.lengths.cumsum(0)[instances] - lengths
        # Row k of the result is row k − (end − length) of its instance.
        shifts = (first_rows - (ends - lengths)).repeat_interleave(lengths)
        return torch.arange(len(shifts), device=shifts.device) + shifts

    def take(self, instances: torch.Tensor) -> "Ragged":
        return Ragged(self.values[self.rows_of(instances)], self.lengths[instances])

    def to(self, device: torch.device) -> "Ragged":
        return Ragged(self.values.to(device), self.lengths.to(device))
