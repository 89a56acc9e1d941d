import torch

from linspector_allennlp.modules.probe_head import ProbeHead


@ProbeHead.register("linear")
class LinearHead(ProbeHead):
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

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.layers(features)
