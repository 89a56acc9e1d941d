from typing import Optional

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.modules.edge_scorer import EdgeScorer
from linspector_allennlp.modules.padding import padded


@EdgeScorer.register("bilinear")
class BilinearScorer(EdgeScorer):
    """
    hᵀ A w for a word w and a possible head h; with a rank, A = L·R.

    Registered as an `EdgeScorer` with name "bilinear".

    # Parameters

    rank : `int`, optional
        At most so many dimensions of the vectors count; by default all.
    dropout : `float`, optional (default = `0.0`)
        On the vectors.
    """

    def __init__(self, input_dim: int, rank: Optional[int] = None, dropout: float = 0.0) -> None:
        super().__init__()
        if rank is not None and rank < 1:
            raise ConfigurationError(f"rank: expected at least 1, found {rank}.")
        self.dropout = torch.nn.Dropout(dropout)
        self.of_words = torch.nn.Linear(input_dim, rank or input_dim, bias=False)
        # With the full rank, a second matrix would add nothing.
        self.of_heads = (
            torch.nn.Linear(input_dim, rank, bias=False) if rank else torch.nn.Identity()
        )

    def forward(self, features: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        features = self.dropout(features)
        # Shape, both: (num_words, rank) → (batch, n, rank)
        words, heads = (padded(of(features), mask) for of in (self.of_words, self.of_heads))
        return words @ heads.transpose(1, 2)
