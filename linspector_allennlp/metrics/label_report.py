from typing import Any, NamedTuple, Optional

import torch
from allennlp.nn.util import dist_reduce_sum
from allennlp.training.metrics import Metric

from linspector_allennlp.metrics.interval import bootstrap_interval
from linspector_allennlp.metrics.sentence_scores import SentenceScores, sums_by_sentence

MOST_IN_TABLE = 2000
"""With more labels than that (word forms), a table of who was taken for whom would fill the memory."""

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
        shape = (num_labels + 1, num_labels)
        self._has_table = num_labels <= MOST_IN_TABLE
        self.confusion = (
            torch.zeros(shape, dtype=torch.long)
            if self._has_table
            else torch.zeros(shape, dtype=torch.long, layout=torch.sparse_coo)
        )

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
        if not self._has_table:
            places, ones = torch.stack([gold, predicted]).cpu(), torch.ones(len(gold)).long()
            counts = torch.sparse_coo_tensor(
                places, ones, self.confusion.shape, check_invariants=False
            )
            self.confusion = (self.confusion + counts).coalesce()
            return
        counts = torch.bincount(
            gold * self._num_labels + predicted, minlength=self.confusion.numel()
        )
        self.confusion += dist_reduce_sum(counts.view_as(self.confusion)).cpu()

    def get_metric(self, reset: bool = False) -> dict[str, float]:
        scores = self.label_scores()
        correct, predicted, gold = self._counts()
        total = int(gold.sum())
        if total == 0:
            raise ValueError("Nothing to score: no item had a label. Is the label column missing?")
        occurs = (gold[:-1] > 0) | (predicted > 0)
        num_classes = int(occurs.sum()) + bool(gold[-1])
        metrics = {
            "accuracy": int(correct.sum()) / total,
            "macro_f1": sum(score.f1 for score in scores) / num_classes,
        }
        if reset:
            self.reset()
        return metrics

    def label_scores(self) -> list[LabelScore]:
        """The scores of each label, in the order of their indices."""
        correct, predicted, gold = (counts.tolist() for counts in self._counts())
        return [
            LabelScore(_ratio(c, p), _ratio(c, g), _ratio(2 * c, p + g), g)
            for c, p, g in zip(correct, predicted, gold)
        ]

    def _counts(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """How often each label was right, was predicted, and is gold; of gold also the unseen ones."""
        confusion = self.confusion.to_sparse() if self._has_table else self.confusion.coalesce()
        (gold, predicted), counts = confusion.indices(), confusion.values()
        zeros = torch.zeros(self._num_labels + 1, dtype=torch.long)
        right = gold == predicted
        return (
            zeros.index_add(0, gold[right], counts[right])[:-1],
            zeros.index_add(0, predicted, counts)[:-1],
            zeros.index_add(0, gold, counts),
        )

    @property
    def num_unseen(self) -> int:
        """The number of items with a gold label that training never saw."""
        return int(self._counts()[2][-1])

    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % interval of the accuracy, over items, or over sentences if they were given."""
        if self._sentences.num_sentences:
            return self._sentences.intervals()
        correct, _, gold = self._counts()
        return {"accuracy": bootstrap_interval(int(correct.sum()), int(gold.sum()))}

    def tables(self) -> dict[str, list[list[Any]]]:
        """
        `report`: the scores of each label; `confusion`: rows are gold labels, columns answers. There is no
        confusion of more than `MOST_IN_TABLE` labels.
        """
        labels, scores = list(self._label_names), self.label_scores()
        if self.num_unseen:
            labels.append(UNSEEN_ROW)
            scores.append(LabelScore(0.0, 0.0, 0.0, self.num_unseen))
        rows = [
            [label, *(f"{value:.4f}" for value in score[:3]), score.support]
            for label, score in zip(labels, scores)
        ]
        tables: dict[str, list[list[Any]]] = {
            "report": [["label", "precision", "recall", "f1", "support"], *rows]
        }
        if self._has_table:
            tables["confusion"] = [
                ["gold \\ predicted", *self._label_names],
                *([label, *row] for label, row in zip(labels, self.confusion.tolist())),
            ]
        return tables

    def details(self) -> dict[str, Any]:
        return {"unseen_labels": self.num_unseen}

    def reset(self) -> None:
        self.confusion = torch.zeros_like(self.confusion)
        self._sentences.reset()


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else 0.0
