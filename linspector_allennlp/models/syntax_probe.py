from collections.abc import Collection
from typing import Any, ClassVar, Optional

import torch
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.modules import TextFieldEmbedder
from allennlp.nn import RegularizerApplicator

from linspector_allennlp.metrics import SentenceScores
from linspector_allennlp.models.sentence_probe import SentenceProbe
from linspector_allennlp.modules.padding import pair_mask


class SyntaxProbe(SentenceProbe):
    """
    The base of the probes of dependency trees, which are scored sentence by sentence. They take what
    `DependencyTreeReader` reads.

    # Parameters

    text_field_embedder, regularizer :
        See `FrozenProbe`.
    """

    default_predictor = "dependency_tree"

    by_length: ClassVar[tuple[str, ...]] = ()
    """Its metrics that are averaged by sentence length."""

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        regularizer: Optional[RegularizerApplicator] = None,
        serialization_dir: Optional[str] = None,
    ) -> None:
        super().__init__(vocab, text_field_embedder, regularizer, serialization_dir)
        self.sentence_scores = SentenceScores(self.by_length)

    def check_gold(self, names: Collection[str]) -> None:
        """Refuses instances that have heads, but not all that the probe is trained on."""

    def forward(  # type: ignore[override]
        self,
        tokens: TextFieldTensors,
        places: torch.Tensor,
        metadata: Optional[list[dict[str, Any]]] = None,
        **gold: torch.Tensor,
    ) -> dict[str, Any]:
        """`gold` has what the reader knows of the tree, by the names of its fields."""
        mask = places >= 0
        target = {"lengths": mask.sum(dim=1)}
        for name, tensor in gold.items():
            target[name] = tensor[pair_mask(mask) if tensor.dim() == 3 else mask]
        if "heads" in target:
            self.check_gold(target)
        output: dict[str, Any] = self.apply_head(self.represent(tokens, places), **target)
        if "heads" in target and (self.scores_training or not self.training):
            self.observe([output], [target])
        output["target"] = target
        output["metadata"] = metadata or [{} for _ in places]
        return output

    def tables(self) -> dict[str, list[list[Any]]]:
        """`lengths`: the metrics of the sentences of each length."""
        return {"lengths": self.sentence_scores.table()}

    def intervals(self) -> dict[str, tuple[float, float]]:
        return self.sentence_scores.intervals()

    def reset_metrics(self) -> None:
        self.sentence_scores.reset()

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return self.sentence_scores.get_metric(reset)
