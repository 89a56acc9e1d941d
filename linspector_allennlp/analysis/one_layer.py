"""One layer of each model, where the points of an analysis are representations."""

from collections.abc import Sequence
from typing import Any, Optional

import pandas

from linspector_allennlp.analysis.score_tables import goodness
from linspector_allennlp.analysis.tidy_scores import KEYS, present

MODEL = ("level", "language", "representation", "encoder")
"""Of what one layer is chosen."""


def one_layer(
    scores: pandas.DataFrame, validation: Optional[pandas.DataFrame] = None
) -> pandas.DataFrame:
    """
    Of a model with several layers, the scores of one in each level and language: that with the best mean over the
    tasks that all of its layers have; where there are none, of those with the most tasks. Layers of a model are no
    independent points.

    # Parameters

    scores : `pandas.DataFrame`
        A row for each score (`seed_means`).
    validation : `pandas.DataFrame`, optional
        Those of the validation data, by which to choose. A model without any is chosen for by `scores`.
    """
    keys = present(scores, MODEL)
    if not present(scores, ["layer"]):
        return scores
    layers = scores[[*keys, "layer"]].drop_duplicates()
    if not layers.duplicated(keys).any():
        return scores
    chosen = _best_layers(scores, keys)
    if (
        validation is not None
        and len(validation)
        and set(keys) | {"layer"} <= set(validation.columns)
    ):
        # Not a layer that has no scores.
        has_scores = set(_layers(scores[scores["value"].notna()], keys))
        known = [layer in has_scores for layer in _layers(validation, keys)]
        chosen |= _best_layers(validation[known], keys)
    return scores[[chosen.get(model, layer) == layer for model, layer in _layers(scores, keys)]]


def _layers(scores: pandas.DataFrame, keys: Sequence[str]) -> list[tuple[str, float]]:
    """The model of each score and its layer, -1 where there is none."""
    return list(zip(_places(scores, keys), scores["layer"].fillna(-1).astype(float)))


def _best_layers(scores: pandas.DataFrame, keys: Sequence[str]) -> dict[Any, float]:
    """By the model its layer."""
    there = scores[scores["value"].notna()]
    there = there.assign(
        signed=there["value"] * goodness(there), layer=there["layer"].fillna(-1).astype(float)
    )
    of_task = [
        name for name in present(there, (*KEYS, "metric")) if name not in (*keys, "layer", "grid")
    ]
    best = {}
    for place, part in there.groupby(_places(there, keys), sort=False):
        matrix = part.assign(task=_places(part, of_task)).pivot_table("signed", "task", "layer")
        shared = matrix.dropna()
        if shared.empty:
            number = matrix.notna().sum()
            shared = matrix.loc[:, number == number.max()]
        # The same numbers in another order have other sums.
        best[place] = float(shared.mean().round(12).idxmax())
    return best


def _places(scores: pandas.DataFrame, names: Sequence[str]) -> pandas.Series:
    """What scores share, as one value that is equal where all of it is."""
    cells = scores[list(names)].astype(object)
    rows = cells.where(cells.notna(), None).itertuples(index=False, name=None)
    return pandas.Series(list(map(repr, rows)), scores.index, dtype=object)
