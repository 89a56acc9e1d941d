"""What a change of the setup does to scores (thesis, Figure 30): balance, tuning, classifier, size."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas

from linspector_allennlp.analysis.stability import Change, changes_of, score_changes
from linspector_allennlp.analysis.tidy_scores import KEYS, name_systems, present, varying
from linspector_allennlp.analysis.wording import place_name
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.figures_of_scores import MOST_SYSTEMS
from linspector_allennlp.report.page.model import FACETS, Chart, PageFigure, Part, Series, Words
from linspector_allennlp.report.page.panels import MOST, figure_key, place_title
from linspector_allennlp.report.page.report_data import ReportData


def changes(data: ReportData, scores: pandas.DataFrame, names: Sequence[str]) -> Iterator[Part]:
    """
    # Parameters

    scores : `pandas.DataFrame`
        Means, with a column for each setting.
    names : `Sequence[str]`
        The columns whose values are compared.
    """
    found = []
    for name in varying(scores, names):
        try:
            panels = {_named(change): change for change in changes_of(scores, name)}
            of_name = score_changes(scores, panels) if panels else pandas.DataFrame()
        except ValueError as error:
            yield Words([f"What a change of {_WORDS.get(name, name)} does: {error}"])
            continue
        if len(of_name):
            of_name = of_name.assign(system=name_systems(of_name))
            # As everywhere on the page, and not by the alphabet.
            orders = {"task": _numbered(scores["task"]), "system": data.styles}
            of_name = of_name.sort_values(
                ["task", "system"], key=lambda cells: cells.map(orders[cells.name]), kind="stable"
            )
            found.append((name, of_name))
    if not found:
        yield Words(["No scores differ in one thing of the setup only: no change is to be seen."])
        return
    number = 0
    for name, of_name in found:
        for title, place, part, kind in _figures(of_name, name):
            number += 1
            if number <= MOST:
                key = f"change-{figure_key(name)}-{number}"
                yield _figure(data, key, title, place, part, kind)
    if number > MOST:
        yield Words([f"{MOST} of {number} charts of changes are drawn; the tables have all."])
    for name, of_name in found:
        yield _table(
            data,
            f"changes-{figure_key(name)}",
            f"Changes of {_WORDS.get(name, name.replace('_', ' '))}",
            of_name,
        )


def _figures(
    found: pandas.DataFrame, name: str
) -> Iterator[tuple[str, dict[str, Any], pandas.DataFrame, str]]:
    """A figure for each place: of one task with all its changes, or of one change with all its tasks."""
    settings = [n for n in found.columns if n not in (*_OF_CHANGE, *KEYS, "metric")]
    apart = varying(found, [*KEYS, *settings])
    apart = [n for n in apart if n not in ("task", "grid", "settings", *_SYSTEM)]
    place = list(dict.fromkeys([*present(found, ["level", "language"]), *apart]))
    for cells, part in found.groupby(place, dropna=False) if place else [((), found)]:
        named = dict(zip(place, cells))
        if part["task"].nunique() == 1:
            task = str(part["task"].iloc[0])
            title = f"Change of {_WORDS.get(name, name.replace('_', ' '))}: {place_name({**named, 'task': task})}"
            yield title, {**named, "task": task}, part, "panel"
            continue
        for change, of_change in part.groupby("panel", sort=False):
            yield f"{change}: {place_title(named)}", named, of_change, "task"


def _figure(
    data: ReportData,
    key: str,
    title: str,
    place: dict[str, Any],
    part: pandas.DataFrame,
    kind: str,
) -> PageFigure:
    tables = [table for _, table in part.groupby(kind, sort=False)]
    series = [
        Series(
            str(table[kind].iloc[0]),
            plain_list(table["system"]),
            plain_list(table["difference"]),
            number,
            facets={"task": str(table["task"].iloc[0])},
            of_points={"representation": plain_list(table["representation"])},
        )
        for number, table in enumerate(tables[:MOST_SYSTEMS])
    ]
    left = (
        f" Drawn are {MOST_SYSTEMS} of {len(tables)}; the table has all."
        if len(tables) > MOST_SYSTEMS
        else ""
    )
    words = f"How much the score of each representation changes; above 0 it becomes higher.{left}"
    unit = "points" if data.form == "percent" else "change"
    chart = Chart("bars", series, "", f"change, {unit}", data.form == "percent")
    facets = {n: str(c) for n, c in place.items() if n in FACETS and not pandas.isna(c)}
    return PageFigure(key, title, words, chart, _table(data, key, title, part), facets)


def _table(data: ReportData, key: str, title: str, part: pandas.DataFrame) -> Any:
    forms = dict.fromkeys(("a", "b", "a_low", "a_high", "b_low", "b_high", "difference"), data.form)
    titles = {"panel": "change", "a": "before", "b": "after", "difference": "after − before"}
    return page_table(key, title, part.drop(columns="system"), titles=titles, forms=forms)


def _numbered(names: pandas.Series) -> dict[str, int]:
    return {name: number for number, name in enumerate(names.unique())}


def _named(change: Change) -> str:
    column, a, b = change
    texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in (a, b)]
    return f"{_WORDS.get(column, column.replace('_', ' '))} {' → '.join(texts)}"


_WORDS = {"probe": "classifier", "train_share": "share of the training data"}
_SYSTEM = ("representation", "layer", "encoder")
_OF_CHANGE = (
    "panel", "a", "b", "a_low", "a_high", "b_low", "b_high", "difference", "system",
)  # fmt: skip
