"""The structural probes: the losses that make a geometry that of trees."""

from typing import Any, Optional

import torch
from allennlp.data import Vocabulary
from allennlp.models import Model
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.models.tree_geometry import TreeDepths, TreeDistances
from linspector_allennlp.models.tree_probe import TreeProbe
from linspector_allennlp.modules.padding import pair_mask
from linspector_allennlp.trees import spanning_trees, tree_edges


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
        self.geometry = TreeDistances(squared)
        super().__init__(
            vocab=vocab,
            text_field_embedder=text_field_embedder,
            rank=rank,
            dropout=dropout,
            score_punctuation=score_punctuation,
            regularizer=regularizer,
            serialization_dir=serialization_dir,
        )

    def losses(
        self,
        predicted: torch.Tensor,
        gold: torch.Tensor,
        heads: torch.Tensor,
        mask: torch.Tensor,
    ) -> torch.Tensor:
        # Each pair is there twice. Padding has no vectors, but distances to words: it must not count.
        differences = (predicted - gold).abs().masked_fill(~pair_mask(mask), 0.0)
        return differences.sum(dim=(1, 2)) / 2 / mask.sum(dim=1).square()


@Model.register("perceptron_probe")
class PerceptronProbe(TreeProbe):
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
        self.geometry = TreeDistances(squared)
        super().__init__(
            vocab=vocab,
            text_field_embedder=text_field_embedder,
            rank=rank,
            dropout=dropout,
            score_punctuation=score_punctuation,
            regularizer=regularizer,
            serialization_dir=serialization_dir,
        )
        self.scale_free = scale_free

    def losses(
        self,
        predicted: torch.Tensor,
        gold: torch.Tensor,
        heads: torch.Tensor,
        mask: torch.Tensor,
    ) -> torch.Tensor:
        weights, words = predicted.detach().cpu().numpy(), mask.cpu().numpy()
        of_tree = tree_edges(heads.cpu().numpy(), words).matrix(weights.shape)
        found = spanning_trees(weights, words).matrix(weights.shape)
        # Edges that are in both trees cancel out before they are summed, so that 0 is exactly 0; and in
        # double precision the lighter tree is never the heavier one by rounding.
        difference = torch.from_numpy(of_tree.astype(float) - found).to(predicted.device)
        losses = (predicted * difference).sum(dim=(1, 2))
        if self.scale_free:
            weight = (predicted * torch.from_numpy(of_tree).to(predicted.device)).sum(dim=(1, 2))
            # A sentence of one word has a tree without weight, and no loss.
            losses = losses / weight.clamp(min=torch.finfo(weight.dtype).tiny)
        return losses.to(predicted.dtype)

    def training_warning(self, validation_metric: Any) -> Optional[str]:
        if self.scale_free or validation_metric != "-loss":
            return None
        return (
            "The loss of perceptron_probe is least where its projection is nothing: the best epoch by "
            "-loss may have learned nothing. Choose it by +uuas, or set scale_free."
        )


@Model.register("depth_probe")
class DepthProbe(TreeProbe):
    """
    The structural probe of depth (Hewitt & Manning 2019): the squared norm ‖B·h‖² of a word is to be
    the number of edges between it and the root. The loss of a sentence of n words is
    Σ |depth − norm| over its words, divided by n.

    Registered as a `Model` with name "depth_probe". It takes what `DependencyTreeReader` reads.
    Parameters: see `TreeProbe`.
    """

    geometry = TreeDepths()

    def losses(
        self,
        predicted: torch.Tensor,
        gold: torch.Tensor,
        heads: torch.Tensor,
        mask: torch.Tensor,
    ) -> torch.Tensor:
        return (predicted - gold).abs().sum(dim=1) / mask.sum(dim=1)
