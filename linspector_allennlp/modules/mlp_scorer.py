from collections.abc import Sequence

import torch
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.modules.edge_scorer import EdgeScorer
from linspector_allennlp.modules.padding import padded, pair_mask

NUMBERS_AT_A_TIME = 1 << 24


@EdgeScorer.register("mlp")
class MlpScorer(EdgeScorer):
    """
    A multi-layer perceptron with ReLU over the vectors of a word and a possible head, side by side.

    Registered as an `EdgeScorer` with name "mlp".

    # Parameters

    hidden_dims : `List[int]`, optional (default = `[1000]`)
        MLP-1 has one hidden layer, MLP-2 two.
    dropout : `float`, optional (default = `0.0`)
        On the output of each hidden layer.
    input_dropout : `float`, optional (default = `0.0`)
        On the vectors.
    """

    def __init__(
        self,
        input_dim: int,
        hidden_dims: Sequence[int] = (1000,),
        dropout: float = 0.0,
        input_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if not hidden_dims or min(hidden_dims) < 1:
            raise ConfigurationError(
                f"hidden_dims: expected the sizes of hidden layers, found {list(hidden_dims)}."
            )
        self.input_dropout = torch.nn.Dropout(input_dropout)
        # The first layer on [head; word] is a sum of two, each of which is computed once a word.
        self.of_words = torch.nn.Linear(input_dim, hidden_dims[0])
        self.of_heads = torch.nn.Linear(input_dim, hidden_dims[0], bias=False)
        layers: list[torch.nn.Module] = [torch.nn.ReLU(inplace=True), torch.nn.Dropout(dropout)]
        for before, after in zip(hidden_dims, hidden_dims[1:]):
            layers += [torch.nn.Linear(before, after), torch.nn.ReLU(), torch.nn.Dropout(dropout)]
        self.layers = torch.nn.Sequential(*layers, torch.nn.Linear(hidden_dims[-1], 1))

    def forward(self, features: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        features = self.input_dropout(features)
        numbers = padded(torch.arange(len(features), device=features.device), mask)
        # Only pairs of words: those with padding would be most of them.
        sentence, word, head = pair_mask(mask).nonzero(as_tuple=True)
        # Shape: (num_words, hidden_dim)
        words, heads = self.of_words(features), self.of_heads(features)
        pairs = torch.stack([numbers[sentence, word], numbers[sentence, head]], dim=1)
        # Shape: (num_pairs,); some at a time, so that evaluation needs little memory. Training keeps all.
        scores = torch.cat(
            [
                self.layers(words[some[:, 0]] + heads[some[:, 1]]).squeeze(1)
                for some in pairs.split(max(1, NUMBERS_AT_A_TIME // words.size(1)))
            ]
        )
        # Shape: (batch, n, n)
        result = scores.new_zeros(*mask.shape, mask.size(1))
        return result.index_put((sentence, word, head), scores)
