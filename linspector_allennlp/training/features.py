import tempfile
from typing import Any, Iterator, List, NamedTuple, Optional

import numpy
import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.data import Batch, DataLoader, Instance
from allennlp.nn.util import move_to_device

from linspector_allennlp.models import FrozenProbe


class Features(NamedTuple):
    """What a probe trains on: a row a probed item, in the order of the data file."""

    values: torch.Tensor
    """Shape: (num_items, feature_dim)"""
    labels: torch.Tensor
    """Shape: (num_items,); −1 where training never saw the label."""


def in_file_order(loader: DataLoader) -> List[int]:
    """
    The rank of each instance of a data loader in its data file, in the order in which the loader
    gives them: several reading processes interleave their shares.
    """
    lines = [_line(instance, position) for position, instance in enumerate(loader.iter_instances())]
    ranks = numpy.empty(len(lines), dtype=numpy.int64)
    ranks[numpy.argsort(lines, kind="stable")] = numpy.arange(len(lines))
    return ranks.tolist()


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
    ranks = in_file_order(loader)
    model.eval()
    values: Optional[torch.Tensor] = None
    labels = torch.empty(len(ranks), dtype=torch.long, device=device)
    groups = lazy_groups_of(loader.iter_instances(), batch_size)
    progress = Tqdm.tqdm(groups, total=-(-len(ranks) // batch_size), desc="representing")
    for start, instances in zip(range(0, len(ranks), batch_size), progress):
        inputs = _tensors(model, instances, device)
        rows = torch.tensor(ranks[start : start + batch_size], device=device)
        labels[rows] = inputs.pop("label")
        features = model.represent(**inputs)
        if values is None:
            values = _allocate(len(ranks), features, memory_limit, folder)
        values[rows.to(values.device)] = features.to(values.device)
    if values is None:
        raise ConfigurationError("There is nothing to train on: the data loader is empty.")
    return Features(values, labels)


def batches(features: Features, batch_size: int, order: torch.Tensor) -> Iterator[Features]:
    """The features in the given order, `batch_size` items at a time, on the labels' device."""
    for rows in order.split(batch_size):
        values = features.values[rows.to(features.values.device)]
        yield Features(values.to(features.labels.device), features.labels[rows])


def _tensors(model: FrozenProbe, instances: List[Instance], device: torch.device) -> Any:
    for instance in instances:
        if "label" not in instance.fields:
            raise ConfigurationError(
                f"A probe cannot be trained on items without a label: {instance['metadata'].metadata}"
            )
    batch = Batch(instances)
    batch.index_instances(model.vocab)
    tensors = move_to_device(batch.as_tensor_dict(), device)
    tensors.pop("metadata", None)
    return tensors


def _line(instance: Instance, position: int) -> int:
    metadata = instance.fields.get("metadata")
    return metadata.metadata.get("line", position) if metadata is not None else position


def _allocate(
    num_items: int, features: torch.Tensor, memory_limit: float, folder: Optional[str]
) -> torch.Tensor:
    shape = (num_items, *features.shape[1:])
    if num_items * features[0].numel() * features.element_size() <= memory_limit:
        return torch.empty(shape, dtype=features.dtype, device=features.device)
    # The map keeps the file alive after the name and the handle are gone.
    with tempfile.TemporaryFile(dir=folder) as file:
        dtype = features[:0].cpu().numpy().dtype
        return torch.from_numpy(numpy.memmap(file, dtype=dtype, mode="w+", shape=shape))
