import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.modules.probe_head import ProbeHead


@ProbeHead.register("low_rank")
class LowRankHead(ProbeHead):
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

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.layers(features)
