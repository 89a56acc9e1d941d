from typing import Any, NamedTuple, Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric

from linspector_allennlp.metrics.interval import bootstrap_interval
from linspector_allennlp.metrics.sentence_scores import SentenceScores, sums_by_sentence

UNSEEN_ROW = "(label unseen in training)"


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
    label_names : `List[str]`, optional
        For the tables.
    """

    def __init__(self, num_labels: int, label_names: Optional[list[str]] = None) -> None:
        self._num_labels = num_labels
        self._label_names = label_names or list(map(str, range(num_labels)))
        self._sentences = SentenceScores()
        # Rows are gold labels, the last one those unseen in training; columns are predictions.
        self.confusion = torch.zeros(num_labels + 1, num_labels, dtype=torch.long)

    def __call__(
        self,
        predictions: torch.Tensor,
        gold_labels: torch.Tensor,
        mask: Optional[torch.BoolTensor] = None,
        lengths: Optional[torch.Tensor] = None,
    ) -> None:
        """
        # Parameters

        predictions : `torch.Tensor`
            Scores of the labels. Shape: (…, num_labels)
        gold_labels : `torch.Tensor`
            Label indices, −1 where unseen in training. Shape: (…)
        mask : `torch.BoolTensor`, optional
            Which items count. Shape: (…)
        lengths : `torch.Tensor`, optional
            How many of the items each sentence has, where they come from sentences: the items of
            one are not independent, and the interval is then over sentences. Shape: (batch,)
        """
        predicted = predictions.argmax(dim=-1).flatten()
        gold = gold_labels.flatten()
        if lengths is not None:
            right = sums_by_sentence(predicted == gold, lengths).cpu().numpy()
            numbers = lengths.cpu().numpy()
            self._sentences(numbers, {"accuracy": (right, numbers)})
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
        """The number of items with a gold label that training never saw."""
        return int(self.confusion[-1].sum())

    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % interval of the accuracy, over items, or over sentences if they were given."""
        if self._sentences.num_sentences:
            return self._sentences.intervals()
        right, total = int(self.confusion.diagonal().sum()), int(self.confusion.sum())
        return {"accuracy": bootstrap_interval(right, total)}

    def tables(self) -> dict[str, list[list[Any]]]:
        """`report`: the scores of each label; `confusion`: rows are gold labels, columns answers."""
        labels, scores = list(self._label_names), self.label_scores()
        if self.num_unseen:
            labels.append(UNSEEN_ROW)
            scores.append(LabelScore(0.0, 0.0, 0.0, self.num_unseen))
        rows = [
            [label, *(f"{value:.4f}" for value in score[:3]), score.support]
            for label, score in zip(labels, scores)
        ]
        counts = zip(labels, self.confusion.tolist())
        return {
            "report": [["label", "precision", "recall", "f1", "support"], *rows],
            "confusion": [
                ["gold \\ predicted", *self._label_names],
                *([label, *row] for label, row in counts),
            ],
        }

    def details(self) -> dict[str, Any]:
        return {"unseen_labels": self.num_unseen}

    def reset(self) -> None:
        self.confusion.zero_()
        self._sentences.reset()


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else 0.0
