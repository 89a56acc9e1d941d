from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional

import torch
from allennlp.data import DataLoader, Instance, Vocabulary
from allennlp.data.data_loaders.data_loader import TensorDict


class JoinedLoader(DataLoader):
    """
    The data of several loaders as those of one, for folds. How batches are made is as the first has it.

    # Parameters

    loaders : `Sequence[DataLoader]`
    left_out : `Mapping[str, int]`, optional
        What was left out of all files, by the reason.
    skipped : `Mapping[str, int]`, optional
        The items of unknown words that were left out of all files; see `Split`.
    """

    def __init__(
        self,
        loaders: Sequence[DataLoader],
        left_out: Optional[Mapping[str, int]] = None,
        skipped: Optional[Mapping[str, int]] = None,
    ) -> None:
        self._loaders = list(loaders)
        self.left_out = dict(left_out or {})
        self.skipped = None if skipped is None else dict(skipped)

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
        for loader in self._loaders:
            yield from loader.iter_instances()

    def index_with(self, vocab: Vocabulary) -> None:
        for loader in self._loaders:
            loader.index_with(vocab)

    def set_target_device(self, device: torch.device) -> None:
        for loader in self._loaders:
            loader.set_target_device(device)
