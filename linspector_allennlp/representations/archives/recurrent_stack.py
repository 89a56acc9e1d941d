"""The layers of a stack of recurrent layers, of which PyTorch shows the last alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.seq2seq_encoders import PytorchSeq2SeqWrapper
from allennlp.modules.stacked_alternating_lstm import StackedAlternatingLstm
from allennlp.modules.stacked_bidirectional_lstm import StackedBidirectionalLstm
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

STACKS = nn.RNNBase, StackedBidirectionalLstm, StackedAlternatingLstm
SAME = 1e-4
"""So much, of the largest value, the last layer may differ from what the stack itself gave."""


def num_stacked(module: nn.Module) -> int:
    """How many layers it has that can be told apart; 0 if it is no stack."""
    stack = _stack_in(module)
    return 0 if stack is None else int(stack.num_layers)


class RecurrentStack:
    """
    Runs a stack once more, one layer at a time with its own weights, to see what each gives. It is a
    `torch.nn.LSTM`, `GRU` or `RNN`, AllenNLP's `StackedBidirectionalLstm` or `StackedAlternatingLstm`, or a
    `Seq2SeqEncoder` around one of them, which sorts, packs and pads as it does for its own stack.

    # Parameters

    module : `torch.nn.Module`
    """

    def __init__(self, module: nn.Module) -> None:
        stack = _stack_in(module)
        if stack is None:
            raise ConfigurationError(
                f"expected a stack of recurrent layers, found {type(module).__name__}."
            )
        self._module, self._stack = module, stack
        self._last: tuple[Any, list[Any]] = (None, [])

    def forget(self) -> None:
        self._last = (None, [])

    def outputs(self, args: tuple[Any, ...], named: dict[str, Any], output: Any) -> list[Any]:
        """
        What each layer gives for the same inputs, in the form in which the module gives its output. An
        error if that of the last is not the `output` of the module.
        """
        if (
            output is not None and self._last[0] is output
        ):  # another layer of the same pass was asked for
            return self._last[1]
        if self._module is self._stack:
            together = _Stacked(self._stack)(*args, **named)[0]
        else:
            with _replaced_stack(self._module, _Stacked(self._stack)):
                together = type(self._module).forward(self._module, *args, **named)
        layers = _split(together, self._stack.num_layers)
        last, expected = map(_values, (layers[-1], _first(output)))
        if last.shape != expected.shape or not _alike(last, expected):
            raise ValueError(
                "expected its layers, one after the other, to give what it gave itself, and they give "
                "something else: take the module as a whole."
            )
        self._last = output, layers
        return layers


def _stack_in(module: nn.Module) -> Optional[Any]:
    """The stack that a module is, or that an encoder of AllenNLP's is around."""
    inner = module._module if isinstance(module, PytorchSeq2SeqWrapper) else module
    return inner if isinstance(inner, STACKS) else None


class _Stacked(nn.Module):
    """The same stack, whose output is that of all its layers side by side."""

    def __init__(self, stack: Any) -> None:
        super().__init__()
        self._stack_of_layers = [stack]  # in a list it is no part of this one
        self.batch_first = getattr(stack, "batch_first", True)

    def forward(self, inputs: Any, states: Any = None, **named: Any) -> tuple[Any, Any]:
        states = named.get("hx", named.get("initial_state", states))
        (stack,) = self._stack_of_layers
        value, outputs, last_state = inputs, [], None
        for number in range(stack.num_layers):
            value, last_state = _run_layer(stack, number, value, states)
            outputs.append(value)
        return _side_by_side(outputs), last_state


def _run_layer(stack: Any, number: int, inputs: Any, states: Any) -> tuple[Any, Any]:
    if isinstance(stack, nn.RNNBase):
        ways = 2 if stack.bidirectional else 1
        part = slice(ways * number, ways * (number + 1))
        return _single_layer(stack, number)(inputs, _part_of(states, part))
    state = _part_of(states, slice(number, number + 1))
    if isinstance(stack, StackedAlternatingLstm):
        return getattr(stack, f"layer_{number}")(inputs, state)
    both = [
        pad_packed_sequence(getattr(stack, f"{way}_layer_{number}")(inputs, state)[0], True)
        for way in ("forward", "backward")
    ]
    lengths = both[0][1]
    return pack_padded_sequence(torch.cat([value for value, _ in both], -1), lengths, True), None


def _single_layer(stack: Any, number: int) -> nn.Module:
    """A network of one layer with the weights of this one."""
    kind = next(kind for kind in (nn.LSTM, nn.GRU, nn.RNN) if isinstance(stack, kind))
    below = (stack.proj_size or stack.hidden_size) * (2 if stack.bidirectional else 1)
    settings: dict[str, Any] = {"proj_size": stack.proj_size} if kind is nn.LSTM else {}
    settings |= {"nonlinearity": stack.nonlinearity} if kind is nn.RNN else {}
    layer = kind(
        stack.input_size if number == 0 else below,
        stack.hidden_size,
        bias=stack.bias,
        batch_first=stack.batch_first,
        bidirectional=stack.bidirectional,
        device="meta",  # nothing is drawn
        **settings,
    )
    ending = f"_l{number}"
    weights = {
        name.replace("_l0", ending, 1): name for name, _ in layer.named_parameters(recurse=False)
    }
    layer.load_state_dict(
        {name: getattr(stack, of_stack).detach() for of_stack, name in weights.items()},
        assign=True,
    )
    return layer.eval().requires_grad_(False)


def _part_of(states: Any, part: slice) -> Any:
    """The states of a layer in those of all."""
    if states is None or isinstance(states, torch.Tensor):
        return None if states is None else states[part].contiguous()
    return tuple(state[part].contiguous() for state in states)


@contextmanager
def _replaced_stack(encoder: Any, other: nn.Module) -> Iterator[None]:
    """In this block an encoder of AllenNLP's is around something else, and its states stay as they are."""
    stack, states = encoder._module, getattr(encoder, "_states", None)
    encoder._modules["_module"] = other
    stateful, encoder.stateful = getattr(encoder, "stateful", False), False
    try:
        yield
    finally:
        encoder._modules["_module"] = stack
        encoder._states, encoder.stateful = states, stateful


def _side_by_side(outputs: list[Any]) -> Any:
    if isinstance(outputs[0], PackedSequence):
        return outputs[0]._replace(data=torch.cat([each.data for each in outputs], -1))
    return torch.cat(outputs, -1)


def _split(value: Any, number: int) -> list[Any]:
    if isinstance(value, PackedSequence):
        return [value._replace(data=part) for part in value.data.chunk(number, -1)]
    return list(value.chunk(number, -1))


def _first(output: Any) -> Any:
    is_plain = isinstance(output, (torch.Tensor, PackedSequence))
    return output if is_plain else output[0]


def _values(value: Any) -> torch.Tensor:
    return value.data if isinstance(value, PackedSequence) else value


def _alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    return bool((one - other).abs().max() <= SAME * other.abs().max())
