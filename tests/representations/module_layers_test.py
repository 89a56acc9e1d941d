"""Modules of any network of PyTorch's as layers, found again by weights and code."""

import json

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.modules import TokenEmbedder
from torch import nn

from linspector_allennlp.representations import module_layers
from linspector_allennlp.representations.archives.torch_network import network_digest
from linspector_allennlp.representations.words import encode_words

WORDS = {word: number for number, word in enumerate("a b c d e f g".split(), start=1)}
SENTENCES = [("a", "b", "zz"), ("c",), ("e", "f", "g", "a")]


class Network(nn.Module):
    """Words, then a stack of two layers that sees the padding behind them only from the right."""

    def __init__(self, seed=1):
        super().__init__()
        torch.manual_seed(seed)
        self.words = nn.Embedding(20, 3)
        self.stack = nn.LSTM(3, 4, 2, batch_first=True)

    def forward(self, ids):
        return self.stack(self.words(ids))[0]


def to_ids(sentences):
    longest = max(map(len, sentences))
    rows = [[WORDS.get(word, 9) for word in words] + [0] * longest for words in sentences]
    return torch.tensor([row[:longest] for row in rows])


def by_name(sentences):
    return {"ids": to_ids(sentences)}


def load(seed):
    return Network(seed), to_ids


NAMES = ["words", "stack#0", "stack"]


def test_layers_of_several_sizes():
    network = Network()
    for number, to_inputs in ((0, to_ids), (1, by_name), (2, lambda s: (to_ids(s),))):
        embedder = module_layers(network, to_inputs, NAMES, layer=number)
        assert embedder.get_output_dim() == [3, 4, 4][number]
        found = embedder(encode_words(SENTENCES))
        for words, vectors in zip(SENTENCES, found):
            with torch.no_grad():
                ids = to_ids([words])
                layers = [network.words(ids), None, network(ids)]
            first = nn.LSTM(3, 4, 1, batch_first=True)
            first.load_state_dict(
                {k: v for k, v in network.stack.state_dict().items() if "_l0" in k}
            )
            with torch.no_grad():
                layers[1] = first(layers[0])[0]
            assert torch.allclose(vectors[: len(words)], layers[number][0], atol=1e-6)
    together = module_layers(network, to_ids, NAMES, layer=[0, 2])
    assert together.get_output_dim() == 7
    assert together(encode_words(SENTENCES)).shape == (3, 4, 7)
    with pytest.raises(
        ConfigurationError, match=r'"mix" is for layers of one size, found words \(3\)'
    ):
        module_layers(network, to_ids, NAMES, layer="mix")
    assert module_layers(network, to_ids, NAMES[1:], layer="mix").hand_over_layers() == 2


def test_what_is_stored_needs_no_pass(monkeypatch):
    network = Network()
    first = module_layers(network, to_ids, NAMES, layer=1)
    first.prepare(SENTENCES)
    expected = first(encode_words(SENTENCES))
    runs = []
    monkeypatch.setattr(nn.LSTM, "forward", lambda *args: runs.append(args))
    second = module_layers(network, to_ids, NAMES, layer=1)
    second.prepare(SENTENCES)
    assert torch.equal(second(encode_words(SENTENCES)), expected) and not runs
    assert not list(second.parameters()) and json.dumps(second.provenance())
    assert second.provenance()["module"] == "stack#0"


def test_the_network_may_be_trained_further():
    network = Network().train()
    embedder = module_layers(network, to_ids, "stack")
    before = embedder.compute(SENTENCES)
    with torch.no_grad():
        network.words.weight.mul_(2)
    assert torch.equal(embedder.compute(SENTENCES), before) and network.training
    assert module_layers(network, to_ids, "stack").identity() != embedder.identity()


def test_the_digest():
    def function(number):
        def inputs(sentences):
            return to_ids(sentences) + number

        return inputs

    class Other(Network):
        def forward(self, ids):
            return self.stack(self.words(ids))[0] * 2

    digests = [
        network_digest(Network(), to_ids),
        network_digest(Network(2), to_ids),
        network_digest(Other(), to_ids),
        network_digest(Network(), by_name),
        network_digest(Network(), function(0)),
        network_digest(Network(), function(1)),
        network_digest(Network(), to_ids, "v2"),
    ]
    assert len(set(digests)) == len(digests)
    assert network_digest(Network(), function(1)) == digests[5]
    assert network_digest(Network(), to_ids) == digests[0]
    WORDS["new"] = 8  # what the function looks words up in
    try:
        assert network_digest(Network(), to_ids) != digests[0]
    finally:
        del WORDS["new"]
    generator = iter(())
    with pytest.raises(ConfigurationError, match="to_inputs: it uses a .*give a key"):
        network_digest(Network(), lambda sentences: next(generator))
    assert network_digest(Network(), lambda sentences: next(generator), "key")
    with pytest.raises(ConfigurationError, match="a function of Python's"):
        network_digest(Network(), len)


def test_from_a_config():
    settings = {
        "type": "module_layers",
        "function": "tests.representations.module_layers_test.load",
        "arguments": {"seed": 3},
        "module": NAMES,
        "layer": 2,
    }
    embedder = TokenEmbedder.from_params(Params({**settings}))
    plain = module_layers(Network(3), to_ids, NAMES, layer=2)
    assert torch.equal(embedder(encode_words(SENTENCES)), plain(encode_words(SENTENCES)))
    for function, message in (
        ("nowhere.load", "cannot be imported"),
        ("tests.representations.module_layers_test.Network", "its to_inputs, found Network"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            TokenEmbedder.from_params(Params({**settings, "function": function, "arguments": {}}))


class Random(Network):
    def forward(self, ids):
        return nn.functional.dropout(super().forward(ids), training=True)


class GoesOn(Network):
    read = 0

    def forward(self, ids):
        self.read += 1
        return self.stack(self.words(ids) + self.read)[0]


def test_a_word_has_a_vector_of_its_own_or_none():
    with pytest.raises(ConfigurationError, match="stack#0: expected the same vectors whenever"):
        module_layers(GoesOn(), to_ids, ["words", "stack#0", "stack"])
    network = nn.Sequential(Random(), nn.Identity())
    with pytest.raises(ConfigurationError, match="1: expected the same vectors whenever"):
        module_layers(network, to_ids, "1")
    assert module_layers(network, to_ids, "0.words").get_output_dim() == 3
