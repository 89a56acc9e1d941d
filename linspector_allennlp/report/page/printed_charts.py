"""Bars, lines, points and radar charts, drawn by matplotlib."""

import math
from typing import TYPE_CHECKING, Any

from linspector_allennlp.report.figures import NOTE_SIZE, TITLE_SIZE
from linspector_allennlp.report.page.model import Chart, Series
from linspector_allennlp.report.page.printed_parts import GRID, numbers, text
from linspector_allennlp.report.page.styles import (
    BOUND_MARKERS,
    COLOURS,
    INK,
    LINES,
    MARKERS,
    PRINTED_HATCHES,
    nth,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT, MOST_WIDTH = 6.3, 3.4, 14.0
"""In inches: the width of a page's text, and more where there is much to show."""


def printed_chart(title: str, chart: Chart) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    groups = list(dict.fromkeys(x for series in chart.series for x in series.x))
    bars = [series for series in chart.series if not series.is_bound]
    width = WIDTH
    if chart.kind == "bars":
        width = min(max(WIDTH, 0.14 * len(groups) * (len(bars) + 2)), MOST_WIDTH)
    drawn = Figure(figsize=(width, HEIGHT), facecolor="white")
    axes = drawn.add_subplot(projection="polar" if chart.kind == "radar" else None)
    axes.set_title(text(title), fontsize=TITLE_SIZE, pad=12)
    axes.set_axisbelow(True)
    if chart.kind == "bars":
        _bars(axes, chart, groups, bars)
    elif chart.kind == "radar":
        _radar(axes, chart, groups)
    else:
        for series in chart.series:
            _line(axes, chart, series)
        axes.grid(color=GRID, linewidth=0.6)
        if chart.x_log:
            axes.set_xscale("log")
        elif chart.counts:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if chart.kind != "radar":
        axes.set(xlabel=text(chart.x_label), ylabel=text(chart.y_label))
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    if len(chart.series) > 1:
        made = dict(zip(*reversed(axes.get_legend_handles_labels())))
        names = [name for series in chart.series if (name := text(series.name)) in made]
        beside = (1.25 if chart.kind == "radar" else 1.02, 1)
        handles = [made[name] for name in names]
        style = {"frameon": False, "fontsize": NOTE_SIZE}
        axes.legend(handles, names, loc="upper left", bbox_to_anchor=beside, **style)
    return drawn


def _bars(axes: "Axes", chart: Chart, groups: list[Any], bars: list[Series]) -> None:
    places = {name: number for number, name in enumerate(groups)}
    width = 0.8 / max(1, len(bars))
    for number, series in enumerate(bars):
        x = [places[name] - 0.4 + (number + 0.5) * width for name in series.x]
        axes.bar(
            x, numbers(series.y, chart.percent), width, label=text(series.name),
            color=nth(COLOURS, series.style), hatch=nth(PRINTED_HATCHES, series.style),
            edgecolor="white", linewidth=0.4,
        )  # fmt: skip
        if series.low:
            ends = _errors(series, chart.percent)
            axes.errorbar(
                x, numbers(series.y, chart.percent), ends, fmt="none", ecolor=INK, elinewidth=0.8
            )
    for series in chart.series:
        if series.is_bound:
            x, y = [places[name] for name in series.x], numbers(series.y, chart.percent)
            axes.hlines(
                y, [p - 0.42 for p in x], [p + 0.42 for p in x], color=INK, linewidth=0.7, zorder=3
            )
            style: dict[str, Any] = {
                "marker": nth(BOUND_MARKERS, series.style),
                "color": INK,
                "linestyle": "",
            }
            axes.plot(
                x,
                y,
                markersize=4.5,
                label=text(series.name),
                markeredgecolor="white",
                zorder=4,
                **style,
            )
    axes.set_xticks(range(len(groups)), [text(name) for name in groups])
    if len(groups) > 6:
        axes.tick_params(axis="x", rotation=40)
    axes.grid(axis="y", color=GRID, linewidth=0.6)


def _radar(axes: Any, chart: Chart, groups: list[Any]) -> None:
    angles = {name: 2 * math.pi * number / len(groups) for number, name in enumerate(groups)}
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    for series in chart.series:
        x, y = [angles[name] for name in series.x], numbers(series.y, chart.percent)
        axes.plot([*x, x[0]], [*y, y[0]], label=text(series.name), **_style(series))
    axes.set_xticks(list(angles.values()), [text(name) for name in groups])
    axes.set_ylim(bottom=0)
    axes.grid(color=GRID, linewidth=0.6)


def _line(axes: "Axes", chart: Chart, series: Series) -> None:
    style = _style(series)
    if chart.kind == "points":
        style["linestyle"] = ""
    x, y = numbers(series.x, chart.x_percent), numbers(series.y, chart.percent)
    ends = _errors(series, chart.percent) if series.low else None
    axes.errorbar(x, y, ends, label=text(series.name), elinewidth=0.7, **style)


def _style(series: Series) -> dict[str, Any]:
    return {
        "color": nth(COLOURS, series.style),
        "marker": nth(MARKERS, series.style),
        "linestyle": nth(LINES, series.style),
        "markersize": 4,
        "linewidth": 1.2,
    }


def _errors(series: Series, percent: bool) -> list[list[float]]:
    y, low, high = (numbers(v, percent) for v in (series.y, series.low, series.high))
    # An interval need not hold the mean of seeds.
    return [[max(0.0, a - b) for a, b in zip(y, low)], [max(0.0, b - a) for a, b in zip(y, high)]]
