"""Which items several runs have right, from the predictions of a study."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy
import pandas

from linspector_allennlp.analysis.tidy_scores import need_columns, present

ITEM = ("line", "item", "cluster", "form", "form2", "gold")


class AlignedAnswers(NamedTuple):
    """
    # Parameters

    correct : `numpy.ndarray`
        Whether each run has each item right. Shape: (num_runs, num_items)
    clusters : `numpy.ndarray`
        Of which cluster an item is, as a sentence. Shape: (num_items,)
    left_out : `int`
        How many items some run has and others have not.
    """

    correct: numpy.ndarray
    clusters: numpy.ndarray
    left_out: int


class Answers:
    """
    # Parameters

    predictions : `pandas.DataFrame`
        Those of all runs of a study, of one split.
    """

    def __init__(self, predictions: pandas.DataFrame) -> None:
        need_columns(predictions, "run", "gold", "correct")
        self._columns = present(predictions, ITEM)
        groups = predictions.groupby("run", sort=False, observed=True)
        self._predictions, self._rows = predictions, groups.indices

    def __contains__(self, run: str) -> bool:
        return run in self._rows

    def of(self, runs: Sequence[str]) -> AlignedAnswers:
        """The items that all of these runs have, in the order of the first."""
        frames = [self._predictions.take(self._rows[run]) for run in runs]
        keys = [pandas.util.hash_pandas_object(each[self._columns], index=False) for each in frames]
        if all(numpy.array_equal(key, keys[0]) for key in keys[1:]):
            return AlignedAnswers(self._stacked(frames), self._clusters(frames[0]), 0)
        return self._shared(frames, keys)

    def _shared(
        self, frames: Sequence[pandas.DataFrame], keys: Sequence[pandas.Series]
    ) -> AlignedAnswers:
        indexed = []
        for frame, key in zip(frames, keys):
            # The edges of a tree, say, are items of the same line.
            again = key.groupby(key.to_numpy()).cumcount()
            indexed.append(frame.set_index([key.to_numpy(), again.to_numpy()]))
        shared, everything = indexed[0].index, indexed[0].index
        for frame in indexed[1:]:
            shared = shared[shared.isin(frame.index)]
            everything = everything.union(frame.index)
        if not len(shared):
            raise ValueError("Expected runs on the same test items; they have none in common.")
        found = [frame.loc[shared] for frame in indexed]
        left_out = len(everything) - len(shared)
        return AlignedAnswers(self._stacked(found), self._clusters(found[0]), left_out)

    def _stacked(self, frames: Sequence[pandas.DataFrame]) -> numpy.ndarray:
        return numpy.stack([frame["correct"].to_numpy(dtype=bool) for frame in frames])

    def _clusters(self, frame: pandas.DataFrame) -> numpy.ndarray:
        """An item without a cluster is its own."""
        for name in ("cluster", "line", "item"):
            if name in frame and frame[name].notna().all():
                return pandas.factorize(frame[name])[0]
        return numpy.arange(len(frame))
