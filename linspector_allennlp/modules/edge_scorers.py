"""Scorers of dependency edges, and the head of a probe that is made of one."""

from collections.abc import Sequence
from typing import Optional

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.modules.heads import ProbeHead
from linspector_allennlp.modules.padding import padded, pair_mask

# The most numbers that a perceptron keeps at a time in evaluation: 64 MB.
NUMBERS_AT_A_TIME = 1 << 24


class EdgeScorer(torch.nn.Module, Registrable):
    """
    The score of each word of a sentence as the head of each word (Hewitt & Liang 2019, section 3.1).
    The model gives `input_dim`; it is never in a config.
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


class EdgeHead(torch.nn.Module):
    """
    The trained part of a probe of dependency edges: a scorer of words as heads, and, if wanted, a
    head that tells the relation of a word to its head from the two vectors.
    """

    def __init__(self, scorer: EdgeScorer, relations: Optional[ProbeHead]) -> None:
        super().__init__()
        self.scorer = scorer
        self.relations = relations

    def forward(
        self, features: torch.Tensor, mask: torch.Tensor, heads: Optional[torch.Tensor] = None
    ) -> tuple[torch.Tensor, Optional[torch.Tensor]]:
        """
        The scores of `EdgeScorer`, and those of relations to the given heads, (batch, n); without
        these, to the best ones. Shape: (batch, n, n) and (batch, n, num_relations)
        """
        scores = self.scorer(features, mask)
        if self.relations is None:
            return scores, None
        if heads is None:
            heads = scores.masked_fill(~mask.unsqueeze(1), float("-inf")).argmax(dim=2)
        # Shape: (batch, n, input_dim)
        words = padded(features, mask)
        # The root has no head; what it gets instead is not scored.
        places = heads.clamp(min=0).unsqueeze(2).expand(-1, -1, words.size(2))
        return scores, self.relations(torch.cat([words, words.gather(1, places)], dim=2))
