import gc
import os
from pathlib import Path

import pytest
import torch
from allennlp.data import Instance, Token, Vocabulary
from allennlp.data.data_loaders import MultiProcessDataLoader, SimpleDataLoader
from allennlp.data.fields import LabelField, TextField
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding

from linspector_allennlp.dataset_readers import (
    PairedFormsReader,
    SingleFormReader,
    TokenInContextReader,
)
from linspector_allennlp.models import SingleFormProbe, TokenInContextProbe
from linspector_allennlp.representations import (
    CharNgramsEmbedder,
    RandomBiLstmEmbedder,
    TransformerLayerEmbedder,
    WordFormIndexer,
)
from linspector_allennlp.representations.hidden_states.cache import list_features
from linspector_allennlp.training.feature_source import (
    FeatureSource,
    _collector_passing_over_objects,
    prepare_representation,
)
from tests.representations.hashed_layers import HashedLayersEmbedder
from tests.representations.tiny_transformers import make_bert


def probe(**embedders):
    vocab = Vocabulary()
    for label in "xy":
        vocab.add_token_to_namespace(label, "labels")
    return SingleFormProbe(vocab, BasicTextFieldEmbedder(embedders))


def computed(embedder):
    return sorted(sentence for batch in embedder.computed for sentence in batch)


@pytest.fixture
def sentences():
    reader = TokenInContextReader()
    rows = [("a b", 0, "x"), ("a b", 1, "y"), ("b c d", 0, "x")]
    return [reader.text_to_instance(text.split(), index, label) for text, index, label in rows]


def test_whole_sentences_each_once(sentences):
    embedder = HashedLayersEmbedder()
    prepare_representation(probe(words=embedder), iter(sentences))
    assert computed(embedder) == [("a", "b"), ("b", "c", "d")]
    prepare_representation(probe(words=embedder), iter(sentences))
    assert len(embedder.computed) == 2  # a batch for each length, once


def test_only_the_probed_words_where_they_stand_alone(sentences):
    embedder = HashedLayersEmbedder(alone=True)
    prepare_representation(probe(words=embedder), iter(sentences))
    assert computed(embedder) == [("a",), ("b",)]


def test_several_representations(sentences):
    alone, base = (
        HashedLayersEmbedder(name="1", alone=True),
        HashedLayersEmbedder(name="2", layer_dim=4),
    )
    lstm = RandomBiLstmEmbedder(base)
    prepare_representation(
        probe(a=alone, b=lstm, c=Embedding(2, num_embeddings=3)), iter(sentences)
    )
    assert computed(alone) == [("a",), ("b",)]
    assert computed(base) == [("a", "b"), ("b", "c", "d")]
    assert lstm._store.missing([("a", "b"), ("b", "c", "d")]) == []


@pytest.mark.parametrize("alone", [False, True])
def test_single_and_paired_forms(alone):
    single = [SingleFormReader().text_to_instance(form, "x") for form in ("a", "b", "a")]
    paired = [PairedFormsReader().text_to_instance("c", "a", "x")]
    for instances, expected in ((single, [("a",), ("b",)]), (paired, [("c",)])):
        embedder = HashedLayersEmbedder(alone=alone)
        prepare_representation(probe(words=embedder), iter(instances))
        assert computed(embedder) == expected, "what another run computed is there"


@pytest.mark.parametrize("alone, expected", [(False, [("a", "b")]), (True, [("a",), ("b",)])])
def test_instances_of_another_reader(alone, expected):
    text = TextField([Token("a"), Token("b")], {"words": WordFormIndexer()})
    embedder = HashedLayersEmbedder(alone=alone)
    prepare_representation(probe(words=embedder), [Instance({"t": text, "label": LabelField("x")})])
    assert computed(embedder) == expected


def test_nothing_to_prepare(sentences):
    def unread():
        raise AssertionError("the instances were read")
        yield

    prepare_representation(probe(words=Embedding(2, num_embeddings=3)), unread())
    embedder = HashedLayersEmbedder()
    prepare_representation(probe(words=embedder), [])
    assert embedder.computed == []


@pytest.mark.parametrize("name", ["token_in_context", "single_form"])
def test_a_second_run_computes_nothing(name, train, environment, tmp_path, monkeypatch):
    environment("Case", "token_level" if name == "token_in_context" else "type_level")
    computed = []

    def compute(embedder, sentences):
        computed.extend(sentences)
        return plainly(embedder, sentences)

    plainly = TransformerLayerEmbedder.compute
    monkeypatch.setattr(TransformerLayerEmbedder, "compute", compute)
    model = str(make_bert(tmp_path / "bert"))
    first = run_with(train, name, "first", model, layer=1)
    # Each once, in whatever split it is; batches are filled up with some of them.
    assert 100 < len(set(computed)) <= len(computed) < 1.2 * len(set(computed))
    computed.clear()
    again = run_with(train, name, "again", model, layer=1)
    other = run_with(train, name, "other", model, layer=2, seed=5)
    assert computed == []
    assert again["test_loss"] == first["test_loss"] != other["test_loss"]


def run_with(train, name, folder, model, layer, seed=13):
    settings = {"type": "transformer_layer", "model": model, "layer": layer, "dimension": None}
    return train(
        name,
        folder,
        model={"text_field_embedder": {"token_embedders": {"words": settings}}},
        trainer={"num_epochs": 2},
        pytorch_seed=seed,
    )


@pytest.mark.parametrize("trainer", ["frozen_probe", "gradient_descent"])
def test_features_are_kept_before_they_are_asked_for(trainer, train, environment, tmp_path):
    """In one pass over all splits, whichever trainer there is."""
    environment("Case", "token_level")
    settings = {"type": "transformer_layer", "model": str(make_bert(tmp_path / "bert"))}
    changes = {"type": trainer, "num_epochs": 1}
    embedder = {"token_embedders": {"words": {**settings, "dimension": None}}}
    train("token_in_context", model={"text_field_embedder": embedder}, trainer=changes)
    (entry,) = list_features()
    files = Path(os.environ["DATA_DIR"], "Case/finnish").glob("*.txt")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert entry.num_sentences == len({line.split("\t")[0] for line in lines})
    assert len(list(entry.folder.glob("*.features"))) == 1


def test_a_trainer_of_its_own_prepares_too(sentences):
    embedder = HashedLayersEmbedder()
    for instance in sentences:
        TokenInContextReader({"words": WordFormIndexer()}).apply_token_indexers(instance)
    vocab = Vocabulary.from_instances(sentences)
    model = TokenInContextProbe(vocab, BasicTextFieldEmbedder({"words": embedder}))
    loader = SimpleDataLoader(sentences, batch_size=1, vocab=vocab)
    FeatureSource(model, torch.device("cpu"), batch_size=1).of(loader)
    assert len(embedder.computed) == 2 and embedder._store.missing([("a", "b")]) == []


def test_what_there_is_is_left_alone_until_the_block_ends():
    gc.unfreeze()
    with pytest.raises(KeyError):
        with _collector_passing_over_objects():
            assert gc.get_freeze_count() > 1000
            raise KeyError
    assert gc.get_freeze_count() == 0


def test_only_what_is_in_memory_is_charged_to_memory(fixtures, tmp_path):
    """Large training data go to a disk; the small ones after them need not."""
    reader = SingleFormReader({"words": WordFormIndexer()})
    large, small = (
        MultiProcessDataLoader(
            reader, str(fixtures / f"type_level/Case/finnish/{name}.txt"), batch_size=9, quiet=True
        )
        for name in ("train", "test")
    )
    vocab = Vocabulary.from_instances(large.iter_instances())
    embedder = BasicTextFieldEmbedder({"words": CharNgramsEmbedder(dimension=10)})
    model = SingleFormProbe(vocab, embedder)
    # 700 and 100 rows of 40 bytes: the large ones, the small ones, or both are kept.
    for limit, left in ((10_000, 6_000), (29_000, 1_000), (40_000, 8_000)):
        source = FeatureSource(
            model, torch.device("cpu"), memory_gb=limit / 1e9, folder=str(tmp_path)
        )
        for loader in (large, small):
            source.of(loader)
        assert source._memory_left == pytest.approx(left)


def test_features_are_computed_on_the_threads_of_training(train, monkeypatch):
    threads = []
    original = CharNgramsEmbedder.embed_forms

    def embed_forms(self, forms):
        threads.append(torch.get_num_threads())
        return original(self, forms)

    monkeypatch.setattr(CharNgramsEmbedder, "embed_forms", embed_forms)
    train("case_fin", trainer={"num_epochs": 1, "num_threads": 3})
    assert set(threads) == {3}
