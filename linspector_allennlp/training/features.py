import inspect
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, Any, NamedTuple, Optional, Union

import numpy
import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.data import Batch, DataLoader, Instance
from allennlp.nn.util import move_to_device

from linspector_allennlp.dataset_readers.probing_reader import metadata_of
from linspector_allennlp.io.files import reserve
from linspector_allennlp.models import FrozenProbe
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.training.preparation import prepare_representation
from linspector_allennlp.training.unscanned_objects import unscanned_objects


class Features(NamedTuple):
    """What a probe trains on: the rows of each instance, in the order of the data file."""

    values: Ragged
    """Shape of the rows: (num_rows, feature_dim)"""
    targets: dict[str, Ragged]
    """What `apply_head` takes besides; these are where training runs, `values` may be on a disk."""

    @property
    def device(self) -> torch.device:
        return next(iter(self.targets.values())).values.device

    @property
    def num_instances(self) -> int:
        return len(self.values.lengths)


class FeatureBatch(NamedTuple):
    values: torch.Tensor
    targets: dict[str, torch.Tensor]
    num_instances: int


class FileOrder:
    """
    The rank of each instance of a data loader in its data file. Several reading processes
    interleave their shares, and differently each time, so that an instance must be recognised by
    where it comes from. Instances that do not say where are taken in the order of the loader.
    """

    def __init__(self, loader: DataLoader, model: FrozenProbe) -> None:
        keys, lengths = [], []
        for instance in loader.iter_instances():
            keys.append(_place(instance))
            lengths.append(len(model.probed_words(instance)))
        places = sorted({key for key in keys if key is not None})
        self._ranks = {key: rank for rank, key in enumerate(places)}
        self._has_places = len(places) == len(keys)
        self.length = len(keys)
        self.num_rows = torch.zeros(len(keys), dtype=torch.long)
        ranks = [self._rank_of(key, position) for position, key in enumerate(keys)]
        self.num_rows[ranks] = torch.tensor(lengths)

    def rank(self, instance: Instance, position: int) -> int:
        """`position` is how many instances the loader gave before this one."""
        return self._rank_of(_place(instance), position)

    def _rank_of(self, key: Optional[tuple[str, int]], position: int) -> int:
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
    order = FileOrder(loader, model)
    model.eval()
    prepare_representation(model, loader.iter_instances())
    values: Optional[Ragged] = None
    targets: list[dict[str, Ragged]] = []
    ranks: list[int] = []
    groups = lazy_groups_of(loader.iter_instances(), batch_size)
    starts = range(0, order.length, batch_size)
    for start, instances in zip(starts, Tqdm.tqdm(groups, total=len(starts), desc="representing")):
        here = torch.tensor(
            [order.rank(instance, start + i) for i, instance in enumerate(instances)]
        )
        ranks += here.tolist()
        targets.append(model.targets(instances))
        features = model.represent_instances(instances)
        if features is None:
            features = model.represent(**_inputs(model, instances, device))
        features = features.to(device)
        if values is None:
            num_rows = int(order.num_rows.sum())
            values = Ragged(_allocate(num_rows, features, memory_limit, folder), order.num_rows)
        values.values[values.rows_of(here).to(values.values.device)] = features.to(
            values.values.device
        )
    if values is None:
        raise ConfigurationError("There is nothing to train on: the data loader is empty.")
    in_file_order = torch.tensor(ranks).argsort()
    joined = {name: Ragged.joined([part[name] for part in targets]) for name in targets[0]}
    return Features(
        values, {name: part.take(in_file_order).to(device) for name, part in joined.items()}
    )


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
        instances = order.to(ragged.lengths.device)
        ends = ragged.lengths[instances].cumsum(0)[torch.tensor(batch_size).cumsum(0) - 1]
        sizes = ends.diff(prepend=ends.new_zeros(1)).tolist()
        cut[name] = ragged.rows_of(instances).to(ragged.values.device).split(sizes)
    for number, size in enumerate(batch_size):
        tensors = {name: parts[name].values[rows[number]] for name, rows in cut.items()}
        values = tensors.pop("").to(device)
        yield FeatureBatch(values, tensors, size)


def epoch_order(loader: DataLoader, num_items: int) -> torch.Tensor:
    """The instances of an epoch in the order in which they are trained on, as the loader would have it."""
    shuffle = getattr(loader, "shuffle", True)
    order = torch.randperm(num_items) if shuffle else torch.arange(num_items)
    batch_size: int = loader.batch_size  # type: ignore[attr-defined]
    if getattr(loader, "drop_last", False) and num_items >= batch_size:
        order = order[: num_items - num_items % batch_size]
    return order


def _inputs(model: FrozenProbe, instances: list[Instance], device: torch.device) -> Any:
    """The tensors that `represent` takes."""
    wanted = inspect.signature(model.represent).parameters
    batch = Batch([Instance({n: f for n, f in i.fields.items() if n in wanted}) for i in instances])
    batch.index_instances(model.vocab)
    return move_to_device(batch.as_tensor_dict(), device)


def _place(instance: Instance) -> Optional[tuple[str, int]]:
    """The file and the line that an instance comes from, if its reader says so."""
    metadata = metadata_of(instance)
    return (metadata["file"], metadata["line"]) if "line" in metadata else None


def _allocate(
    num_rows: int, features: torch.Tensor, memory_limit: float, folder: Optional[str]
) -> torch.Tensor:
    shape = (num_rows, *features.shape[1:])
    num_bytes = num_rows * features[0].numel() * features.element_size()
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
