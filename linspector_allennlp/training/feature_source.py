"""The frozen half of a probe, run once over the instances of a data file."""

import gc
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, Optional, Protocol

import numpy as np
import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.common.util import lazy_groups_of
from allennlp.data import Batch, DataLoader, Instance
from allennlp.data.fields import TextField
from allennlp.nn.util import move_to_device

from linspector_allennlp.fields import metadata_of, names_of_indexers
from linspector_allennlp.io.files import reserve
from linspector_allennlp.models import Probe
from linspector_allennlp.models.ragged import Ragged
from linspector_allennlp.representations.form_embedder import FormEmbedder
from linspector_allennlp.representations.word_embedder import (
    all_word_embedders,
    direct_word_embedders,
)
from linspector_allennlp.representations.words import Words
from linspector_allennlp.training.features import Features
from linspector_allennlp.training.split import Split

STATIC_BATCHES = 16
"""So many batches of words are one where they are only looked up: a form that comes again is found once."""


class FeatureShelf(Protocol):
    """The features of the splits of several runs, by the name of the split."""

    def get(self, name: str) -> Optional[Features]: ...

    def __setitem__(self, name: str, features: Features) -> None: ...


class FeatureSource:
    """
    The features of a run's data loaders, each computed once, when it is asked for.

    # Parameters

    model : `Probe`
    device : `torch.device`
        Where training runs.
    splits : `Iterable[Split]`, optional
        The data that were walked through already.
    batch_size : `int`, optional (default = `256`)
        How many instances are represented at a time; a training batch is usually smaller.
    memory_gb : `float`, optional (default = `4.0`)
        Features that need more, all together, are kept in unnamed files in `folder`, which vanish
        with the process, and mapped into memory.
    folder : `str`, optional
    """

    def __init__(
        self,
        model: Probe,
        device: torch.device,
        splits: Iterable[Split] = (),
        batch_size: int = 256,
        memory_gb: float = 4.0,
        folder: Optional[str] = None,
    ) -> None:
        self._model = model
        self._device = device
        self._splits = {id(split.loader): split for split in splits}
        self._batch_size = batch_size
        self._memory = self._memory_left = memory_gb * 1e9
        self._folder = folder
        self._features: dict[int, Features] = {}
        self._prepared: set[int] = set()
        self.shelf: Optional[FeatureShelf] = None
        """Where other runs have left features, and find those of this one."""

    def prepare(self, loaders: Sequence[DataLoader]) -> None:
        """Has expensive representations compute what these data need, in one go."""
        splits = [self._split(loader) for loader in loaders if id(loader) not in self._prepared]
        new = [split for split in splits if self._on_shelf(split) is None]
        prepare_representation(self._model, (i for split in new for i in split.instances()))
        self._prepared.update(id(split.loader) for split in splits)

    def of(self, loader: DataLoader) -> Features:
        if id(loader) not in self._features:
            split = self._split(loader)
            features = self._on_shelf(split)
            self._features[id(loader)] = self._compute(split) if features is None else features
        return self._features[id(loader)]

    @property
    def computed(self) -> list[Features]:
        """The features that there are by now."""
        return list(self._features.values())

    def _on_shelf(self, split: Split) -> Optional[Features]:
        return None if self.shelf is None else self.shelf.get(split.name)

    def _compute(self, split: Split) -> Features:
        with _collector_passing_over_objects():
            self.prepare([split.loader])
            features = compute_features(
                self._model,
                split,
                self._device,
                self._batch_size,
                self._memory_left,
                self._folder,
            )
        if features.num_bytes <= self._memory_left:  # else they are on a disk
            self._memory_left -= features.num_bytes
            if self.shelf is not None:
                self.shelf[split.name] = features
        return features

    def forget(self) -> None:
        """Has all features computed again: what represents has been fitted to other data."""
        self._features.clear()
        self._memory_left = self._memory

    def _split(self, loader: DataLoader) -> Split:
        if id(loader) not in self._splits:
            self._splits[id(loader)] = Split(loader, for_vocabulary=False)
        return self._splits[id(loader)]


def prepare_representation(model: torch.nn.Module, instances: Iterable[Instance]) -> None:
    """
    Tells the representations of a model what they will be asked for, so that the expensive ones compute
    it once, in the best order, and keep it for other runs.
    """
    embedders = [e for e in all_word_embedders(model) if e.prepares]
    if not embedders:
        return
    words_alone = any(embedder.ignores_context for embedder in embedders)
    # Of each reader, because the test data may have embedders of their own.
    asked: dict[frozenset[str], tuple[dict[Words, None], dict[Words, None]]] = {}
    for instance in instances:
        everything, probed = asked.setdefault(names_of_indexers(instance), ({}, {}))
        everything.update(dict.fromkeys(_sentences(instance)))
        if words_alone:
            probed.update(dict.fromkeys((word,) for word in metadata_of(instance).get("words", ())))
    for names, (everything, probed) in asked.items():
        for embedder in all_word_embedders(model, names):
            if embedder.prepares:
                embedder.prepare(probed if embedder.ignores_context and probed else everything)


def compute_features(
    model: Probe,
    split: Split,
    device: torch.device,
    batch_size: int,
    memory_limit: float,
    folder: Optional[str] = None,
) -> Features:
    """Runs the frozen half of a probe over a split; see `FeatureSource`."""
    if not len(split):
        raise ConfigurationError("There is nothing to train on: the data loader is empty.")
    model.eval()
    of_ranks = {rank: model.rows.num_rows(i) for rank, i in split.ranked_instances()}
    num_rows = torch.tensor([of_ranks[rank] for rank in range(len(split))])
    values: Optional[Ragged] = None
    targets: list[dict[str, Ragged]] = []
    ranks: list[int] = []
    if _is_static(model):
        batch_size *= STATIC_BATCHES
    groups = lazy_groups_of(split.ranked_instances(), batch_size)
    num_groups = -(-len(split) // batch_size)
    for group in Tqdm.tqdm(groups, total=num_groups, desc="representing"):
        here, instances = zip(*group)
        ranks += here
        targets.append(model.targets(instances))
        features = model.represent_instances(instances)
        if features is None:
            features = model.represent(**_inputs(model, instances, device))
        features = features.to(device)
        if values is None:
            rows = _allocate(int(num_rows.sum()), features, memory_limit, folder)
            values = Ragged(rows, num_rows)
        place = values.values.device
        values.values[values.rows_of(torch.tensor(here)).to(place)] = features.to(place)
    assert values is not None, "a split has instances"
    in_file_order = torch.tensor(ranks).argsort()
    joined = {name: Ragged.joined([part[name] for part in targets]) for name in targets[0]}
    taken = {name: part.take(in_file_order).to(device) for name, part in joined.items()}
    return Features(values, taken, split.records)


def _is_static(model: Probe) -> bool:
    """Whether words are looked up, or made from their letters: nothing is padded, or goes through a model."""
    embedders = direct_word_embedders(model.text_field_embedder).values()
    return bool(embedders) and all(isinstance(each, FormEmbedder) for each in embedders)


def _sentences(instance: Instance) -> Iterator[Words]:
    for field in instance.fields.values():
        if isinstance(field, TextField):
            yield tuple([token.ensure_text() for token in field.tokens])


def _inputs(model: Probe, instances: Sequence[Instance], device: torch.device) -> Any:
    """The tensors that `represent` takes."""
    wanted = [Instance({name: i[name] for name in model.rows.inputs}) for i in instances]
    batch = Batch(wanted)
    batch.index_instances(model.vocab)
    return move_to_device(batch.as_tensor_dict(), device)


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
        return torch.from_numpy(np.memmap(file, dtype=dtype, mode="w+", shape=shape))


def _reserve(file: IO[bytes], num_bytes: int, folder: Optional[str]) -> None:
    """A map of a file that cannot grow kills the process later."""
    try:
        reserve(file, num_bytes)
    except OSError as error:
        raise OSError(
            f"The features need {num_bytes / 1e9:.1f} GB on the disk of {folder}: {error}. A larger "
            "`feature_memory_gb` keeps them in memory."
        ) from error


@contextmanager
def _collector_passing_over_objects() -> Iterator[None]:
    """
    In this block the garbage collector leaves alone what there is already. The instances of a task
    are a million small objects, and it would go through them again and again.
    """
    by_others = gc.get_freeze_count() > 0
    gc.freeze()
    try:
        yield
    finally:
        if not by_others:
            gc.unfreeze()
