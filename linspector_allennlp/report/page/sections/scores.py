"""All scores: as a table, as bars between baselines and bound, as a radar chart and as a heat map."""

from collections.abc import Iterator
from typing import Union

import pandas

from linspector_allennlp.analysis.score_tables import FLOORS, MARKED, top_places
from linspector_allennlp.analysis.tidy_scores import KEYS, SYSTEM, present, varying
from linspector_allennlp.analysis.wording import in_words
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.figures_of_scores import (
    drawn_systems,
    heat_of,
    point_facets,
    series_of,
)
from linspector_allennlp.report.page.model import (
    MARKS,
    Chart,
    Heat,
    PageFigure,
    Part,
    Series,
    Words,
)
from linspector_allennlp.report.page.panels import Panel, first_panels, left_out, panels
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections.paper_table import by_task, paper_tables
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
    papers = paper_tables(data)
    if papers:
        yield Words(
            [
                f"The best of a row is {MARKS[1][1]}, the second {MARKS[2][1]}; baselines are no part of it."
            ]
        )
        yield from papers
    yield Words(list(_columns(data.scores)))
    scores = by_task(data.scores)
    if not scores["without_score"].any():
        scores = scores.drop(columns="without_score")
    if not present(data.table, ["seed"]) and (scores["seeds"] <= 1).all():
        scores = scores.drop(columns="seeds")  # not known
    yield page_table("scores", "All scores", scores, [*names, *BESIDE], scores=data.form)
    tops = top_places(data.scores)
    if data.scores["system"].nunique() > MARKED:
        yield _top_places(tops)


def _columns(scores: pandas.DataFrame) -> Iterator[str]:
    """What the columns are, those that are there."""
    if present(scores, ["sd"]):
        yield (
            "A score is the mean over its seeds where there are several; “± seeds” is the standard deviation over "
            "them."
        )
    if present(scores, ["low", "high"]):
        yield "“From” and “to” are the ends of a score’s interval over test items."
    if present(scores, ["baseline"]):
        yield "“Above best baseline” is over the best of all baselines" + (
            " but “same word”." if present(scores, ["form"]) else "."
        )
    if present(scores, ["form"]):
        yield (
            "“Same word” is the look-up of a word in the training data, where test words are in it: a bound of "
            "what a word’s vector can tell."
        )
    if present(scores, ["items", "metric"]) and (scores["metric"] == "uuas").any():
        yield "The items of UUAS are the words of the test sentences; it is the share of their gold edges."


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
    words = (
        "Of the rankings in which it has a score, the share in which it is among the best three. A ranking is a "
        "task with one probe and one setting."
    )
    table = page_table(
        "top-places", title, tops, titles={"count": "top three", "tasks": "of rankings"}
    )
    chart = Chart("bars", series, "", "in the top three, % of rankings")
    return PageFigure("top-places", title, words, chart, table)


def bars(data: ReportData) -> Iterator[Part]:
    found = panels(data.scores)
    yield from left_out(found, "bar charts")
    for panel in first_panels(found):
        series, sentence = _series(data, panel)
        series += _bounds(panel)
        words = f"{_bars_words(panel)}{sentence}"
        chart = Chart("bars", series, "", _score_title(data), data.form == "percent")
        yield _figure(data, panel, "bars", words, chart)


def _bars_words(panel: Panel) -> str:
    intervals = ", with intervals over test items" if present(panel.scores, ["low", "high"]) else ""
    baselines = ", beside their baselines" if present(panel.scores, FLOORS) else ""
    return f"Scores by task{intervals}{baselines}."


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
