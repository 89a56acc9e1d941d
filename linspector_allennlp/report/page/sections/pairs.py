"""Two scores side by side: the bars and the table of rows of `side_by_side`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas

from linspector_allennlp.analysis.tidy_scores import SYSTEM, name_systems, present, varying
from linspector_allennlp.analysis.wording import in_words
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.model import Chart, Facets, PageFigure, PageTable, Part, Series
from linspector_allennlp.report.page.panels import Panel, first_panels, left_out, panels
from linspector_allennlp.report.page.report_data import ReportData

MOST_PAIRS = 20
"""More in one chart are a chart for each task."""

NUMBERS = (
    "a",
    "a_low",
    "a_high",
    "b",
    "b_low",
    "b_high",
    "difference",
    "difference_low",
    "difference_high",
)
COLUMNS = ("level", "language", "task", *SYSTEM, "metric", "train_share", "test", "probe", *NUMBERS)


class Sides(NamedTuple):
    """
    # Parameters

    key : `str`
        What the names of figures begin with.
    title : `str`
    a, b : `str`
        What both are called.
    words : `str`
        What is to be seen.
    names_of_a : `Mapping[str, str]`, optional
        By the representation that B has, that of A, if it is another.
    """

    key: str
    title: str
    a: str
    b: str
    words: str
    names_of_a: Mapping[str, str] = {}


def pair_figures(data: ReportData, found: pandas.DataFrame, sides: Sides) -> Iterator[Part]:
    """Bars of all pairs, by language and whatever else varies."""
    all_panels = panels(found.assign(value=found["b"], system=name_systems(found)))
    yield from left_out(all_panels, "bar charts")
    for panel in first_panels(all_panels):
        for number, part in enumerate(_parts(panel.scores), start=1):
            yield _bars(data, panel, part, number, sides)


def pair_table(
    key: str, title: str, found: pandas.DataFrame, a: str, b: str, form: str
) -> PageTable:
    titles = {
        "a": a, "b": b, "difference": f"{b} − {a}", "a_labels": f"labels ({a})", "b_labels": f"labels ({b})",
        **{f"{side}_{end}": word for side in "ab" for end, word in (("low", "from"), ("high", "to"))},
        "difference_low": "from", "difference_high": "to",
    }  # fmt: skip
    forms = {**dict.fromkeys(NUMBERS, form), "a_labels": "count", "b_labels": "count"}
    columns = (*COLUMNS, "a_labels", "b_labels", "adjacent")
    return page_table(key, title, found, columns, titles, forms, form)


def clear_differences(found: pandas.DataFrame) -> pandas.DataFrame:
    """The rows whose interval of the difference does not hold 0; none without intervals."""
    if "difference_low" not in found:
        return found.iloc[:0]
    return found[(found["difference_low"] > 0) | (found["difference_high"] < 0)]


def _parts(scores: pandas.DataFrame) -> Iterator[pandas.DataFrame]:
    if len(scores) <= MOST_PAIRS:
        yield scores
    else:
        yield from (part for _, part in scores.groupby("task", sort=False))


def _bars(
    data: ReportData, panel: Panel, part: pandas.DataFrame, number: int, sides: Sides
) -> PageFigure:
    names = varying(part, ["task", "system"]) or ["task"]
    x = [in_words(cells) for cells in part[names].itertuples(index=False)]
    of_points = {
        "task": plain_list(part["task"]),
        "representation": plain_list(part["representation"]),
    }
    of_a = [sides.names_of_a.get(name, name) for name in of_points["representation"]]
    of_sides = (("a", sides.a, of_a), ("b", sides.b, of_points["representation"]))
    series = [
        side_series(part, side, name, x, {**of_points, "representation": names_of_side})
        for side, name, names_of_side in of_sides
    ]
    same = [str(part.iloc[0][name]) for name in ("task", "system") if name not in names]
    key = f"{sides.key}-{panel.key}-{number}"
    title = f"{sides.title}: {in_words([panel.title, *same])}"
    is_percent = data.form == "percent"
    chart = Chart("bars", series, "", "score, %" if is_percent else "score", is_percent)
    table = pair_table(key, title, part, sides.a, sides.b, data.form)
    return PageFigure(key, title, sides.words, chart, table, panel.facets)


def side_series(
    rows: pandas.DataFrame, side: str, name: str, x: Sequence[Any], of_points: Facets
) -> Series:
    """The scores of a side, `a` or `b`, with their intervals if there are any."""
    ends = [f"{side}_low", f"{side}_high"]
    has_ends = len(present(rows, ends)) == 2
    low, high = (plain_list(rows[end]) if has_ends else () for end in ends)
    values = plain_list(rows[side])
    return Series(name, x, values, "ab".index(side), low, high, of_points=of_points)
