from hashlib import blake2b

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader, Instance
from allennlp.data.data_loaders import MultiProcessDataLoader
from allennlp.data.dataset_readers.dataset_reader import DistributedInfo, WorkerInfo
from allennlp.data.fields import LabelField

from linspector_allennlp.dataset_readers import ControlTaskReader, SingleFormReader, TokenTagsReader
from linspector_allennlp.dataset_readers.wrapping_reader import SampledReader, WrappingReader
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


@pytest.fixture
def path(fixtures):
    return str(fixtures / "type_level/Case/finnish/train.txt")


def lines_read(reader, path):
    return [metadata_of(instance)["line"] for instance in reader.read(path)]


def sampled(path, share, seed=13, **settings):
    return lines_read(SampledReader(SingleFormReader(**settings), share, seed), path)


def key_of(line, seed):
    salt = seed.to_bytes(8, "little")
    return int.from_bytes(blake2b(str(line).encode(), digest_size=8, salt=salt).digest(), "little")


@pytest.mark.parametrize("share", [0.05, 0.1, 0.5, 0.9])
def test_the_definition(path, share):
    for seed in (13, 99):
        expected = [line for line in range(1, 701) if key_of(line, seed) / 2**64 < share]
        assert sampled(path, share, seed) == expected
        assert abs(len(expected) - 700 * share) < 4 * (700 * share * (1 - share)) ** 0.5


def test_a_smaller_share_is_a_part_of_a_larger_one(path):
    parts = [sampled(path, share) for share in (0.01, 0.1, 0.3, 0.7, 0.99, 1.0)]
    for smaller, larger in zip(parts, parts[1:]):
        assert set(smaller) < set(larger)


def test_all_of_it(path):
    assert sampled(path, 1.0) == [*range(1, 701)] == sampled(path, 1)


def test_seeds(path):
    assert sampled(path, 0.3, 1) == sampled(path, 0.3, 1) != sampled(path, 0.3, 2)
    assert sampled(path, 0.3, 2**64 - 5)  # as PyTorch gives them where none is set


def test_max_instances_of_the_other_reader_comes_first(path):
    assert sampled(path, 0.3, max_instances=50) == [n for n in sampled(path, 0.3) if n <= 50]


def test_sentences_of_a_treebank(fixtures):
    path = str(fixtures / "raw/finnish-ud-train.conllu")
    all_lines = lines_read(TokenTagsReader(), path)
    part = lines_read(SampledReader(TokenTagsReader(), 0.4, 13), path)
    assert part == [line for line in all_lines if key_of(line, 13) / 2**64 < 0.4]


def test_over_a_control_task(path):
    control = ControlTaskReader(SingleFormReader(), path)
    labels = {metadata_of(i)["line"]: i["label"].label for i in control.read(path)}
    part = {
        metadata_of(i)["line"]: i["label"].label for i in SampledReader(control, 0.2, 13).read(path)
    }
    assert 0 < len(part) < 300 and part.items() < labels.items()


def test_two_processes(path):
    loader = MultiProcessDataLoader(
        SampledReader(SingleFormReader(), 0.3, 13), path, batch_size=4, num_workers=2, quiet=True
    )
    read = sorted(metadata_of(instance)["line"] for instance in loader.iter_instances())
    assert read == sampled(path, 0.3)


class NoLines(DatasetReader):
    """Gives no metadata."""

    def _read(self, file_path):
        for number in range(100):
            yield Instance({"label": LabelField(str(number))})


def test_instances_that_do_not_say_where_they_come_from():
    instances = SampledReader(NoLines(), 0.3, 13).read("x")
    expected = [str(n - 1) for n in range(1, 101) if key_of(n, 13) / 2**64 < 0.3]
    assert [instance["label"].label for instance in instances] == expected


def test_nothing_left(path):
    with pytest.raises(ValueError) as error:
        sampled(path, 1e-9)
    assert f"{path}: a train_share of 1e-09 leaves nothing of it" in str(error.value)


def test_a_process_may_have_nothing_to_read_where_another_has(tmp_path):
    path = tmp_path / "two.txt"
    path.write_text("a\tX\nb\tY\n")
    keys = [key_of(line, 13) / 2**64 for line in (1, 2)]
    share = sum(keys) / 2  # between the two
    read = []
    for process in (0, 1):
        reader = SampledReader(SingleFormReader(), share, 13)
        reader._set_worker_info(WorkerInfo(2, process))
        read.append(lines_read(reader, str(path)))
    assert sorted(read) == [[], [keys.index(min(keys)) + 1]]


@pytest.mark.parametrize("share", [0, -0.1, 1.01, float("nan")])
def test_a_share_that_is_none(share):
    with pytest.raises(ConfigurationError, match="train_share: expected above 0 and up to 1"):
        SampledReader(SingleFormReader(), share, 13)
