from functools import partial
from typing import Any

import numpy as np
import torch
from allennlp.training.metrics import Metric

from linspector_allennlp.metrics.interval import bootstrap_interval, resampled_interval

LENGTHS = (5, 50)
"""Correlations are reported over sentences of 5 to 50 words (Hewitt & Manning 2019)."""

Shares = dict[str, tuple[np.ndarray, np.ndarray]]
"""By the name of a metric, for each sentence, what was achieved, and of how much."""


@Metric.register("sentence_scores")
class SentenceScores(Metric):
    """
    Scores of sentences, kept apart so that they can be told by length and resampled by sentence.

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

    def arrange(self, numbers: np.ndarray) -> None:
        """
        Puts the sentences, which have these numbers, into the order of the numbers: the same sentences
        are drawn for an interval, however they came in batches.
        """
        if self._lengths:
            order = np.argsort(numbers, kind="stable")
            self._shares = {name: [parts[:, order]] for name, parts in self._joined().items()}
            self._lengths = [np.concatenate(self._lengths)[order]]

    def reset(self) -> None:
        self._lengths, self._shares = [], {}

    def get_metric(self, reset: bool = False) -> dict[str, float]:
        """What cannot be said, such as a correlation when all sentences are too short, is left out."""
        metrics = {}
        for name, (achieved, possible) in self._joined().items():
            value = self._mean(name, achieved[None], possible[None])[0]
            if np.isfinite(value):
                metrics[name] = float(value)
        if reset:
            self.reset()
        return metrics

    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % intervals by resampling sentences: the words of one are not independent."""
        metrics, joined = self.get_metric(), self._joined()
        intervals = {name: self._interval(name, *joined[name]) for name in metrics}
        # One without any width comes from too few sentences, and says nothing.
        return {name: (low, high) for name, (low, high) in intervals.items() if low < high}

    def _interval(
        self, name: str, achieved: np.ndarray, possible: np.ndarray
    ) -> tuple[float, float]:
        if name not in self._by_length and achieved.sum() in (0, possible.sum()):
            # All right or all wrong: no resampling would show a doubt.
            num_sentences = int((possible > 0).sum())
            return bootstrap_interval(num_sentences if achieved.any() else 0, num_sentences)
        # A mean over lengths must not lose the rare ones: long sentences have other scores.
        strata = np.concatenate(self._lengths) if name in self._by_length else None
        return resampled_interval(partial(self._mean, name), achieved, possible, strata)

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

    def _mean(self, name: str, achieved: np.ndarray, possible: np.ndarray) -> np.ndarray:
        """Of several samples at once. Shape: (num_samples, num_sentences) → (num_samples,)"""
        with np.errstate(invalid="ignore", divide="ignore"):
            if name not in self._by_length:
                return achieved.sum(axis=1) / possible.sum(axis=1)
            lengths = np.concatenate(self._lengths)
            reported = np.arange(LENGTHS[0], LENGTHS[1] + 1)
            # Shape: (num_sentences, num_lengths)
            of_length = (lengths[:, None] == reported).astype(float)
            means = (achieved @ of_length) / (possible @ of_length)
            known = np.isfinite(means)
            return np.where(known, means, 0).sum(axis=1) / known.sum(axis=1)


def sums_by_sentence(words: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """The sum of the words of each sentence. Shape: (num_words,), (batch,) → (batch,)"""
    sentence = torch.arange(len(lengths), device=lengths.device).repeat_interleave(lengths)
    return torch.zeros_like(lengths).index_add(0, sentence, words.long())
