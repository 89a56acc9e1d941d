"""
The layers of several heads of one shape as those of one: weights, gradients and activations have a first
dimension more, the place of the head in the stack. Gradients are computed layer by layer, straight to
where they are kept; autograd would take as long again.
"""

from collections.abc import Hashable, Sequence
from functools import cache
from typing import NamedTuple, Optional, Union, cast

import torch
from torch.nn import Dropout, Linear, Sequential

ELEMENTWISE = (
    torch.nn.ELU,
    torch.nn.GELU,
    torch.nn.LeakyReLU,
    torch.nn.ReLU,
    torch.nn.SELU,
    torch.nn.Sigmoid,
    torch.nn.Softplus,
    torch.nn.Tanh,
)
"""Activations that are the same function of each number, without weights."""


def shape_of(layers: Sequential) -> Optional[tuple[Hashable, ...]]:
    """What heads must have in common to share a stack; `None` for layers that no stack has."""
    shape: list[Hashable] = []
    for layer in layers:
        if type(layer) is Linear:
            shape.append((*layer.weight.shape, layer.bias is None, layer.weight.dtype))
        elif type(layer) is Dropout and layer.p < 1:
            shape.append("dropout")
        elif isinstance(layer, ELEMENTWISE):
            shape.append(repr(layer))
        else:
            return None
    return tuple(shape)


class Batches(NamedTuple):
    """
    Batches of as many rows for some heads, whose places in the stack are one after the other.

    # Parameters

    place : `int`
        Of the first of these heads.
    layers : `Sequence[Sequential]`
        Of each head.
    generators : `Sequence[Generator]`
        From which the dropout of each head is drawn.
    """

    place: int
    layers: Sequence[Sequential]
    generators: Sequence[torch.Generator]

    @property
    def places(self) -> slice:
        return slice(self.place, self.place + len(self.layers))


class StackedLayers:
    """
    # Parameters

    size : `int`
        The number of places.
    layers : `Sequential`
        Of a head; those of the others have the same `shape_of`.
    """

    def __init__(self, size: int, layers: Sequential) -> None:
        self._parts = [_stacked(place, layer, size) for place, layer in enumerate(layers)]

    def enter(self, place: int, layers: Sequential) -> None:
        """Takes the weights of a head in: until it leaves, its own are those in the stack."""
        for part in self._parts:
            if isinstance(part, _Product):
                part.enter(place, cast(Linear, layers[part.index]))

    def leave(self, layers: Sequential) -> None:
        """Gives a head weights of its own again."""
        for parameter in layers.parameters():
            parameter.data = parameter.data.clone()
            parameter.grad = None

    def forward(self, x: torch.Tensor, batches: Batches) -> torch.Tensor:
        """Shape: (num_heads, num_rows, input_dim) → (num_heads, num_rows, output_dim)"""
        for part in self._parts:
            x = part.forward(x, batches)
        return x

    def backward(self, gradient: torch.Tensor) -> None:
        """From the gradient of the loss by what `forward` gave to those by all weights."""
        first = next(part for part in self._parts if isinstance(part, _Product))
        for part in reversed(self._parts):
            gradient = part.backward(gradient, is_last=part is first)
            if part is first:
                return

    def clip_gradients(self, places: slice, size: float) -> None:
        for part in self._parts:
            if isinstance(part, _Product):
                for gradient in part.gradients():
                    gradient[places].clamp_(-size, size)


class _Product:
    """The weights and the bias of linear layers."""

    def __init__(self, index: int, layer: Linear, size: int) -> None:
        self.index = index
        self._weight = layer.weight.new_zeros(size, *layer.weight.shape, requires_grad=False)
        self._weight_gradient = torch.zeros_like(self._weight)
        self._bias: Optional[torch.Tensor] = None
        if layer.bias is not None:
            self._bias = layer.bias.new_zeros(size, *layer.bias.shape, requires_grad=False)
            self._bias_gradient = torch.zeros_like(self._bias)

    def enter(self, place: int, layer: Linear) -> None:
        _bind(layer.weight, self._weight[place], self._weight_gradient[place])
        if self._bias is not None:
            _bind(layer.bias, self._bias[place], self._bias_gradient[place])

    def gradients(self) -> list[torch.Tensor]:
        return [self._weight_gradient, *([] if self._bias is None else [self._bias_gradient])]

    def forward(self, x: torch.Tensor, batches: Batches) -> torch.Tensor:
        self._x, self._places = x, batches.places
        weight = self._weight[self._places].transpose(1, 2)
        if self._bias is None:
            return torch.bmm(x, weight)
        return torch.baddbmm(self._bias[self._places].unsqueeze(1), x, weight)

    def backward(self, gradient: torch.Tensor, is_last: bool) -> torch.Tensor:
        here = self._places
        torch.bmm(gradient.transpose(1, 2), self._x, out=self._weight_gradient[here])
        if self._bias is not None:
            torch.sum(gradient, dim=1, out=self._bias_gradient[here])
        return gradient if is_last else torch.bmm(gradient, self._weight[here])


class _Mask:
    """Dropout, of each head with its own probability and from its own random numbers."""

    def __init__(self, index: int) -> None:
        self.index = index
        self._mask: Optional[torch.Tensor] = None

    def forward(self, x: torch.Tensor, batches: Batches) -> torch.Tensor:
        kept = [1 - float(layers[self.index].p) for layers in batches.layers]  # type: ignore[arg-type]
        self._mask = None if min(kept) == 1 else dropout_masks(x.shape, kept, batches.generators)
        return x if self._mask is None else x * self._mask

    def backward(self, gradient: torch.Tensor, is_last: bool) -> torch.Tensor:
        return gradient if self._mask is None else gradient * self._mask


def dropout_masks(
    shape: Sequence[int], kept: Sequence[float], generators: Sequence[torch.Generator]
) -> torch.Tensor:
    """
    What torch.nn.Dropout multiplies each of these numbers with if the generator of a head is the global
    one: 0 or, in a share `kept` of all places, 1 / kept. A head that keeps all draws nothing.
    """
    if bernoulli_is_uniform():
        drawn = torch.zeros(shape, dtype=torch.float64)
        for numbers, share, generator in zip(drawn.unbind(), kept, generators):
            if share < 1:
                numbers.uniform_(generator=generator)
        shares = torch.tensor(kept, dtype=torch.float64).view(-1, 1, 1)
        return (drawn < shares).float().div_(shares.float())
    masks = torch.ones(shape)
    for mask, share, generator in zip(masks.unbind(), kept, generators):
        if share < 1:
            mask.bernoulli_(share, generator=generator).div_(share)
    return masks


@cache
def bernoulli_is_uniform() -> bool:
    """
    Whether torch, on this processor, draws a number that is 1 in a share of all cases by drawing one between
    0 and 1: which can be done in a third of the time.
    """
    first, second = (torch.Generator().manual_seed(1) for _ in range(2))
    drawn = torch.empty(1000).bernoulli_(0.7, generator=first)
    uniform = torch.empty(1000, dtype=torch.float64).uniform_(generator=second)
    return torch.equal(drawn, (uniform < 0.7).float())


class _Activation:
    """An activation: autograd knows its gradient."""

    def __init__(self, layer: torch.nn.Module) -> None:
        self._layer = layer

    def forward(self, x: torch.Tensor, batches: Batches) -> torch.Tensor:
        with torch.enable_grad():
            self._x = x.detach().requires_grad_()
            self._y = self._layer(self._x)
        return self._y.detach()

    def backward(self, gradient: torch.Tensor, is_last: bool) -> torch.Tensor:
        return torch.autograd.grad(self._y, self._x, gradient)[0]


def _stacked(index: int, layer: torch.nn.Module, size: int) -> Union[_Product, _Mask, _Activation]:
    if isinstance(layer, Linear):
        return _Product(index, layer, size)
    return _Mask(index) if isinstance(layer, Dropout) else _Activation(layer)


def _bind(parameter: torch.Tensor, value: torch.Tensor, gradient: torch.Tensor) -> None:
    value.copy_(parameter.data)
    parameter.data, parameter.grad = value, gradient
