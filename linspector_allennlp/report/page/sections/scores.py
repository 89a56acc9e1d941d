"""All scores: as a table, as bars between baselines and bound, as a radar chart and as a heat map."""

from collections.abc import Iterator
from typing import Union

import pandas

from linspector_allennlp.analysis.score_tables import FLOORS, top_places
from linspector_allennlp.analysis.tidy_scores import KEYS, SYSTEM, present, varying
from linspector_allennlp.analysis.wording import in_words
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.figures_of_scores import (
    drawn_systems,
    heat_of,
    point_facets,
    series_of,
)
from linspector_allennlp.report.page.model import Chart, Heat, PageFigure, Part, Series, Words
from linspector_allennlp.report.page.panels import Panel, first_panels, left_out, panels
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.run_folders.table_columns import BASELINES

LEAST_AXES = 3
"""Fewer tasks have no shape."""

BESIDE = (
    "value", "sd", "seeds", "low", "high", "place", *BASELINES, "control_score", "gain", "gain_percent",
    "labels", "items", "without_score",
)  # fmt: skip
FIGURES = {"bars": "Scores and baselines", "radar": "Tasks", "heat": "Scores"}
IN_FIGURES = ("level", "language", "task", *SYSTEM, "probe", "value", "low", "high", "sd", "seeds")


def score_tables(data: ReportData) -> Iterator[Part]:
    varied = varying(data.scores, ["metric", *KEYS])
    always = ("level", "language", "task", *SYSTEM)
    names = [name for name in (*KEYS, "metric") if name in (*always, *varied) and name != "grid"]
    yield Words(
        [
            "A score is the mean over its seeds. “From” and “to” are the ends of its interval over test items, "
            "“± seeds” is the standard deviation over seeds. “Above best baseline” is over the best of all "
            "baselines but “same word”, the look-up of a word in the training data: where test words are in it, "
            "that is a bound of what a word’s vector can tell."
        ]
    )
    yield page_table("scores", "All scores", data.scores, [*names, *BESIDE], scores=data.form)
    tops = top_places(data.scores)
    if data.scores["system"].nunique() > 1:
        yield _top_places(tops)


def _top_places(tops: pandas.DataFrame) -> PageFigure:
    """The thesis' Figure 19."""
    places = present(tops, ["level", "language"])
    groups = tops.groupby(places, dropna=False, sort=False) if places else [((), tops)]
    series = [
        Series(
            in_words(place) or "all tasks",
            plain_list(part["system"]),
            plain_list(part["share"]),
            number,
            facets={n: str(cell) for n, cell in zip(places, place) if not pandas.isna(cell)},
        )
        for number, (place, part) in enumerate(groups)
    ]
    title = "How often a representation is among the best three of a task"
    words = "Of the tasks in which it has a score, the share in which it is among the best three."
    table = page_table("top-places", title, tops, titles={"count": "top three"})
    chart = Chart("bars", series, "", "in the top three, % of tasks")
    return PageFigure("top-places", title, words, chart, table)


def bars(data: ReportData) -> Iterator[Part]:
    found = panels(data.scores)
    yield from left_out(found, "bar charts")
    for panel in first_panels(found):
        series, sentence = _series(data, panel)
        series += _bounds(panel)
        words = f"Scores by task, with intervals over test items, beside their baselines.{sentence}"
        chart = Chart("bars", series, "", _score_title(data), data.form == "percent")
        yield _figure(data, panel, "bars", words, chart)


def radar(data: ReportData) -> Iterator[Part]:
    found = [p for p in panels(data.scores) if p.scores["task"].nunique() >= LEAST_AXES]
    if not found:
        yield Words([f"There are fewer than {LEAST_AXES} tasks: nothing to draw as a radar chart."])
    yield from left_out(found, "radar charts")
    for panel in first_panels(found):
        series, sentence = _series(data, panel)
        words = f"The tasks of each representation; farther out is a higher score.{sentence}"
        chart = Chart("radar", series, "", _score_title(data), data.form == "percent")
        yield _figure(data, panel, "radar", words, chart)


def _series(data: ReportData, panel: Panel) -> tuple[list[Series], str]:
    """The scores of each representation by task, and a sentence if some are not drawn."""
    names, sentence = drawn_systems(panel)
    of_system = dict(iter(panel.scores.groupby("system", sort=False)))
    series = [
        series_of(name, data.styles[name], plain_list(of_system[name]["task"]), of_system[name])
        for name in names
    ]
    return series, sentence


def heat_maps(data: ReportData) -> Iterator[Part]:
    found = panels(data.scores)
    yield from left_out(found, "heat maps")
    for panel in first_panels(found):
        heat = heat_of(panel, "value", data.form, _score_title(data))
        yield _figure(data, panel, "heat", "Scores by representation and task.", heat)


def _bounds(panel: Panel) -> Iterator[Series]:
    """The baselines of each task, and the bound; they are the same for all representations."""
    tasks = panel.scores.drop_duplicates("task")
    titles = {**{name: f"baseline: {name}" for name in FLOORS}, "form": "look-up of the same word"}
    for number, (name, title) in enumerate(titles.items()):
        if present(tasks, [name]):
            there = tasks[tasks[name].notna()]
            yield Series(
                title,
                plain_list(there["task"]),
                plain_list(there[name]),
                number,
                is_bound=True,
                of_points=point_facets(there),
            )
    controls = panel.scores.groupby("task", sort=False)["control_score"].max().dropna()
    if len(controls):
        names = plain_list(controls.index)
        yield Series(
            "best control task",
            names,
            plain_list(controls),
            len(titles),
            is_bound=True,
            of_points={"task": names},
        )


def _score_title(data: ReportData) -> str:
    metrics = data.scores["metric"].dropna().unique() if "metric" in data.scores else []
    name = str(metrics[0]).replace("_", " ") if len(metrics) == 1 else "score"
    return f"{name}, %" if data.form == "percent" else name


def _figure(
    data: ReportData, panel: Panel, kind: str, words: str, content: Union[Chart, Heat]
) -> PageFigure:
    key, title = f"{kind}-{panel.key}", f"{FIGURES[kind]}: {panel.title}"
    table = page_table(
        key, title, panel.scores, (*IN_FIGURES, *BASELINES, "control_score"), scores=data.form
    )
    return PageFigure(key, title, words, content, table, panel.facets)
