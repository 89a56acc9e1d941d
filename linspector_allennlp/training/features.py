import tempfile
from collections.abc import Iterator
from typing import IO, Any, NamedTuple, Optional

import numpy
import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.data import Batch, DataLoader, Instance
from allennlp.data.fields import Field
from allennlp.nn.util import move_to_device

from linspector_allennlp.dataset_readers.probe_label_field import ProbeLabelField
from linspector_allennlp.dataset_readers.probing_reader import metadata_of
from linspector_allennlp.files import reserve
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.training.preparation import prepare_representation
from linspector_allennlp.training.unscanned_objects import unscanned_objects


class Features(NamedTuple):
    """What a probe trains on: a row a probed item, in the order of the data file."""

    values: torch.Tensor
    """Shape: (num_items, feature_dim)"""
    labels: torch.Tensor
    """Shape: (num_items,); −1 where training never saw the label."""


class FileOrder:
    """
    The rank of each instance of a data loader in its data file. Several reading processes
    interleave their shares, and differently each time, so that an instance must be recognised by
    where it comes from. Instances that do not say where are taken in the order of the loader.
    """

    def __init__(self, loader: DataLoader) -> None:
        keys = [_place(instance) for instance in loader.iter_instances()]
        places = sorted({key for key in keys if key is not None})
        self._ranks = {key: rank for rank, key in enumerate(places)}
        self._has_places = len(places) == len(keys)
        self.length = len(keys)

    def rank(self, instance: Instance, position: int) -> int:
        """`position` is how many instances the loader gave before this one."""
        key = _place(instance)
        return self._ranks[key] if self._has_places and key is not None else position


@unscanned_objects()
def compute_features(
    model: FrozenProbe,
    loader: DataLoader,
    device: torch.device,
    batch_size: int,
    memory_limit: float,
    folder: Optional[str] = None,
) -> Features:
    """
    Runs the frozen half of a probe once over the instances of a data loader.

    # Parameters

    batch_size : `int`
        How many instances are represented at a time; a training batch is usually smaller.
    memory_limit : `float`
        In bytes. Larger features are kept in an unnamed file in `folder`, which vanishes with
        the process, and mapped into memory.
    """
    order = FileOrder(loader)
    model.eval()
    prepare_representation(model, loader.iter_instances())
    values: Optional[torch.Tensor] = None
    labels = torch.empty(order.length, dtype=torch.long, device=device)
    groups = lazy_groups_of(loader.iter_instances(), batch_size)
    starts = range(0, order.length, batch_size)
    for start, instances in zip(starts, Tqdm.tqdm(groups, total=len(starts), desc="representing")):
        ranks = [order.rank(instance, start + i) for i, instance in enumerate(instances)]
        rows = torch.tensor(ranks, device=device)
        labels[rows] = _labels(model, instances).to(device)
        features = model.represent_instances(instances)
        if features is None:
            features = model.represent(**_inputs(model, instances, device))
        features = features.to(device)
        if values is None:
            values = _allocate(order.length, features, memory_limit, folder)
        values[rows.to(values.device)] = features.to(values.device)
    if values is None:
        raise ConfigurationError("There is nothing to train on: the data loader is empty.")
    return Features(values, labels)


def batches(features: Features, batch_size: int, order: torch.Tensor) -> Iterator[Features]:
    """The features in the given order, `batch_size` items at a time, on the labels' device."""
    for rows in order.split(batch_size):
        values = features.values[rows.to(features.values.device)]
        yield Features(values.to(features.labels.device), features.labels[rows])


def epoch_order(loader: DataLoader, num_items: int) -> torch.Tensor:
    """The rows of an epoch in the order in which they are trained on, as the loader would have it."""
    shuffle = getattr(loader, "shuffle", True)
    order = torch.randperm(num_items) if shuffle else torch.arange(num_items)
    if getattr(loader, "drop_last", False):
        order = order[: num_items - num_items % loader.batch_size]  # type: ignore[attr-defined]
    return order


def _labels(model: FrozenProbe, instances: list[Instance]) -> torch.Tensor:
    for instance in instances:
        if "label" not in instance.fields:
            raise ConfigurationError(
                f"A probe cannot be trained on items without a label: {metadata_of(instance)}"
            )
        instance["label"].index(model.vocab)
    # One tensor for all, because one for each would take longer than the lookup of its vector.
    return torch.tensor([_label_id(instance["label"]) for instance in instances])


def _label_id(field: Field) -> int:
    return field.label_id if isinstance(field, ProbeLabelField) else int(field.as_tensor({}))


def _inputs(model: FrozenProbe, instances: list[Instance], device: torch.device) -> Any:
    """All tensors but those of labels."""
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    tensors = batch.as_tensor_dict()
    for name in ("label", "metadata"):
        tensors.pop(name, None)
    return move_to_device(tensors, device)


def _place(instance: Instance) -> Optional[tuple[str, int]]:
    """The file and the line that an instance comes from, if its reader says so."""
    metadata = metadata_of(instance)
    return (metadata["file"], metadata["line"]) if "line" in metadata else None


def _allocate(
    num_items: int, features: torch.Tensor, memory_limit: float, folder: Optional[str]
) -> torch.Tensor:
    shape = (num_items, *features.shape[1:])
    num_bytes = num_items * features[0].numel() * features.element_size()
    if num_bytes <= memory_limit:
        return torch.empty(shape, dtype=features.dtype, device=features.device)
    # The map keeps the file alive after the name and the handle are gone.
    with tempfile.TemporaryFile(dir=folder) as file:
        _reserve(file, num_bytes, folder)
        dtype = features[:0].cpu().numpy().dtype
        return torch.from_numpy(numpy.memmap(file, dtype=dtype, mode="w+", shape=shape))


def _reserve(file: IO[bytes], num_bytes: int, folder: Optional[str]) -> None:
    """A map of a file that cannot grow kills the process later."""
    try:
        reserve(file, num_bytes)
    except OSError as error:
        raise OSError(
            f"The features need {num_bytes / 1e9:.1f} GB on the disk of {folder}: {error}. A larger "
            "`feature_memory_gb` keeps them in memory."
        ) from error
