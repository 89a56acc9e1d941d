import torch
from allennlp.modules import ScalarMix
from allennlp.nn.util import combine_tensors

from linspector_allennlp.modules.probe_head import ProbeHead


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
