from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.dataset_readers.dataset_reader import DistributedInfo, WorkerInfo

from linspector_allennlp.dataset_readers import SingleFormReader
from linspector_allennlp.dataset_readers.wrapping_reader import WrappingReader
from linspector_allennlp.fields import metadata_of
from linspector_allennlp.representations import WordFormIndexer


class Plain(WrappingReader):
    """Changes nothing."""

    def _read(self, file_path):
        yield from self._reader.read(file_path)


def lines(instances):
    return [metadata_of(instance)["line"] for instance in instances]


def test_it_reads_what_the_other_reads(fixtures):
    path = str(fixtures / "type_level/Case/finnish/dev.txt")
    assert lines(Plain(SingleFormReader()).read(path)) == [*range(1, 201)]
    assert lines(Plain(SingleFormReader(max_instances=5)).read(path)) == [1, 2, 3, 4, 5]


def test_one_in_another(fixtures):
    path = str(fixtures / "type_level/Case/finnish/dev.txt")
    reader = Plain(Plain(SingleFormReader(max_instances=20)))
    loader = MultiProcessDataLoader(reader, path, batch_size=4, num_workers=2, quiet=True)
    assert sorted(lines(loader.iter_instances())) == [*range(1, 21)]


def test_who_reads_what_is_told_to_the_other():
    inner = SingleFormReader()
    reader = Plain(inner)
    reader._set_worker_info(WorkerInfo(2, 1))
    reader._set_distributed_info(DistributedInfo(3, 2))
    assert inner.get_worker_info() == WorkerInfo(2, 1) == reader.get_worker_info()
    assert inner.get_distributed_info() == DistributedInfo(3, 2) == reader.get_distributed_info()
    reader._set_worker_info(None)
    assert inner.get_worker_info() is None


def test_each_of_two_processes_reads_its_half(fixtures):
    path = str(fixtures / "type_level/Case/finnish/dev.txt")
    reader = Plain(SingleFormReader())
    reader._set_worker_info(WorkerInfo(2, 1))
    assert lines(reader.read(path)) == [*range(2, 201, 2)]


def test_text_and_token_indexers_are_those_of_the_other():
    reader = Plain(SingleFormReader(token_indexers={"words": WordFormIndexer()}))
    instance = reader.text_to_instance("talo", label="Nom")
    reader.apply_token_indexers(instance)
    assert set(instance["tokens"].token_indexers) == {"words"}
    assert instance["label"].label == "Nom"
