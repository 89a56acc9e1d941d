import copy
import random

import numpy
import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from hypothesis import given, settings
from hypothesis import strategies as st

from linspector_allennlp.representations.char_ngrams import CharNgramsEmbedder
from linspector_allennlp.representations.random_bilstm import RandomBiLstmEmbedder
from linspector_allennlp.representations.transformer_layer import TransformerLayerEmbedder
from linspector_allennlp.representations.words import encode_words
from tests.representations.tiny_transformers import finnish_sentences, make_bert, plain_vectors

SENTENCES = [tuple(words) for words in finnish_sentences()[:8]] + [("talossa",)]


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return make_bert(tmp_path_factory.mktemp("bert"))


def build(settings):
    params = Params(copy.deepcopy({"type": "random_bilstm", **settings}))
    return TokenEmbedder.from_params(params)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def run_one_way(inputs, w_in, w_hidden, b_in, b_hidden):
    """An LSTM in its textbook form, with PyTorch's order of the gates."""
    hidden = cell = numpy.zeros(w_hidden.shape[1])
    states = []
    for x in inputs:
        gates = w_in @ x + b_in + w_hidden @ hidden + b_hidden
        let_in, forget, candidate, let_out = numpy.split(gates, 4)
        cell = sigmoid(forget) * cell + sigmoid(let_in) * numpy.tanh(candidate)
        hidden = sigmoid(let_out) * numpy.tanh(cell)
        states.append(hidden)
    return numpy.array(states)


def bilstm_by_hand(inputs, output_dim, seed):
    """Weights uniform between ±1/√(hidden size), drawn in PyTorch's order; one sentence."""
    torch.manual_seed(seed)
    hidden_dim = output_dim // 2
    bound = hidden_dim**-0.5
    shapes = [(4 * hidden_dim, inputs.shape[1]), (4 * hidden_dim, hidden_dim)]
    shapes += [(4 * hidden_dim,)] * 2
    weights = [torch.empty(shape).uniform_(-bound, bound).double().numpy() for shape in shapes * 2]
    forward = run_one_way(inputs, *weights[:4])
    backward = run_one_way(inputs[::-1], *weights[4:])[::-1]
    return numpy.concatenate([forward, backward], axis=1)


@pytest.mark.parametrize("is_prepared", [False, True])
@pytest.mark.parametrize("dimension", [None, 6])
def test_over_character_ngrams_by_hand(dimension, is_prepared):
    base = CharNgramsEmbedder(dimension=8)
    embedder = RandomBiLstmEmbedder(base, dimension=dimension, seed=3)
    assert embedder.get_output_dim() == (dimension or 8)
    if is_prepared:
        embedder.prepare(SENTENCES)
    embedded = embedder(encode_words(SENTENCES))
    for words, vectors in zip(SENTENCES, embedded.numpy()):
        expected = bilstm_by_hand(base.embed_forms(list(words)), dimension or 8, seed=3)
        assert vectors[: len(words)] == pytest.approx(expected, abs=1e-5)
        assert not vectors[len(words) :].any()


@pytest.mark.parametrize("layer", [0, 2])
def test_over_a_layer_of_a_transformer_by_hand(bert, layer):
    """Layer 0 is the control Proj0."""
    base = {"type": "transformer_layer", "model": str(bert), "layer": layer}
    embedder = build({"base": base, "seed": 7})
    embedder.prepare(SENTENCES[:4])
    embedded = embedder(encode_words(SENTENCES)).numpy()
    for words, vectors in zip(SENTENCES, embedded):
        expected = bilstm_by_hand(plain_vectors(bert, words)[layer], 12, seed=7)
        assert vectors[: len(words)] == pytest.approx(expected, abs=1e-5)


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6), batch_size=st.integers(1, 5))
def test_neither_order_nor_batches_matter(seed, batch_size):
    embedder = RandomBiLstmEmbedder(CharNgramsEmbedder(dimension=4))
    order = random.Random(seed).sample(SENTENCES, len(SENTENCES))
    parts = [
        embedder.compute(order[start : start + batch_size])[0]
        for start in range(0, len(order), batch_size)
    ]
    expected = torch.cat([embedder.compute([words])[0] for words in order])
    assert torch.cat(parts).numpy() == pytest.approx(expected.numpy(), abs=1e-6)


def test_static_bases_know_no_context_and_the_bilstm_does():
    base = CharNgramsEmbedder(dimension=8)
    embedder = RandomBiLstmEmbedder(base)
    words = encode_words([("talo", "on", "."), ("se", "on", ",")])
    assert torch.equal(base(words)[0, 1], base(words)[1, 1])
    assert abs(embedder(words)[0, 1] - embedder(words)[1, 1]).max() > 0.01
    alone = RandomBiLstmEmbedder(base, alone=True)
    assert torch.equal(alone(words)[0, 1], alone(words)[1, 1])
    expected = bilstm_by_hand(base.embed_forms(["on"]), 8, seed=13)
    assert alone(words)[0, 1:2].numpy() == pytest.approx(expected, abs=1e-5)


def test_one_word_of_each_sentence():
    embedder = RandomBiLstmEmbedder(CharNgramsEmbedder(dimension=8))
    probed = torch.tensor([len(words) // 2 for words in SENTENCES])
    everything = embedder(encode_words(SENTENCES))
    one = embedder(encode_words(SENTENCES), probed=probed).squeeze(1)
    assert one.numpy() == pytest.approx(
        everything[torch.arange(len(SENTENCES)), probed].numpy(), abs=1e-6
    )


def test_the_seed_decides_and_no_other_random_numbers_are_drawn():
    base, words = CharNgramsEmbedder(dimension=8), encode_words(SENTENCES)
    state = torch.get_rng_state()
    first, again = (RandomBiLstmEmbedder(base, seed=1)(words) for _ in range(2))
    assert torch.equal(first, again)
    assert abs(first - RandomBiLstmEmbedder(base, seed=2)(words)).max() > 0.01
    assert torch.equal(torch.get_rng_state(), state)


def test_an_archive_has_the_fingerprint_of_the_base_and_the_seed(bert, tmp_path):
    def over(model):
        return RandomBiLstmEmbedder(TransformerLayerEmbedder(str(model), layer=0))

    embedder = over(bert)
    embedder.compute(SENTENCES[:1])
    assert list(embedder.state_dict()) == ["seed", "base.fingerprint"]
    assert not list(embedder.parameters())
    over(bert).load_state_dict(embedder.state_dict())
    with pytest.raises(ConfigurationError, match="is not what this probe was trained with"):
        over(make_bert(tmp_path, seed=5)).load_state_dict(embedder.state_dict())


def test_what_decides_the_vectors_is_in_the_identity(bert):
    def identity(layer=0, **settings):
        base = TransformerLayerEmbedder(str(bert), layer=layer)
        return RandomBiLstmEmbedder(base, **settings).identity()

    assert identity() == identity() == identity(dimension=4)  # its size is added by the store
    assert identity() != identity(seed=1)
    assert identity() != identity(layer=1)
    provenance = RandomBiLstmEmbedder(CharNgramsEmbedder(dimension=8), dimension=4).provenance()
    assert provenance["base"] == {
        "type": "char_ngrams",
        "dimension": 8,
        "ngrams": [3, 6],
        "lowercase": False,
        "seed": 13,
    }
    assert provenance["dimension"] == 4


def test_several_layers_and_what_is_known(bert):
    base = TransformerLayerEmbedder(str(bert), layer=[0, 1])
    embedder = RandomBiLstmEmbedder(base)
    assert embedder.get_output_dim() == 24
    assert embedder.knows(["talo", "Talo"]).tolist() == [True, False]


@pytest.mark.parametrize("alone", [False, True])
def test_the_base_is_prepared_for_what_it_is_asked(bert, alone, monkeypatch):
    """Not one by one, when it is needed."""
    embedder = RandomBiLstmEmbedder(TransformerLayerEmbedder(str(bert), layer=0), alone=alone)
    embedder.prepare(SENTENCES)

    def fail(*_):
        raise AssertionError("the base was computed again")

    monkeypatch.setattr(TransformerLayerEmbedder, "compute", fail)
    embedder(encode_words(SENTENCES))
    embedder.base(encode_words([(SENTENCES[0][0],)] if alone else SENTENCES))


def test_wrong_bases_and_dimensions(bert):
    embedding = {"type": "embedding", "embedding_dim": 4, "num_embeddings": 3}
    mix = {"type": "transformer_layer", "model": str(bert), "layer": "mix"}
    odd = {"type": "char_ngrams", "dimension": 5}
    for wrong, message in [
        ({"base": embedding}, "expected a base of this package.*found Embedding.$"),
        ({"base": mix}, 'found TransformerLayerEmbedder with layer "mix".$'),
        ({"base": odd}, "expected an even dimension.*found 5. Set `dimension`."),
        ({"base": odd, "dimension": 7}, "expected an even dimension.*found 7"),
        ({"base": odd, "dimension": 0}, "expected an even dimension.*found 0"),
    ]:
        with pytest.raises(ConfigurationError, match=message):
            build(wrong)
    assert build({"base": odd, "dimension": 4}).get_output_dim() == 4
