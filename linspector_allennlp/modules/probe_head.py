import torch
from allennlp.common import Registrable


class ProbeHead(torch.nn.Module, Registrable):
    """
    The part of a probe that is trained: from the features of an item to a score for each label.
    The model gives `input_dim` and `num_labels`; they are never in a config.
    """

    default_implementation = "mlp"

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Shape: (batch, input_dim) → (batch, num_labels)"""
        raise NotImplementedError
