from typing import Any, Optional

from allennlp.data import DatasetReader, Instance
from allennlp.data.dataset_readers.dataset_reader import DistributedInfo, WorkerInfo


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
