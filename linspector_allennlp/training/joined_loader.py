from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from allennlp.data import DataLoader, Instance, Vocabulary
from allennlp.data.data_loaders.data_loader import TensorDict


class JoinedLoader(DataLoader):
    """
    The data of several loaders as those of one, for folds. How batches are made is as the first has it.

    # Parameters

    loaders : `Sequence[DataLoader]`
    """

    def __init__(self, loaders: Sequence[DataLoader]) -> None:
        self._loaders = list(loaders)
        self.left_out: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # there is none yet while a copy is made
            raise AttributeError(name)
        return getattr(self._loaders[0], name)

    def __len__(self) -> int:
        return sum(map(len, self._loaders))  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[TensorDict]:
        for loader in self._loaders:
            yield from loader

    def iter_instances(self) -> Iterator[Instance]:
        left_out: Counter[str] = Counter()
        for loader in self._loaders:
            yield from loader.iter_instances()
            # A reader counts what it left out of the file that it has read last.
            left_out.update(getattr(getattr(loader, "reader", None), "left_out", None) or {})
        self.left_out = dict(left_out)

    def index_with(self, vocab: Vocabulary) -> None:
        for loader in self._loaders:
            loader.index_with(vocab)

    def set_target_device(self, device: torch.device) -> None:
        for loader in self._loaders:
            loader.set_target_device(device)
