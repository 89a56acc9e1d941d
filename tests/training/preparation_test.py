import pytest
from allennlp.data import Instance, Token, Vocabulary
from allennlp.data.fields import LabelField, TextField
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.modules.token_embedders import Embedding

from linspector_allennlp.dataset_readers import (
    PairedFormsReader,
    SingleFormReader,
    TokenInContextReader,
)
from linspector_allennlp.models import SingleFormProbe
from linspector_allennlp.representations import RandomBiLstmEmbedder, WordFormIndexer
from linspector_allennlp.training.preparation import prepare_representation
from tests.representations.hashed_layers import HashedLayersEmbedder


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
    assert len(embedder.computed) == 1


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
