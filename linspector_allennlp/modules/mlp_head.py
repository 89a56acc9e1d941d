from collections.abc import Sequence

import torch

from linspector_allennlp.modules.probe_head import ProbeHead


@ProbeHead.register("mlp")
class MlpHead(ProbeHead):
    """
    A multi-layer perceptron with ReLU; LINSPECTOR's probe by default (one hidden layer of 300,
    dropout 0.5 on its output).

    Registered as a `ProbeHead` with name "mlp".

    # Parameters

    hidden_dims : `List[int]`, optional (default = `[300]`)
        The sizes of the hidden layers; there may be any number of them.
    dropout : `float`, optional (default = `0.5`)
        On the output of each hidden layer.
    input_dropout : `float`, optional (default = `0.0`)
    """

    def __init__(
        self,
        input_dim: int,
        num_labels: int,
        hidden_dims: Sequence[int] = (300,),
        dropout: float = 0.5,
        input_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        layers: list[torch.nn.Module] = [torch.nn.Dropout(input_dropout)] if input_dropout else []
        for hidden_dim in hidden_dims:
            layers += [
                torch.nn.Linear(input_dim, hidden_dim),
                torch.nn.ReLU(),
                torch.nn.Dropout(dropout),
            ]
            input_dim = hidden_dim
        self.layers = torch.nn.Sequential(*layers, torch.nn.Linear(input_dim, num_labels))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.layers(features)
