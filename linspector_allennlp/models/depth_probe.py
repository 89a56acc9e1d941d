from typing import Any, Optional

import numpy as np
import torch
from allennlp.models import Model

from linspector_allennlp.metrics.sentence_scores import Shares
from linspector_allennlp.metrics.tree_shares import depth_shares
from linspector_allennlp.models.tree_probe import Arrays, TreeProbe
from linspector_allennlp.modules.padding import mask_of, padded
from linspector_allennlp.trees import ROOT


@Model.register("depth_probe")
class DepthProbe(TreeProbe):
    """
    The structural probe of depth (Hewitt & Manning 2019): the squared norm ‖B·h‖² of a word is to be
    the number of edges between it and the root. The loss of a sentence of n words is
    Σ |depth − norm| over its words, divided by n.

    Registered as a `Model` with name "depth_probe". It takes what `DependencyTreeReader` reads.
    Parameters: see `TreeProbe`.
    """

    main_metric = "root_accuracy"
    gold_fields = ("depths",)
    by_length = ("nspr",)

    def apply_head(  # type: ignore[override]
        self,
        features: torch.Tensor,
        lengths: torch.Tensor,
        depths: Optional[torch.Tensor] = None,
        **others: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        mask = mask_of(lengths)
        # Shape: (num_words, rank) → (batch, n)
        predicted = padded(self.head(features).square().sum(dim=1), mask).to(features.dtype)
        output = {"depths": predicted}
        if depths is not None:
            losses = (predicted - padded(depths, mask)).abs().sum(dim=1) / lengths
            output.update(loss=losses.mean(), count=torch.tensor(len(lengths)))
        return output

    def answers_of(self, output: dict[str, torch.Tensor]) -> torch.Tensor:
        return output["depths"]

    def shares(self, answers: np.ndarray, gold: Arrays) -> Shares:
        return depth_shares(answers, gold["depths"], gold["heads"], gold["mask"], gold["kept"])

    def positions(self, mask: np.ndarray) -> dict[str, np.ndarray]:
        """The first word is the root, and every word is deeper than the one before; or the last."""
        places = np.broadcast_to(np.arange(mask.shape[1]), mask.shape)
        return {"first": places, "last": -places}

    def describe(
        self, answers: np.ndarray, mask: np.ndarray, kept: np.ndarray, gold: Optional[Arrays]
    ) -> list[dict[str, Any]]:
        records: list[dict[str, Any]] = []
        for number, length in enumerate(mask.sum(axis=1).tolist()):
            candidates = np.where(kept[number, :length], answers[number, :length], np.inf)
            root = int(candidates.argmin()) + 1 if kept[number].any() else None
            depths = answers[number, :length].astype(float).round(4).tolist()
            scored = kept[number, :length].tolist()
            records.append({"root": root, "depths": depths, "scored": scored})
            if gold is not None:
                heads = gold["heads"][number, :length].tolist()
                records[-1]["gold_root"] = heads.index(ROOT) + 1
                records[-1]["gold_depths"] = gold["depths"][number, :length].tolist()
        return records
