from typing import NamedTuple, Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric


class LabelScore(NamedTuple):
    """How one label fared: `support` is how often it is the gold label."""

    precision: float
    recall: float
    f1: float
    support: int


@Metric.register("label_report")
class LabelReport(Metric):
    """
    Counts which label was predicted for which, and derives accuracy, macro-F1, and precision,
    recall and F1 of each label from the counts.

    Macro-F1 is the mean F1 of the labels that occur, as gold or as prediction (scikit-learn's
    convention; an undefined F1 is 0). A gold label of −1, unseen in training, is an error in
    every score; all such labels are one class of the macro-F1, with F1 0.

    Registered as a `Metric` with name "label_report".

    # Parameters

    num_labels : `int`
    """

    def __init__(self, num_labels: int) -> None:
        self._num_labels = num_labels
        # Rows are gold labels, the last one those unseen in training; columns are predictions.
        self.confusion = torch.zeros(num_labels + 1, num_labels, dtype=torch.long)

    def __call__(
        self,
        predictions: torch.Tensor,
        gold_labels: torch.Tensor,
        mask: Optional[torch.BoolTensor] = None,
    ) -> None:
        """
        # Parameters

        predictions : `torch.Tensor`
            Scores of the labels. Shape: (…, num_labels)
        gold_labels : `torch.Tensor`
            Label indices, −1 where unseen in training. Shape: (…)
        mask : `torch.BoolTensor`, optional
            Which items count. Shape: (…)
        """
        predicted = predictions.argmax(dim=-1).flatten()
        gold = gold_labels.flatten()
        if mask is not None:
            predicted, gold = predicted[mask.flatten()], gold[mask.flatten()]
        gold = torch.where(gold < 0, torch.full_like(gold, self._num_labels), gold)
        counts = torch.bincount(
            gold * self._num_labels + predicted, minlength=self.confusion.numel()
        )
        self.confusion += dist_reduce_sum(counts.view_as(self.confusion)).cpu()

    def get_metric(self, reset: bool = False) -> dict[str, float]:
        scores = self.label_scores()
        total = int(self.confusion.sum())
        if total == 0:
            raise ValueError("Nothing to score: no item had a label. Is the label column missing?")
        occurs = [
            score.support > 0 or bool(self.confusion[:, label].any())
            for label, score in enumerate(scores)
        ]
        num_classes = sum(occurs) + bool(self.confusion[-1].any())
        metrics = {
            "accuracy": int(self.confusion.diagonal().sum()) / total,
            "macro_f1": sum(score.f1 for score in scores) / num_classes,
        }
        if reset:
            self.reset()
        return metrics

    def label_scores(self) -> list[LabelScore]:
        """The scores of each label, in the order of their indices."""
        correct = self.confusion.diagonal().tolist()
        predicted = self.confusion.sum(dim=0).tolist()
        gold = self.confusion.sum(dim=1).tolist()
        return [
            LabelScore(_ratio(c, p), _ratio(c, g), _ratio(2 * c, p + g), g)
            for c, p, g in zip(correct, predicted, gold)
        ]

    @property
    def num_unseen(self) -> int:
        """How many items had a gold label that training never saw."""
        return int(self.confusion[-1].sum())

    def reset(self) -> None:
        self.confusion.zero_()


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else 0.0
