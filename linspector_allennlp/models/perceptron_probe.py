from typing import Optional

import torch
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.models.distance_probe import DistanceProbe
from linspector_allennlp.trees import spanning_trees, tree_edges


@Model.register("perceptron_probe")
class PerceptronProbe(DistanceProbe):
    """
    The structured perceptron parser of Hall Maudslay et al. (2020), a structural probe that is trained
    as a parser: the loss of a sentence is the weight of its dependency tree less that of the minimum
    spanning tree under the distances ‖B(h − h′)‖. It is never below 0, and 0 if the trees are the same.

    That loss is the smaller the smaller B is, whatever the trees, so that the epoch with the least loss
    may be one that has learned nothing: choose the best epoch by UUAS (`validation_metric: "+uuas"`).
    The scale-free loss, the same divided by the weight of the dependency tree, has no such trap.

    Registered as a `Model` with name "perceptron_probe". It takes what `DependencyTreeReader` reads.

    # Parameters

    scale_free : `bool`, optional (default = `False`)
        Whether the loss is divided by the weight of the dependency tree.
    squared : `bool`, optional (default = `False`)
        Whether the distance is squared.
    The others: see `TreeProbe`.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        rank: Optional[int] = None,
        scale_free: bool = False,
        squared: bool = False,
        dropout: float = 0.0,
        score_punctuation: bool = False,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(
            vocab,
            text_field_embedder,
            rank,
            squared,
            dropout,
            score_punctuation,
            regularizer,
            serialization_dir,
        )
        self.scale_free = scale_free

    def losses(
        self,
        predicted: torch.Tensor,
        distances: torch.Tensor,
        heads: torch.Tensor,
        mask: torch.Tensor,
    ) -> torch.Tensor:
        weights, words = predicted.detach().cpu().numpy(), mask.cpu().numpy()
        gold = tree_edges(heads.cpu().numpy(), words).matrix(weights.shape)
        found = spanning_trees(weights, words).matrix(weights.shape)
        # Edges that are in both trees cancel out before they are summed, so that 0 is exactly 0; and in
        # double precision the lighter tree is never the heavier one by rounding.
        difference = torch.from_numpy(gold.astype(float) - found).to(predicted.device)
        losses = (predicted * difference).sum(dim=(1, 2))
        if self.scale_free:
            weight = (predicted * torch.from_numpy(gold).to(predicted.device)).sum(dim=(1, 2))
            # A sentence of one word has a tree without weight, and no loss.
            losses = losses / weight.clamp(min=torch.finfo(weight.dtype).tiny)
        return losses.to(predicted.dtype)
