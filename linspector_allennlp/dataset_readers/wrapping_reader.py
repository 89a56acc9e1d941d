from collections.abc import Iterator
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.data.dataset_readers.dataset_reader import DistributedInfo, WorkerInfo

from linspector_allennlp.fields import metadata_of
from linspector_allennlp.io.hashing import hash_keys

TRAIN_SHARE = "train_share"


class WrappingReader(DatasetReader):
    """
    The base of readers that change the instances of another reader. The wrapped reader keeps its token
    indexers, and its sharding where several processes read.

    # Parameters

    reader : `DatasetReader`
    """

    def __init__(self, reader: DatasetReader) -> None:
        super().__init__(manual_distributed_sharding=True, manual_multiprocess_sharding=True)
        self._reader = reader

    @property
    def left_out(self) -> Optional[dict[str, int]]:
        """What the reader within left out of the file that it read last, by the reason."""
        return getattr(self._reader, "left_out", None)

    @property
    def limits(self) -> Any:
        """Those of the reader within, if it has any: see `TreebankReader`."""
        return getattr(self._reader, "limits", None)

    def _set_worker_info(self, info: Optional[WorkerInfo]) -> None:
        super()._set_worker_info(info)
        self._reader._set_worker_info(info)

    def _set_distributed_info(self, info: Optional[DistributedInfo]) -> None:
        super()._set_distributed_info(info)
        self._reader._set_distributed_info(info)

    def text_to_instance(self, *inputs: Any, **named: Any) -> Instance:
        return self._reader.text_to_instance(*inputs, **named)

    def apply_token_indexers(self, instance: Instance) -> None:
        self._reader.apply_token_indexers(instance)


class SampledReader(WrappingReader):
    """
    Reads what another reader reads, but only a share of it, as drawn from the seed and the line of
    each instance; or what that leaves. A smaller share is a part of a larger one.

    # Parameters

    reader : `DatasetReader`
    share : `float`
        Above 0, up to 1.
    seed : `int`
    setting : `str`, optional (default = `"train_share"`)
        The name of the setting that asks for it. Those of two settings have nothing to do with each other.
    rest : `bool`, optional (default = `False`)
        Whether all that is not drawn is read.
    """

    def __init__(
        self,
        reader: DatasetReader,
        share: float,
        seed: int,
        setting: str = TRAIN_SHARE,
        rest: bool = False,
    ) -> None:
        super().__init__(reader)
        if not 0 < share <= 1:
            raise ConfigurationError(f"{setting}: expected above 0 and up to 1, found {share}.")
        self._share = share
        self._seed = seed % 2**63
        self._setting = setting
        self._rest = rest

    def _read(self, file_path: str) -> Iterator[Instance]:
        threshold, kept = int(self._share * 2**64), 0
        for position, instance in enumerate(self._reader.read(file_path), start=1):
            line = metadata_of(instance).get("line", position)
            name = str(line) if self._setting == TRAIN_SHARE else f"{self._setting} {line}"
            (key,) = hash_keys([name.encode()], self._seed).tolist()
            if (key < threshold) != self._rest:
                kept += 1
                yield instance
        if not kept and self.get_worker_info() is None:
            raise ValueError(
                f"{file_path}: a {self._setting} of {self._share} leaves nothing of it. Take a "
                f"{'smaller' if self._rest else 'larger'} one."
            )
