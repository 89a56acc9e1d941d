"""Heads of probes: the part that is trained, from the features of an item to a score for each label."""

import copy
from collections.abc import Sequence
from typing import Optional

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.modules import ScalarMix
from allennlp.nn import Activation
from allennlp.nn.util import combine_tensors


class ProbeHead(torch.nn.Module, Registrable):
    """
    The part of a probe that is trained: from the features of an item to a score for each label.
    The model gives `input_dim` and `num_labels`; they are never in a config.
    """

    default_implementation = "mlp"

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Shape: (batch, input_dim) → (batch, num_labels)"""
        raise NotImplementedError


class LayeredHead(ProbeHead):
    """The base of heads that are some layers, one after the other."""

    layers: torch.nn.Sequential

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.layers(features)


@ProbeHead.register("mlp")
class MlpHead(LayeredHead):
    """
    A multi-layer perceptron. LINSPECTOR's probe is this with one hidden layer of 300 and dropout 0.5 on
    its output, that of the study of sentences one of 50 sigmoid units: the configs say so.

    Registered as a `ProbeHead` with name "mlp".

    # Parameters

    hidden_dims : `List[int]`, optional (default = `[300]`)
        The sizes of the hidden layers; there may be any number of them.
    dropout : `float`, optional (default = `0.0`)
        On the output of each hidden layer.
    input_dropout : `float`, optional (default = `0.0`)
    activation : `Activation`, optional (default = `"relu"`)
        Of the hidden layers, any of AllenNLP's: `"sigmoid"`, `"tanh"`, `"gelu"`, …
    """

    def __init__(
        self,
        input_dim: int,
        num_labels: int,
        hidden_dims: Sequence[int] = (300,),
        dropout: float = 0.0,
        input_dropout: float = 0.0,
        activation: Optional[Activation] = None,
    ) -> None:
        super().__init__()

        act = torch.nn.ReLU() if activation is None else activation
        layers: list[torch.nn.Module] = [torch.nn.Dropout(input_dropout)] if input_dropout else []
        for hidden_dim in hidden_dims:
            layers += [
                torch.nn.Linear(input_dim, hidden_dim),
                copy.deepcopy(act),
                torch.nn.Dropout(dropout),
            ]
            input_dim = hidden_dim
        self.layers = torch.nn.Sequential(*layers, torch.nn.Linear(input_dim, num_labels))


@ProbeHead.register("linear")
class LinearHead(LayeredHead):
    """
    A linear classifier.

    Registered as a `ProbeHead` with name "linear".

    # Parameters

    dropout : `float`, optional (default = `0.0`)
        On the input.
    """

    def __init__(self, input_dim: int, num_labels: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Dropout(dropout), torch.nn.Linear(input_dim, num_labels)
        )


@ProbeHead.register("low_rank")
class LowRankHead(LayeredHead):
    """
    A linear classifier whose weight matrix is a product L·R of rank at most `rank`, with one
    bias (Hewitt & Liang 2019, section 3).

    Registered as a `ProbeHead` with name "low_rank".

    # Parameters

    rank : `int`
    dropout : `float`, optional (default = `0.0`)
        On the input.
    """

    def __init__(self, input_dim: int, num_labels: int, rank: int, dropout: float = 0.0) -> None:
        super().__init__()
        if rank < 1:
            raise ConfigurationError(f"low_rank: expected a rank of at least 1, found {rank}.")
        self.layers = torch.nn.Sequential(
            torch.nn.Dropout(dropout),
            torch.nn.Linear(input_dim, rank, bias=False),
            torch.nn.Linear(rank, num_labels),
        )


class LayerMixHead(ProbeHead):
    """
    A head that first makes one vector of the layers of each word, by a weighted average whose
    weights are trained with it (Peters et al. 2018, equation 1), and then does what another head
    does. A probe puts it before its own head where the representation gives layers to be mixed.

    # Parameters

    head : `torch.nn.Module`
        It may take more than features.
    num_layers : `int`
    combination : `str`
        How the vectors x (and y) of the word (or two words) of an item become one: see
        `PairedFormsProbe`.
    """

    def __init__(self, head: torch.nn.Module, num_layers: int, combination: str) -> None:
        super().__init__()
        self.mix = ScalarMix(num_layers)
        self.head = head
        self._num_layers = num_layers
        self._combination = combination
        self._num_words = 2 if "y" in combination else 1

    def layer_weights(self) -> list[float]:
        """The share of each layer; they sum to 1."""
        return torch.softmax(torch.cat(list(self.mix.scalar_parameters)), dim=0).tolist()

    def forward(self, features: torch.Tensor, *others: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        # Shape: (batch, num_words · num_layers · layer_dim) → (batch, num_words, num_layers, layer_dim)
        layers = features.view(len(features), self._num_words, self._num_layers, -1)
        # Shape: (batch, num_words, layer_dim)
        words = self.mix(list(layers.unbind(dim=2)))
        return self.head(combine_tensors(self._combination, list(words.unbind(dim=1))), *others)
