from collections.abc import Iterator

from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance

from linspector_allennlp.dataset_readers.wrapping_reader import WrappingReader
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.io.hashing import hash_keys


class SampledReader(WrappingReader):
    """
    Reads what another reader reads, but only a share of it, as drawn from the seed and the line of
    each instance. A smaller share is a part of a larger one.

    # Parameters

    reader : `DatasetReader`
    share : `float`
        Above 0, up to 1.
    seed : `int`
    """

    def __init__(self, reader: DatasetReader, share: float, seed: int) -> None:
        super().__init__(reader)
        if not 0 < share <= 1:
            raise ConfigurationError(f"train_share: expected above 0 and up to 1, found {share}.")
        self._share = share
        self._seed = seed % 2**63

    def _read(self, file_path: str) -> Iterator[Instance]:
        threshold, kept = int(self._share * 2**64), 0
        for position, instance in enumerate(self._reader.read(file_path), start=1):
            line = metadata_of(instance).get("line", position)
            (key,) = hash_keys([str(line).encode()], self._seed).tolist()
            if key < threshold:
                kept += 1
                yield instance
        if not kept and self.get_worker_info() is None:
            raise ValueError(
                f"{file_path}: a train_share of {self._share} leaves nothing of it. Take a larger one."
            )
