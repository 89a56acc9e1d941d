"""
How far the order of representations depends on how it was measured (thesis, section 7.5): on the classifier,
the size of the training data, the seed, the balance of the classes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pandas

from linspector_allennlp.analysis.correlation import correlations
from linspector_allennlp.analysis.side_by_side import side_by_side
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    SYSTEM,
    need_columns,
    present,
    varying,
)

Change = tuple[str, Any, Any]
"""A column and two of its values, from and to."""


def rank_stability(
    scores: pandas.DataFrame,
    variable: str,
    within: Sequence[str] = (),
    over: Sequence[str] = SYSTEM,
    method: str = "spearman",
) -> pandas.DataFrame:
    """
    The rank correlations between the orders of the representations, for each two values of a column.

    # Parameters

    scores : `pandas.DataFrame`
        A row for each score (`seed_means`); for `seed` as the variable, each run's own (`chosen_scores`).
    variable : `str`
        `probe`, `seed`, `train_share`, or any other column, as a size or a setting (`with_settings`).
    within : `Sequence[str]`, optional
        Columns of somebody's table that must agree, too, as `size`.
    method : `str`, optional (default = `"spearman"`)
        The thesis' way is `spearman_min`.

    # Returns

    `pandas.DataFrame`
        `correlations`, within everything else that varies.
    """
    need_columns(scores, variable)
    scores = scores[scores[variable].notna()]
    # A setting with a column of its own is also a part of `settings`.
    apart = {variable, "grid", *over, *(["settings"] if variable not in KEYS else [])}
    names = [name for name in ("language", "task", *within) if name != variable]
    fixed = [name for name in varying(scores, (*KEYS, "metric", "seed")) if name not in apart]
    keys = list(dict.fromkeys([*present(scores, names), *fixed]))
    return correlations(scores, variable=variable, within=keys, over=over, method=method)


def both_methods(scores: pandas.DataFrame, variable: str) -> pandas.DataFrame:
    """`rank_stability` by Spearman's ρ, and beside it `rho_min`, with ties not corrected, as the thesis has it."""
    found = rank_stability(scores, variable)
    uncorrected = rank_stability(scores, variable, method="spearman_min")
    found.insert(list(found.columns).index("rho") + 1, "rho_min", uncorrected["rho"])
    return found


def typical_stability(pairs: pandas.DataFrame, over: Sequence[str] = ("task",)) -> pandas.DataFrame:
    """
    The median over tasks, and the least.

    # Parameters

    pairs : `pandas.DataFrame`
        That of `rank_stability`.

    # Returns

    `pandas.DataFrame`
        What else it is within, `row`, `column`, `rho`, `least`, and `tasks`, how many have such a correlation.
    """
    within = [
        name for name in pairs.columns[: list(pairs.columns).index("row")] if name not in over
    ]
    known = pairs[pairs["rho"].notna()]
    groups = known.groupby([*within, "row", "column"], dropna=False, sort=False)["rho"]
    found = pandas.DataFrame(
        {"rho": groups.median(), "least": groups.min(), "tasks": groups.size()}
    )
    return found.reset_index()


def changes_of(means: pandas.DataFrame, column: str) -> list[Change]:
    """Of numbers from each to the next larger one; of others from the first one to each other one."""
    need_columns(means, column)
    values = list(means[column].dropna().unique())
    if all(isinstance(value, (int, float, numpy.number, numpy.bool_)) for value in values):
        values = sorted(values)
        return [(column, a, b) for a, b in zip(values, values[1:])]
    return [(column, values[0], other) for other in values[1:]]


def score_changes(means: pandas.DataFrame, changes: Mapping[str, Change]) -> pandas.DataFrame:
    """
    What a change of the setup does to each score (thesis, Figure 30).

    # Parameters

    means : `pandas.DataFrame`
        A row for each score (`seed_means`, `with_settings`).
    changes : `Mapping[str, Change]`
        By the name of a panel, as `{"classifier": ("probe", "linear", "mlp")}`.

    # Returns

    `pandas.DataFrame`
        `panel`, and the rows of `side_by_side`.
    """
    panels = [side_by_side(means, *change).assign(panel=panel) for panel, change in changes.items()]
    found = pandas.concat(panels, ignore_index=True)
    return found[["panel", *(name for name in found.columns if name != "panel")]]
