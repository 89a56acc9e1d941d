"""Which items several runs have right, from the predictions of a study."""

from collections.abc import Sequence
from copy import copy
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
        self._rows = predictions.groupby("run", sort=False).indices
        items = predictions[present(predictions, ITEM)]
        # By numbers: to take the rows of a run from a large table of text takes as long as the table is.
        self._keys = pandas.util.hash_pandas_object(items, index=False).to_numpy()
        self._correct = predictions["correct"].to_numpy(dtype=bool)
        self._clusters = _clusters(predictions)

    def __contains__(self, run: str) -> bool:
        return run in self._rows

    def where(self, is_there: numpy.ndarray) -> "Answers":
        """Of some of the predictions only."""
        part = copy(self)
        kept = ((run, rows[is_there[rows]]) for run, rows in self._rows.items())
        part._rows = {run: rows for run, rows in kept if len(rows)}
        return part

    def items_of(self, runs: Sequence[str]) -> frozenset[int]:
        """What is the same for runs of the same items."""
        return frozenset(hash(self._keys[self._rows[run]].tobytes()) for run in runs)

    def of(self, runs: Sequence[str]) -> AlignedAnswers:
        """The items that all of these runs have, in the order of the first."""
        rows = [self._rows[run] for run in runs]
        keys = [self._keys[of_run] for of_run in rows]
        left_out = 0
        if not all(numpy.array_equal(key, keys[0]) for key in keys[1:]):
            rows, left_out = self._shared(rows)
        correct = numpy.stack([self._correct[of_run] for of_run in rows])
        return AlignedAnswers(correct, self._clusters[rows[0]], left_out)

    def _shared(self, rows: Sequence[numpy.ndarray]) -> tuple[list[numpy.ndarray], int]:
        """The rows of the items that all have, and how many others there are."""
        indexed = []
        for of_run in rows:
            keys = pandas.Series(self._keys[of_run])
            # The edges of a tree, say, are items of the same line.
            again = keys.groupby(keys).cumcount()
            indexed.append(pandas.Series(of_run, [keys.to_numpy(), again.to_numpy()]))
        table = pandas.concat(indexed, axis=1, sort=False)
        shared = table.dropna().astype(int)
        if shared.empty:
            raise ValueError("Expected runs on the same test items; they have none in common.")
        return [shared[column].to_numpy() for column in shared], len(table) - len(shared)


def _clusters(predictions: pandas.DataFrame) -> numpy.ndarray:
    """An item without a cluster is its own."""
    for name in ("cluster", "line", "item"):
        if name in predictions and predictions[name].notna().all():
            return pandas.factorize(predictions[name])[0]
    return predictions.groupby("run").cumcount().to_numpy()
