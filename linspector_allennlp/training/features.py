"""The features that a probe trains and is scored on, and how they come in batches."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Optional, Union

import torch
from allennlp.data import DataLoader

from linspector_allennlp.fields import Record
from linspector_allennlp.models.ragged import Ragged


class Features(NamedTuple):
    """The rows of each instance, and what is asked of them, in the order of the data file."""

    values: Ragged
    """Shape of the rows: (num_rows, feature_dim)"""
    targets: dict[str, Ragged]
    """The gold answers that `apply_head` takes; these are where training runs, `values` may be on a disk."""
    records: Sequence[Record] = ()
    """Of each instance; predictions need them."""

    @property
    def device(self) -> torch.device:
        return next(iter(self.targets.values())).values.device

    @property
    def num_bytes(self) -> int:
        """Of the rows."""
        return self.values.values.numel() * self.values.values.element_size()

    @property
    def num_instances(self) -> int:
        return len(self.values.lengths)


class FeatureBatch(NamedTuple):
    values: torch.Tensor
    targets: dict[str, torch.Tensor]
    """The gold answers, and the `lengths` of the instances: how many rows each has."""


def batches(
    features: Features, batch_size: Union[int, Sequence[int]], order: torch.Tensor
) -> Iterator[FeatureBatch]:
    """
    The features in the given order, some instances at a time, where training runs.

    # Parameters

    batch_size : `Union[int, Sequence[int]]`
        How many instances are in a batch; a number for all, or one for each.
    """
    if isinstance(batch_size, int):
        batch_size = [len(part) for part in order.split(batch_size)]
    parts = {"": features.values, **features.targets}
    device, cut = features.device, {}
    for name, ragged in parts.items():
        cut[name] = rows_of_batches(ragged, batch_size, order)
    all_lengths = features.values.lengths[order].to(device).split(list(batch_size))
    for number, lengths in enumerate(all_lengths):
        tensors = {name: parts[name].values[rows[number]] for name, rows in cut.items()}
        values = tensors.pop("").to(device)
        yield FeatureBatch(values, {**tensors, "lengths": lengths})


def rows_of_batches(
    ragged: Ragged, batch_size: Sequence[int], order: torch.Tensor
) -> Sequence[torch.Tensor]:
    """The numbers of the rows in each batch of so many instances."""
    instances = order.to(ragged.lengths.device)
    ends = ragged.lengths[instances].cumsum(0)[torch.tensor(batch_size).cumsum(0) - 1]
    sizes = ends.diff(prepend=ends.new_zeros(1)).tolist()
    return ragged.rows_of(instances).to(ragged.values.device).split(sizes)


def epoch_order(
    loader: DataLoader, num_items: int, generator: Optional[torch.Generator] = None
) -> torch.Tensor:
    """The instances of an epoch in the order in which they are trained on, as the loader would have it."""
    shuffle = getattr(loader, "shuffle", True)
    order = torch.randperm(num_items, generator=generator) if shuffle else torch.arange(num_items)
    batch_size: int = loader.batch_size  # type: ignore[attr-defined]
    if getattr(loader, "drop_last", False) and num_items >= batch_size:
        order = order[: num_items - num_items % batch_size]
    return order
