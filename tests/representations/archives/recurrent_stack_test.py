"""Each layer of a stack is what a loop over cells, written by hand, gives."""

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.seq2seq_encoders import (
    LstmSeq2SeqEncoder,
    Seq2SeqEncoder,
    StackedBidirectionalLstmSeq2SeqEncoder,
)
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from linspector_allennlp.representations.archives.modules import ModuleHook
from linspector_allennlp.representations.archives.recurrent_stack import num_stacked

LENGTHS = [3, 5, 1, 5, 2]  # not sorted, two alike


def lstm_by_hand(stack, sentence, layers):
    """The states of each layer for one sentence, cell by cell. Shape of each: (length, dimension)"""
    found, inputs = [], list(sentence)
    for layer in range(layers):
        ways = []
        for ending in ("", "_reverse") if stack.bidirectional else ("",):
            weights = [
                getattr(stack, f"{name}_l{layer}{ending}")
                for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            ]
            h = c = torch.zeros(stack.hidden_size)
            states = []
            for x in reversed(inputs) if ending else inputs:
                gates = weights[0] @ x + weights[2] + weights[1] @ h + weights[3]
                i, f, g, o = gates.chunk(4)
                c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
                h = torch.sigmoid(o) * torch.tanh(c)
                states.append(h)
            ways.append(states[::-1] if ending else states)
        inputs = [torch.cat(parts) for parts in zip(*ways)]
        found.append(torch.stack(inputs))
    return found


class Around(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.top = nn.Identity()

    def forward(self, *args):
        output = self.encoder(*args)
        return self.top(output[0] if isinstance(output, tuple) else output)


def batch():
    torch.manual_seed(5)
    x = torch.randn(len(LENGTHS), max(LENGTHS), 4)
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    return x, mask


def layers_of(model, paths, *args, lengths=LENGTHS):
    stacks = {}
    hooks = [ModuleHook(model.eval(), path, stacks=stacks) for path in paths]
    handles = [hook.__enter__() for hook in hooks]
    with torch.inference_mode():
        expected_top = model(*args)
    for handle in handles:
        handle.__exit__()
    return expected_top, [hook.rows(lengths, max(lengths)) for hook in hooks]


def rows(x):
    return torch.cat([sentence[:length] for sentence, length in zip(x, LENGTHS)])


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("stateful", [True, False])
def test_an_encoder_of_three_layers(bidirectional, stateful):
    x, mask = batch()
    encoder = LstmSeq2SeqEncoder(
        4, 3, 3, dropout=0.5, bidirectional=bidirectional, stateful=stateful
    )
    before = {name: value.clone() for name, value in encoder.state_dict().items()}
    top, found = layers_of(Around(encoder), [f"encoder#{n}" for n in range(3)], x, mask)
    by_hand = [lstm_by_hand(encoder._module, s[:n], 3) for s, n in zip(x, LENGTHS)]
    for layer, vectors in enumerate(found):
        expected = torch.cat([of_sentence[layer] for of_sentence in by_hand])
        assert torch.allclose(vectors, expected, atol=1e-5)
    assert torch.allclose(found[2], rows(top))
    assert isinstance(encoder._module, nn.LSTM)
    assert all(torch.equal(before[name], value) for name, value in encoder.state_dict().items())
    assert (encoder._states is not None) == stateful


def test_a_plain_lstm_batch_first_or_packed():
    x, _ = batch()
    stack = nn.LSTM(4, 3, 2, batch_first=True, bidirectional=True, proj_size=2)
    top, (low, high) = layers_of(Around(stack), ["encoder#0", "encoder#1"], x, lengths=[5] * 5)
    assert torch.allclose(high, top.flatten(0, 1), atol=1e-6)
    first = nn.LSTM(4, 3, 1, batch_first=True, bidirectional=True, proj_size=2)
    first.load_state_dict({k: v for k, v in stack.state_dict().items() if "_l0" in k})
    assert torch.allclose(low, first(x)[0].flatten(0, 1), atol=1e-6)
    packed = pack_padded_sequence(x[:1, :3], [3], batch_first=True)
    _, (alone,) = layers_of(Around(stack), ["encoder#0"], packed, lengths=[3])
    assert torch.allclose(alone, first(x[:1, :3])[0][0], atol=1e-6)


@pytest.mark.parametrize("kind", [nn.GRU, nn.RNN])
def test_other_cells_time_first_with_states(kind):
    torch.manual_seed(3)
    settings = {"nonlinearity": "relu"} if kind is nn.RNN else {}
    stack = kind(4, 3, 2, bias=False, **settings)
    x, states = torch.randn(6, 1, 4), torch.randn(2, 1, 3)
    _, (low,) = layers_of(Around(stack), ["encoder#0"], x, states, lengths=[6])
    first = kind(4, 3, 1, bias=False, **settings)
    first.load_state_dict({k: v for k, v in stack.state_dict().items() if "_l0" in k})
    assert torch.allclose(low, first(x, states[:1])[0][:, 0], atol=1e-6)
    assert not torch.allclose(low, first(x)[0][:, 0], atol=1e-3)


def test_stacked_bidirectional_lstm():
    x, mask = batch()
    encoder = StackedBidirectionalLstmSeq2SeqEncoder(4, 3, 2)
    top, (low, high) = layers_of(Around(encoder), ["encoder#0", "encoder#1"], x, mask)
    assert torch.allclose(high, rows(top), atol=1e-6)
    stack, expected = encoder._module, []
    for sentence, length in zip(x, LENGTHS):
        packed = pack_padded_sequence(sentence[None, :length], [length], batch_first=True)
        ways = [
            pad_packed_sequence(layer(packed)[0], batch_first=True)[0][0]
            for layer in (stack.forward_layer_0, stack.backward_layer_0)
        ]
        expected.append(torch.cat(ways, dim=-1))
    assert torch.allclose(low, torch.cat(expected), atol=1e-6)


def test_alternating_lstm():
    x, mask = batch()
    encoder = Seq2SeqEncoder.by_name("alternating_lstm")(input_size=4, hidden_size=3, num_layers=2)
    top, (low, high) = layers_of(Around(encoder), ["encoder#0", "encoder#1"], x, mask)
    assert torch.allclose(high, rows(top), atol=1e-6) and not torch.allclose(low, high)


@pytest.mark.parametrize(
    "path, side, message",
    [
        ("encoder#2", "output", "encoder#2: expected a layer from 0 to 1, found '2'"),
        ("encoder#last", "output", "expected a layer from 0 to 1, found 'last'"),
        ("encoder#0", "input", "the output of a layer in a stack.*found the input"),
        ("top#0", "output", "in a stack of LSTMs, GRUs or RNNs, found Identity"),
        ("encodr#0", "output", "no 'encodr'; do you mean one of encoder"),
    ],
)
def test_what_is_no_layer(path, side, message):
    with pytest.raises(ConfigurationError, match=message):
        ModuleHook(Around(nn.LSTM(4, 3, 2)), path, side)


class Doubled(nn.LSTM):
    def forward(self, *args):
        output, states = super().forward(*args)
        return 2 * output, states


def test_a_stack_that_does_something_else_is_noticed():
    """Its layers one after the other are not what it gave."""
    model = Around(Doubled(4, 3, 2))
    with pytest.raises(ValueError, match="the output of encoder#0: expected its layers"):
        layers_of(model, ["encoder#0"], torch.randn(3, 1, 4), lengths=[3])
    assert num_stacked(model.encoder) == 2 and num_stacked(model.top) == 0
