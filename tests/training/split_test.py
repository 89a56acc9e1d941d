import pytest
import torch
from allennlp.data import Instance, Token, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader, SimpleDataLoader
from allennlp.data.fields import LabelField, TextField
from allennlp.data.token_indexers import SingleIdTokenIndexer

from linspector_allennlp.dataset_readers import SingleFormReader
from linspector_allennlp.dataset_readers.probing_reader import ProbingReader
from linspector_allennlp.training.split import Split


@pytest.fixture
def path(fixtures):
    return fixtures / "type_level/Case/finnish/train.txt"


@pytest.mark.parametrize("in_memory", [None, 50])
@pytest.mark.parametrize("num_workers", [0, 2])
def test_everything_is_in_the_order_of_the_file(path, num_workers, in_memory):
    loader = MultiProcessDataLoader(
        SingleFormReader(), str(path), batch_size=16, shuffle=True, num_workers=num_workers,
        max_instances_in_memory=in_memory, quiet=True,
    )  # fmt: skip
    split = Split(loader, "train", str(path))
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(split) == len(rows) == split.sizes()["items"]
    assert [record.metadata["line"] for record in split.records] == list(range(1, len(rows) + 1))
    assert [record.labels for record in split.records] == [[label] for _, label in rows]
    ranked = dict(split.ranked_instances())
    assert [ranked[n]["tokens"].tokens[0].text for n in range(len(rows))] == [w for w, _ in rows]
    assert torch.tensor(sorted(ranked)).equal(torch.arange(len(rows)))


def test_the_vocabulary_is_that_of_the_instances(path):
    """Counted in one go, it is what AllenNLP would count, in the same order."""
    loader = MultiProcessDataLoader(SingleFormReader(), str(path), batch_size=16, quiet=True)
    split = Split(loader)
    found = Vocabulary.from_instances([split.labels_seen, split.others_seen])
    expected = Vocabulary.from_instances(list(loader.iter_instances()))
    for namespace in ("labels", "tokens"):
        names = expected.get_index_to_token_vocabulary(namespace)
        assert found.get_index_to_token_vocabulary(namespace) == names and len(names) > 10


def test_instances_of_another_reader_stay_in_their_order():
    words = ["b", "a", "c"]
    instances = [
        Instance({"t": TextField([Token(w)], {"x": SingleIdTokenIndexer()}), "y": LabelField(w)})
        for w in words
    ]
    split = Split(SimpleDataLoader(instances, 2, shuffle=True))
    assert list(split.instances()) == instances
    assert all(record.metadata == {} and record.labels == [] for record in split.records)
    assert split.left_out is None
    assert set(split.others_seen.counts["labels"]) == set(words)


@pytest.mark.parametrize("in_memory, most", [(None, 1), (256, 3)])
def test_a_run_reads_each_file_once(train, monkeypatch, in_memory, most):
    """A loader that keeps nothing in memory must read again, but not for every question."""
    opened = []
    original = ProbingReader._read

    def counting(self, path):
        opened.append(path)
        return original(self, path)

    monkeypatch.setattr(ProbingReader, "_read", counting)
    train(
        "case_fin",
        trainer={"num_epochs": 3},
        data_loader={"max_instances_in_memory": in_memory},
        validation_data_loader={"max_instances_in_memory": in_memory},
    )
    assert len(set(opened)) == 3
    assert all(opened.count(path) <= most for path in set(opened))
