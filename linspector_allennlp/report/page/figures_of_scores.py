"""Figures that several sections have: a score for each task and representation."""

from collections.abc import Sequence
from typing import Any

import pandas

from linspector_allennlp.analysis.tidy_scores import present
from linspector_allennlp.report.page.cells import cell_text, plain_list
from linspector_allennlp.report.page.model import Facets, Heat, Series
from linspector_allennlp.report.page.panels import Panel

MOST_SYSTEMS = 12
"""More in one chart nobody can tell apart."""


def drawn_systems(panel: Panel) -> tuple[list[str], str]:
    """The representations that a chart has room for, those with the best places, and a sentence if not all."""
    names = list(dict.fromkeys(panel.scores["system"]))
    if len(names) <= MOST_SYSTEMS:
        return names, ""
    places = panel.scores.groupby("system", sort=False)["place"].mean().sort_values(kind="stable")
    best = set(places.index[:MOST_SYSTEMS])
    sentence = (
        f" Drawn are the {MOST_SYSTEMS} of {len(names)} with the best places; the table has all."
    )
    return [name for name in names if name in best], sentence


def series_of(
    name: str, style: int, x: Sequence[Any], points: pandas.DataFrame, value: str = "value"
) -> Series:
    """Points of a representation, with intervals where there are any."""
    has_ends = value == "value" and len(present(points, ["low", "high"])) == 2
    low, high = (plain_list(points[end]) if has_ends else () for end in ("low", "high"))
    first = points.iloc[0]
    facets = {"representation": str(first["representation"])}
    return Series(
        name,
        list(x),
        plain_list(points[value]),
        style,
        low,
        high,
        facets=facets,
        of_points=point_facets(points),
    )


def point_facets(points: pandas.DataFrame) -> Facets:
    names = present(points, ["language", "level", "task", "probe"])
    return {name: plain_list(points[name]) for name in names}


def heat_of(
    panel: Panel,
    value: str,
    form: str,
    unit: str,
    low: Any = None,
    high: Any = None,
    tasks: Sequence[str] = (),
) -> Heat:
    """Representations × tasks, these in the order of the scores or in another one."""
    scores = panel.scores
    systems = list(dict.fromkeys(scores["system"]))
    tasks = list(tasks or dict.fromkeys(scores["task"]))
    matrix = scores.pivot(index="system", columns="task", values=value).reindex(systems)[tasks]
    values = [plain_list(row) for row in matrix.to_numpy()]
    of_system = scores.drop_duplicates("system")["representation"]
    return Heat(
        systems,
        list(map(str, tasks)),
        values,
        [[cell_text(cell, form) for cell in row] for row in values],
        low,
        high,
        of_rows={"representation": plain_list(of_system)},
        of_columns={"task": list(map(str, tasks))},
        unit=unit,
        percent=form == "percent",
    )
