import torch
from allennlp.common import Registrable


class EdgeScorer(torch.nn.Module, Registrable):
    """
    How well each word of a sentence would do as the head of each word (Hewitt & Liang 2019, section
    3.1). The model gives `input_dim`; it is never in a config.
    """

    default_implementation = "bilinear"

    def forward(self, features: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """
        # Parameters

        features : `torch.Tensor`
            Of the words of all sentences, one after the other. Shape: (num_words, input_dim)
        mask : `torch.Tensor`
            Where the sentences have words, when they stand beside each other. Shape: (batch, n)

        # Returns

        `torch.Tensor`
            For each word (second axis) the score of each word (third axis) as its head; anything
            where there is no word. Shape: (batch, n, n)
        """
        raise NotImplementedError
