from typing import Optional

import torch
from allennlp.common.checks import ConfigurationError

INITIAL_RANGE = 0.05


class Projection(torch.nn.Module):
    """
    The matrix B of the structural probe (Hewitt & Manning 2019): vectors are compared after a linear
    projection into `rank` dimensions.

    # Parameters

    input_dim : `int`
    rank : `int`, optional
        By default as many dimensions as the vectors have.
    dropout : `float`, optional (default = `0.0`)
        On the vectors.
    """

    def __init__(self, input_dim: int, rank: Optional[int] = None, dropout: float = 0.0) -> None:
        super().__init__()
        if rank is not None and rank < 1:
            raise ConfigurationError(f"rank: expected at least 1, found {rank}.")
        self.dropout = torch.nn.Dropout(dropout)
        self.weight = torch.nn.Parameter(torch.empty(rank or input_dim, input_dim))
        torch.nn.init.uniform_(self.weight, -INITIAL_RANGE, INITIAL_RANGE)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """
        In evaluation it is in double precision: words with the same vector, such as the parts of a
        multiword token, must be as far from others, whatever the batch that they are in.
        Shape: (num_words, input_dim) → (num_words, rank)
        """
        if self.training:
            return torch.nn.functional.linear(self.dropout(features), self.weight)
        return torch.nn.functional.linear(features.double(), self.weight.double())


def squared_distances(vectors: torch.Tensor) -> torch.Tensor:
    """
    ‖x − y‖² of any two vectors of a sentence, as ‖x‖² + ‖y‖² − 2 x·y, which needs no room for the
    differences. Shape: (batch, n, dim) → (batch, n, n)
    """
    # Shape: (batch, n, n)
    products = vectors @ vectors.transpose(1, 2)
    # Shape: (batch, n)
    squares = products.diagonal(dim1=1, dim2=2)
    distances = squares.unsqueeze(2) + squares.unsqueeze(1) - 2 * products
    # Rounding may leave a little below 0 where two vectors are the same.
    return distances.clamp(min=0)
