import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader, SimpleDataLoader
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from linspector_allennlp.dataset_readers import SingleFormReader
from linspector_allennlp.models import SingleFormProbe
from linspector_allennlp.representations import CharNgramsEmbedder, WordFormIndexer
from linspector_allennlp.training.feature_source import compute_features
from linspector_allennlp.training.features import batches
from linspector_allennlp.training.split import Split

CPU = torch.device("cpu")


class CountingEmbedder(CharNgramsEmbedder):
    """Counts how many forms it was asked for."""

    asked = 0

    def embed_forms(self, forms):
        self.asked += len(forms)
        return super().embed_forms(forms)


@pytest.fixture
def reader():
    return SingleFormReader(token_indexers={"words": WordFormIndexer()})


def probe_for(loader, embedder):
    vocab = Vocabulary.from_instances(loader.iter_instances())
    loader.index_with(vocab)
    return SingleFormProbe(vocab, BasicTextFieldEmbedder({"words": embedder}))


@pytest.mark.parametrize("in_memory", [None, 50])
@pytest.mark.parametrize("num_workers", [0, 2])
@pytest.mark.parametrize("memory_limit", [1e9, 1])
def test_features_are_in_the_order_of_the_file(
    fixtures, reader, num_workers, in_memory, memory_limit, tmp_path
):
    path = fixtures / "type_level/Case/finnish/train.txt"
    loader = MultiProcessDataLoader(
        reader,
        str(path),
        batch_size=16,
        shuffle=True,
        num_workers=num_workers,
        max_instances_in_memory=in_memory,
        quiet=True,
    )
    embedder = CountingEmbedder(dimension=9)
    model = probe_for(loader, embedder)
    features = compute_features(model, Split(loader), CPU, 32, memory_limit, str(tmp_path))
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    forms, labels = zip(*rows)
    assert embedder.asked == len(rows)
    assert (features.values.values.numpy() == embedder.embed_forms(forms)).all()
    assert [model.label_names[label] for label in features.targets["label"].values] == list(labels)
    assert list(tmp_path.iterdir()) == []


def test_batches_follow_the_order(fixtures, reader):
    instances = list(reader.read(str(fixtures / "type_level/Case/finnish/dev.txt")))[:10]
    loader = SimpleDataLoader(instances, 4)
    model = probe_for(loader, CharNgramsEmbedder(dimension=2))
    features = compute_features(model, Split(loader), CPU, 3, 1e9)
    order = torch.tensor([9, 0, 5, 5, 1])
    parts = list(batches(features, 2, order))
    assert [len(part.targets["lengths"]) for part in parts] == [2, 2, 1]
    assert torch.equal(torch.cat([part.values for part in parts]), features.values.values[order])
    assert torch.equal(
        torch.cat([part.targets["label"] for part in parts]),
        features.targets["label"].values[order],
    )


def test_items_without_labels_cannot_be_trained_on(fixtures, reader):
    labelled = list(reader.read(str(fixtures / "type_level/Case/finnish/dev.txt")))
    model = probe_for(SimpleDataLoader(labelled, 4), CharNgramsEmbedder(dimension=2))
    unlabelled = list(reader.read(str(fixtures / "odd_but_fine/no_label_column.txt")))
    with pytest.raises(ConfigurationError, match="without a label: .*no_label_column.txt"):
        compute_features(model, Split(SimpleDataLoader(unlabelled, 4)), CPU, 4, 1e9)
