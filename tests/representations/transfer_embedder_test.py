import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance, Token
from allennlp.data.fields import TextField
from allennlp.modules import Embedding
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

from linspector_allennlp.representations import (
    CharNgramsEmbedder,
    RandomVectorsEmbedder,
    TransferEmbedder,
    WordFormIndexer,
)
from linspector_allennlp.representations.transfer_embedder import both_embedders, embedder_of
from linspector_allennlp.representations.word_embedder import (
    all_word_embedders,
    hand_over_layers,
    hand_over_pieces,
)
from linspector_allennlp.representations.words import encode_words
from linspector_allennlp.training.feature_source import prepare_representation
from tests.representations.hashed_layers import HashedLayersEmbedder


def basic(**parts):
    return BasicTextFieldEmbedder(parts)


def text(**words):
    return {name: {"code_points": encode_words([sentence])} for name, sentence in words.items()}


def test_a_text_gets_the_vectors_of_its_reader():
    train, test = CharNgramsEmbedder(6, seed=1), RandomVectorsEmbedder(6, seed=2)
    embedder = TransferEmbedder(basic(words=train), basic(test_words=test))
    words = ["talo", "ev"]
    for name, part in (("words", train), ("test_words", test)):
        assert torch.equal(embedder(text(**{name: words})), part(encode_words([words])))
        assert all_word_embedders(embedder, [name]) == [part]
        (found,) = all_word_embedders(embedder_of(embedder, {name}))
        assert found is part
    assert all_word_embedders(embedder) == [train, test] and embedder.get_output_dim() == 6
    with pytest.raises(ConfigurationError, match="words or test_words, found others"):
        embedder(text(others=words))
    with pytest.raises(ConfigurationError, match="words or test_words, found test_words, words"):
        embedder(text(words=words, test_words=words))
    plain = basic(words=train)
    assert embedder_of(plain, ["whatever"]) is plain and both_embedders(plain) == [plain]


def test_several_parts_are_in_one_order():
    parts = {"b": CharNgramsEmbedder(4, seed=1), "a": CharNgramsEmbedder(2, seed=1)}
    embedder = TransferEmbedder(
        basic(**parts), basic(**{f"test_{name}": part for name, part in parts.items()})
    )
    words = ["talo"]
    of_train = embedder(text(a=words, b=words))
    assert torch.equal(of_train, embedder(text(test_a=words, test_b=words)))
    assert of_train.shape == (1, 1, 6)


@pytest.mark.parametrize(
    "train, test, message",
    [
        ({"words": 3}, {"words": 3}, "other names of indexers in test .* both have words"),
        (
            {"words": 3},
            {"test_words": 4},
            r"found 3 \(words\) in train and 4 \(test_words\) in test",
        ),
        ({"a": 1, "b": 2}, {"c": 2, "d": 1}, r"found 1 \(a\) and 2 \(b\) in train"),
        ({"a": 3}, {"c": 2, "d": 1}, "vectors of one space"),
    ],
)
def test_representations_that_do_not_go_together(train, test, message):
    sides = [
        basic(**{name: CharNgramsEmbedder(size) for name, size in side.items()})
        for side in (train, test)
    ]
    with pytest.raises(ConfigurationError, match=message):
        TransferEmbedder(*sides)


def test_only_named_parts():
    plain = basic(words=CharNgramsEmbedder(3))
    inner = TransferEmbedder(plain, basic(test_words=CharNgramsEmbedder(3)))
    with pytest.raises(ConfigurationError, match="train and test with token_embedders, found Tr"):
        TransferEmbedder(plain, inner)


def test_mixed_layers_are_handed_over_on_both_sides():
    def side(name, layers):
        part = HashedLayersEmbedder(num_layers=layers, layer="mix")
        return basic(**{name: part})

    embedder = TransferEmbedder(side("words", 3), side("test_words", 3))
    assert hand_over_layers(embedder) == 3 and hand_over_pieces(embedder) == 0
    assert both_embedders(embedder)[1].get_output_dim() == embedder.get_output_dim()
    other = TransferEmbedder(side("words", 3), side("test_words", 2))
    with pytest.raises(ConfigurationError, match='the same layer: "mix" .* found 3 and 2'):
        hand_over_layers(other)
    static = basic(
        test_words=Embedding(num_embeddings=2, embedding_dim=side("w", 3).get_output_dim())
    )
    with pytest.raises(ConfigurationError, match="found 3 and 1"):
        hand_over_layers(TransferEmbedder(side("words", 3), static))


def test_each_side_prepares_its_own_sentences():
    train, test = HashedLayersEmbedder(name="1"), HashedLayersEmbedder(name="2")
    embedder = TransferEmbedder(basic(words=train), basic(test_words=test))
    instances = [
        Instance({"tokens": TextField([Token(word)], {name: WordFormIndexer()})})
        for word, name in (("talo", "words"), ("ev", "test_words"), ("talo", "test_words"))
    ]
    prepare_representation(embedder, instances)
    assert [sorted(sum(part.computed, [])) for part in (train, test)] == [
        [("talo",)],
        [("ev",), ("talo",)],
    ]
