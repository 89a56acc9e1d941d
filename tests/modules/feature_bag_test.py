"""A bag of features: what it hands over, and the sum of its vectors."""

import pytest
import torch
from allennlp.data import Batch, Instance, Token, Vocabulary
from allennlp.data.fields import TextField
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder
from allennlp.nn.util import get_text_field_mask

from linspector_allennlp.modules import FeatureBagEmbedder, FeatureBagIndexer


def sentence(*features):
    tokens = [Token(f"w{number}", tag_=each) for number, each in enumerate(features)]
    return Instance({"words": TextField(tokens, {"features": FeatureBagIndexer()})})


def test_the_sum_of_its_vectors():
    first = sentence("word|POS=X|Case=Nom", "word")
    instances = [first, sentence("word|Case=Nom")]
    vocab = Vocabulary.from_instances(instances)
    assert set(vocab.get_token_to_index_vocabulary("features")) == {
        "@@PADDING@@", "@@UNKNOWN@@", "word", "POS=X", "Case=Nom",
    }  # fmt: skip
    embedder = FeatureBagEmbedder(vocab, dimension=5)
    assert embedder.get_output_dim() == 5
    batch = Batch(instances)
    batch.index_instances(vocab)
    words = batch.as_tensor_dict()["words"]
    assert get_text_field_mask(words).tolist() == [[True, True], [True, False]]
    found = BasicTextFieldEmbedder({"features": embedder})(words)
    vector = {
        name: embedder._vectors.weight[vocab.get_token_index(name, "features")]
        for name in ("word", "POS=X", "Case=Nom")
    }
    torch.testing.assert_close(found[0, 0], sum(vector.values()))
    torch.testing.assert_close(found[1, 0], vector["word"] + vector["Case=Nom"])
    assert found[1, 1].tolist() == [0] * 5, "padding"


def test_features_that_training_has_not_seen():
    known, unknown = sentence("word"), sentence("word|Case=Ess")
    vocab = Vocabulary.from_instances([known])
    unknown.index_fields(vocab)
    assert unknown.as_tensor_dict()["words"]["features"]["features"].tolist() == [[2, 1]]


def test_a_reader_that_gives_none():
    with pytest.raises(ValueError, match="feature_bag: expected features of 'w0', found none"):
        Vocabulary.from_instances([sentence(None)])
