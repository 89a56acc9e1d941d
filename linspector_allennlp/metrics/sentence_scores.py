from typing import Any, Optional

import numpy as np
import torch
from allennlp.training.metrics import Metric

from linspector_allennlp.metrics.interval import Interval, length_mean_interval, share_interval

LENGTHS = (5, 50)
"""Correlations are reported over sentences of 5 to 50 words (Hewitt & Manning 2019)."""

Shares = dict[str, tuple[np.ndarray, np.ndarray]]
"""By the name of a metric, for each sentence, what was achieved, and of how much."""


@Metric.register("sentence_scores")
class SentenceScores(Metric):
    """
    Scores of sentences, kept apart so that they can be told by length and have an interval.

    Registered as a `Metric` with name "sentence_scores".

    # Parameters

    by_length : `List[str]`, optional
        Metrics that are averaged over the sentences of each length first, and then over the lengths
        from 5 to 50. Of the others all sentences count together.
    """

    def __init__(self, by_length: tuple[str, ...] = ()) -> None:
        self._by_length = by_length
        self._lengths: list[np.ndarray] = []
        self._shares: dict[str, list[np.ndarray]] = {}

    def __call__(self, lengths: Any, shares: Shares) -> None:  # type: ignore[override]
        """
        # Parameters

        lengths : `numpy.ndarray`
            The number of words of each sentence.
        shares : `Dict[str, Tuple[numpy.ndarray, numpy.ndarray]]`
        """
        self._lengths.append(np.asarray(lengths))
        for name, share in shares.items():
            self._shares.setdefault(name, []).append(np.stack(share).astype(float))

    def reset(self) -> None:
        self._lengths, self._shares = [], {}

    def get_metric(self, reset: bool = False) -> dict[str, float]:
        """What cannot be said, such as a correlation when all sentences are too short, is left out."""
        metrics = {}
        for name, (achieved, possible) in self._joined().items():
            value = self._mean(name, achieved, possible)
            if np.isfinite(value):
                metrics[name] = float(value)
        if reset:
            self.reset()
        return metrics

    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % intervals over sentences: the words of one are not independent."""
        joined = self._joined()
        intervals = {name: self._interval(name, *joined[name]) for name in self.get_metric()}
        # There is none of too few sentences.
        return {name: interval for name, interval in intervals.items() if interval is not None}

    def _interval(
        self, name: str, achieved: np.ndarray, possible: np.ndarray
    ) -> Optional[Interval]:
        if name not in self._by_length:
            return share_interval(achieved, possible)
        lengths, reported = self._reported()
        return length_mean_interval(achieved[reported], possible[reported], lengths[reported])

    def details(self) -> dict[str, Any]:
        return {}

    @property
    def num_sentences(self) -> int:
        return sum(map(len, self._lengths))

    def tables(self) -> dict[str, list[list[Any]]]:
        """`lengths`: the metrics of the sentences of each length."""
        return {"lengths": self.table()}

    def table(self) -> list[list[Any]]:
        """The metrics of the sentences of each length."""
        lengths, joined = np.concatenate(self._lengths), self._joined()
        rows: list[list[Any]] = [["length", "sentences", *joined]]
        for length in np.unique(lengths).tolist():
            here = lengths == length
            row: list[Any] = [length, int(here.sum())]
            for achieved, possible in joined.values():
                total = possible[here].sum()
                row.append(f"{achieved[here].sum() / total:.4f}" if total else "")
            rows.append(row)
        return rows

    def _joined(self) -> dict[str, np.ndarray]:
        return {name: np.concatenate(parts, axis=1) for name, parts in self._shares.items()}

    def _mean(self, name: str, achieved: np.ndarray, possible: np.ndarray) -> float:
        """Of no length, or of nothing to score, it is NaN."""
        with np.errstate(invalid="ignore", divide="ignore"):
            if name not in self._by_length:
                return achieved.sum() / possible.sum()
            lengths, reported = self._reported()
            sums, counts = (
                np.bincount(lengths[reported], share[reported]) for share in (achieved, possible)
            )
            means = sums / counts
            known = np.isfinite(means)
            return means[known].sum() / known.sum()

    def _reported(self) -> tuple[np.ndarray, np.ndarray]:
        """The length of each sentence, and whether correlations are reported over it."""
        lengths = np.concatenate(self._lengths)
        return lengths, (LENGTHS[0] <= lengths) & (lengths <= LENGTHS[1])


def sums_by_sentence(words: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """The sum of the words of each sentence. Shape: (num_words,), (batch,) → (batch,)"""
    sentence = torch.arange(len(lengths), device=lengths.device).repeat_interleave(lengths)
    return torch.zeros_like(lengths).index_add(0, sentence, words.long())
