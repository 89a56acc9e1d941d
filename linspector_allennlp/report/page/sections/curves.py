"""Scores over layers, sizes and settings, and what they cost in selectivity."""

from collections.abc import Iterator
from typing import Any

import pandas

from linspector_allennlp.analysis.complexity import complexity_curve, with_settings
from linspector_allennlp.analysis.curves import best_points, curve
from linspector_allennlp.analysis.tidy_scores import KEYS, key_columns, present, seed_means, varying
from linspector_allennlp.analysis.wording import place_name
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.figures_of_scores import series_of
from linspector_allennlp.report.page.model import FACETS, Chart, PageFigure, Part, Series, Words
from linspector_allennlp.report.page.panels import MOST, figure_key, place_title
from linspector_allennlp.report.page.report_data import ReportData

NUMBERS = ("layer", "epoch", "train_share")
CURVES = 10
"""More in one chart nobody can tell apart."""


def curves(data: ReportData) -> Iterator[Part]:
    names = varying_numbers(data)
    drawn = 0
    for over in names:
        points = curve(data.table, over)
        if points.empty:
            continue
        for number, part in enumerate(_parts(points, over), start=1):
            drawn += 1
            if drawn <= MOST:
                yield _curve_figure(data, part, over, f"curve-{figure_key(over)}-{number}")
        best = best_points(points)
        columns = [*present(best, KEYS), over, "value", "low", "high"]
        title = f"The best {over.replace('_', ' ')} of each curve"
        yield page_table(
            f"best-{figure_key(over)}", title, best, dict.fromkeys(columns), scores=data.form
        )
    if not drawn:
        yield Words(
            ["Nothing varies by a number: there are no layers, sizes or settings to compare."]
        )
    elif drawn > MOST:
        yield Words([f"{MOST} of {drawn} charts are drawn; the tables have all scores."])


def complexity(data: ReportData) -> Iterator[Part]:
    """Task, control task and selectivity over the same numbers."""
    for over in varying_numbers(data):
        points = complexity_curve(data.table, over)
        keys = [k for k in present(points, KEYS) if k not in (over, "settings", "grid")]
        groups = points.groupby(keys, dropna=False, sort=False)
        lines = [(cells, part) for cells, part in groups if part[over].nunique() > 1]
        for number, (cells, part) in enumerate(lines[:MOST], start=1):
            x = _whole(pandas.to_numeric(part[over], errors="coerce"))
            named = {
                title: plain_list(part[column])
                for title, column in (
                    ("task", "task_score"), ("control task", "control_score"), ("selectivity", "selectivity"),
                )
            }  # fmt: skip
            series = [
                Series(title, x, values, place)
                for place, (title, values) in enumerate(named.items())
                if any(value is not None for value in values)
            ]
            facets = {n: c for n, c in zip(keys, cells) if n in FACETS and not pandas.isna(c)}
            key = f"complexity-{figure_key(over)}-{number}"
            title = place_title(dict(zip(keys, cells)))
            words = f"Task, control task and their difference over {over.replace('_', ' ')}."
            chart = Chart("lines", series, over, "score", data.form == "percent")
            yield PageFigure(
                key, title, words, chart, page_table(key, title, part, scores=data.form), facets
            )


def varying_numbers(data: ReportData) -> list[str]:
    """The columns and settings that vary and are numbers."""
    means = with_settings(seed_means(data.runs))
    known = set(data.scores.columns) - {*NUMBERS}
    names = [*NUMBERS, *(name for name in means if name not in {*known, *NUMBERS, *KEYS})]
    found = []
    for name in varying(means, names):
        values = means[name].dropna()
        if any(isinstance(value, (list, dict)) for value in values):
            continue
        if pandas.to_numeric(values, errors="coerce").nunique() > 1:
            found.append(name)
    return found


def _parts(points: pandas.DataFrame, over: str) -> Iterator[pandas.DataFrame]:
    """By level and language; over epochs, or where the curves of one place are too many, by task."""
    keys = present(points, ["level", "language"])
    for _, part in points.groupby(keys, dropna=False, sort=False) if keys else [((), points)]:
        if over != "epoch" and part["curve"].nunique() <= CURVES:
            yield part
        else:
            yield from (of_task for _, of_task in part.groupby("task", sort=False))


def _curve_figure(data: ReportData, part: pandas.DataFrame, over: str, key: str) -> PageFigure:
    series = []
    apart = varying(part, key_columns(part, over, "curve"))
    for number, (_, points) in enumerate(part.groupby("curve", sort=False)):
        name = place_name({column: points.iloc[0][column] for column in apart}) or "score"
        series.append(series_of(name, number, _whole(points[over]), points))
    first = part.iloc[0]
    same = [n for n in present(part, ["level", "language", "task"]) if part[n].nunique() == 1]
    title = f"{place_title({name: first[name] for name in same})}, by {over.replace('_', ' ')}"
    intervals = ", with intervals over test items" if present(part, ["low", "high"]) else ""
    words = f"Scores over {over.replace('_', ' ')}{intervals}."
    columns = [*present(part, KEYS), over, "value", "low", "high", "sd", "seeds"]
    table = page_table(key, title, part, dict.fromkeys(columns), scores=data.form)
    own = data.own_scores if over == "epoch" else None
    if own is not None and own.is_share:
        epochs, values = list(own.by_epoch), list(own.by_epoch.values())
        series.append(Series(own.title, epochs, values, style=len(series)))
        words += " The model's own score is beside them."
    chart = Chart("lines", series, over.replace("_", " "), "score", data.form == "percent")
    return PageFigure(key, title, words, chart, table, {n: str(first[n]) for n in same})


def _whole(numbers: pandas.Series) -> list[Any]:
    """Whole numbers as such, if all are."""
    plain = plain_list(numbers)
    return list(map(int, plain)) if all(x is not None and x == int(x) for x in plain) else plain
