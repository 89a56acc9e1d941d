from typing import Any, Optional

import numpy as np
import torch
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.metrics.sentence_scores import Shares
from linspector_allennlp.metrics.tree_shares import distance_shares, edge_shares
from linspector_allennlp.models.tree_probe import Arrays, TreeProbe
from linspector_allennlp.modules.padding import mask_of, padded, pair_mask
from linspector_allennlp.modules.projection import squared_distances
from linspector_allennlp.trees import Edges, spanning_trees, tree_edges

SMALLEST_SQUARE = 1e-12
"""The slope of a root is infinite at 0."""


@Model.register("distance_probe")
class DistanceProbe(TreeProbe):
    """
    The structural probe of Hewitt & Manning (2019): the squared distance ‖B(h − h′)‖² of two words is
    to be the number of edges between them in the dependency tree. The loss of a sentence of n words is
    Σ |edges − distance| over its pairs of words, divided by n².

    Registered as a `Model` with name "distance_probe". It takes what `DependencyTreeReader` reads.

    # Parameters

    squared : `bool`, optional (default = `True`)
        Whether the distance is squared.
    The others: see `TreeProbe`.
    """

    main_metric = "uuas"
    gold_fields = ("distances",)
    by_length = ("dspr", "dspr_pfw")

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        rank: Optional[int] = None,
        squared: bool = True,
        dropout: float = 0.0,
        score_punctuation: bool = False,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(
            vocab,
            text_field_embedder,
            rank,
            dropout,
            score_punctuation,
            regularizer,
            serialization_dir,
        )
        self._squared = squared

    def apply_head(  # type: ignore[override]
        self,
        features: torch.Tensor,
        lengths: torch.Tensor,
        distances: Optional[torch.Tensor] = None,
        heads: Optional[torch.Tensor] = None,
        **others: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        mask = mask_of(lengths)
        # Shape: (num_words, rank) → (batch, n, n)
        predicted = squared_distances(padded(self.head(features), mask))
        if not self._squared:
            predicted = predicted.clamp(min=SMALLEST_SQUARE).sqrt()
        predicted = predicted.to(features.dtype)
        output = {"distances": predicted}
        if distances is not None and heads is not None:
            losses = self.losses(
                predicted, padded(distances, pair_mask(mask)), padded(heads, mask), mask
            )
            output.update(loss=losses.mean(), count=torch.tensor(len(lengths)))
        return output

    def losses(
        self,
        predicted: torch.Tensor,
        distances: torch.Tensor,
        heads: torch.Tensor,
        mask: torch.Tensor,
    ) -> torch.Tensor:
        """The loss of each sentence."""
        # Each pair is there twice. Padding has no vectors, but distances to words: it must not count.
        differences = (predicted - distances).abs().masked_fill(~pair_mask(mask), 0.0)
        return differences.sum(dim=(1, 2)) / 2 / mask.sum(dim=1).square()

    def answers_of(self, output: dict[str, torch.Tensor]) -> torch.Tensor:
        return output["distances"]

    def shares(self, answers: np.ndarray, gold: Arrays) -> Shares:
        return {
            **edge_shares(answers, gold["heads"], gold["kept"]),
            **distance_shares(answers, gold["distances"], gold["mask"]),
        }

    def positions(self, mask: np.ndarray) -> dict[str, np.ndarray]:
        """The tree in which every word hangs on the next."""
        places = np.arange(mask.shape[1])
        distances = np.abs(places[:, None] - places)
        return {"adjacent": np.broadcast_to(distances, (*mask.shape, mask.shape[1]))}

    def describe(
        self, answers: np.ndarray, mask: np.ndarray, kept: np.ndarray, gold: Optional[Arrays]
    ) -> list[dict[str, Any]]:
        found = _listed(spanning_trees(answers, kept), len(mask))
        records = []
        for number, length in enumerate(mask.sum(axis=1).tolist()):
            square = number, slice(length), slice(length)
            distances = answers[square].astype(float).round(4)
            records.append({"edges": found[number], "distances": distances.tolist()})
            records[-1]["scored"] = kept[number, :length].tolist()
            if gold is not None:
                records[-1]["gold_distances"] = gold["distances"][square].tolist()
        if gold is not None:
            listed = _listed(tree_edges(gold["heads"], gold["kept"]), len(mask))
            for record, edges in zip(records, listed):
                record["gold_edges"] = edges
        return records


def _listed(edges: Edges, num_sentences: int) -> list[list[list[int]]]:
    """The edges of each sentence, as pairs of ids."""
    lists: list[list[list[int]]] = [[] for _ in range(num_sentences)]
    for sentence, first, second in zip(*(part.tolist() for part in edges)):
        lists[sentence].append([first + 1, second + 1])
    return [sorted(each) for each in lists]
