"""The figures of a page as files for a paper, drawn by matplotlib: fonts are within them."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from linspector_allennlp.io.files import PathLike, replacing
from linspector_allennlp.report.figures import NOTE_SIZE, TITLE_SIZE, in_house_style, literal
from linspector_allennlp.report.page.model import Chart, Drawing, Heat, PageFigure, Series
from linspector_allennlp.report.page.styles import (
    BOUND_MARKERS,
    COLOURS,
    DIVERGING,
    INK,
    LINES,
    MARKERS,
    ON_COLOURS,
    PRINTED_HATCHES,
    SEQUENTIAL,
    nth,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png")
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}
DPI = 200
WIDTH, HEIGHT, CELL, MOST_WIDTH = 6.3, 3.4, 0.32, 14.0
"""In inches: the width of a page's text, and more where there is much to show."""
GRID = "#DDDDDD"


@in_house_style
def write_figure(figure: PageFigure, folder: PathLike) -> Iterator[Path]:
    """Writes a figure in all of `FORMATS`; their paths."""
    import matplotlib

    # Type 42 fonts can be searched and edited; in an .svg letters are paths, so that it needs no font.
    paths = []
    with matplotlib.rc_context({"pdf.fonttype": 42, "svg.fonttype": "path", "font.size": NOTE_SIZE}):
        drawn = draw(figure)
        for format_ in FORMATS:
            path = Path(folder, f"{figure.key}.{format_}")
            with replacing(path) as temporary:
                drawn.savefig(
                    temporary, format=format_, dpi=DPI, metadata=METADATA[format_], bbox_inches="tight"
                )
            paths.append(path)
    return iter(paths)


def draw(figure: PageFigure) -> "Figure":
    """In house style."""
    content = figure.content
    if isinstance(content, Drawing):
        return content.figure
    if isinstance(content, Heat):
        return _heat(figure.title, content)
    return _chart(figure.title, content)


def _chart(title: str, chart: Chart) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    groups = list(dict.fromkeys(x for series in chart.series for x in series.x))
    bars = [series for series in chart.series if not series.is_bound]
    width = WIDTH
    if chart.kind == "bars":
        width = min(max(WIDTH, 0.14 * len(groups) * (len(bars) + 2)), MOST_WIDTH)
    drawn = Figure(figsize=(width, HEIGHT), facecolor="white")
    axes = drawn.add_subplot(projection="polar" if chart.kind == "radar" else None)
    axes.set_title(_text(title), fontsize=TITLE_SIZE, pad=12)
    axes.set_axisbelow(True)
    if chart.kind == "bars":
        _bars(axes, chart, groups, bars)
    elif chart.kind == "radar":
        _radar(axes, chart, groups)
    else:
        for series in chart.series:
            _line(axes, chart, series)
        axes.grid(color=GRID, linewidth=0.6)
        if chart.counts:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if chart.kind != "radar":
        axes.set(xlabel=_text(chart.x_title), ylabel=_text(chart.y_title))
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    if len(chart.series) > 1:
        made = dict(zip(*reversed(axes.get_legend_handles_labels())))
        names = [name for series in chart.series if (name := _text(series.name)) in made]
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
            x, _numbers(series.y, chart.percent), width, label=_text(series.name),
            color=nth(COLOURS, series.style), hatch=nth(PRINTED_HATCHES, series.style),
            edgecolor="white", linewidth=0.4,
        )  # fmt: skip
        if series.low:
            ends = _errors(series, chart.percent)
            axes.errorbar(x, _numbers(series.y, chart.percent), ends, fmt="none", ecolor=INK, elinewidth=0.8)
    for series in chart.series:
        if series.is_bound:
            x, y = [places[name] for name in series.x], _numbers(series.y, chart.percent)
            axes.hlines(y, [p - 0.42 for p in x], [p + 0.42 for p in x], color=INK, linewidth=0.7, zorder=3)
            style = {"marker": nth(BOUND_MARKERS, series.style), "color": INK, "linestyle": ""}
            axes.plot(x, y, markersize=4.5, label=_text(series.name), markeredgecolor="white", zorder=4, **style)
    turned = {"rotation": 40, "ha": "right"} if len(groups) > 6 else {}
    axes.set_xticks(range(len(groups)), [_text(name) for name in groups], **turned)
    axes.grid(axis="y", color=GRID, linewidth=0.6)


def _radar(axes: Any, chart: Chart, groups: list[Any]) -> None:
    angles = {name: 2 * math.pi * number / len(groups) for number, name in enumerate(groups)}
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    for series in chart.series:
        x, y = [angles[name] for name in series.x], _numbers(series.y, chart.percent)
        axes.plot([*x, x[0]], [*y, y[0]], label=_text(series.name), **_style(series))
    axes.set_xticks(list(angles.values()), [_text(name) for name in groups])
    axes.set_ylim(bottom=0)
    axes.grid(color=GRID, linewidth=0.6)


def _line(axes: "Axes", chart: Chart, series: Series) -> None:
    style = _style(series)
    if chart.kind == "points":
        style["linestyle"] = ""
    x, y = _numbers(series.x, chart.x_percent), _numbers(series.y, chart.percent)
    ends = _errors(series, chart.percent) if series.low else None
    axes.errorbar(x, y, ends, label=_text(series.name), elinewidth=0.7, **style)


def _heat(title: str, heat: Heat) -> "Figure":
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    longest = max(len(text) for row in heat.texts for text in row)
    size = (len(heat.columns) * max(CELL, 0.09 * longest + 0.1), len(heat.rows) * CELL)
    drawn = Figure(figsize=(max(1.5, size[0]) + 0.8, max(1.0, size[1])), facecolor="white")
    axes = drawn.add_subplot()
    axes.set_title(_text(title), fontsize=TITLE_SIZE)
    colours = LinearSegmentedColormap.from_list("", DIVERGING if heat.diverges else SEQUENTIAL)
    factor = 100 if heat.percent else 1
    ends = {"vmin": heat.low, "vmax": heat.high}
    image = axes.pcolormesh(
        [_numbers(row, heat.percent) for row in heat.values],
        cmap=colours, edgecolor="white", linewidth=0.5,
        **{name: None if end is None else factor * end for name, end in ends.items()},
    )  # fmt: skip
    for row, texts in enumerate(heat.texts):
        for column, text in enumerate(texts):
            place = {"ha": "center", "va": "center", "color": ON_COLOURS, "fontsize": NOTE_SIZE - 1}
            axes.text(column + 0.5, row + 0.5, _text(text), **place)
    axes.set_xticks([n + 0.5 for n in range(len(heat.columns))], list(map(_text, heat.columns)), rotation=40, ha="right")
    axes.set_yticks([n + 0.5 for n in range(len(heat.rows))], list(map(_text, heat.rows)))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.invert_yaxis()
    axes.set(xlabel=_text(heat.x_title), ylabel=_text(heat.y_title))
    drawn.colorbar(image, ax=axes, label=_text(heat.unit)).outline.set_visible(False)
    return drawn


def _style(series: Series) -> dict[str, Any]:
    return {
        "color": nth(COLOURS, series.style),
        "marker": nth(MARKERS, series.style),
        "linestyle": nth(LINES, series.style),
        "markersize": 4,
        "linewidth": 1.2,
    }


def _errors(series: Series, percent: bool) -> list[list[float]]:
    y, low, high = (_numbers(v, percent) for v in (series.y, series.low, series.high))
    # An interval need not hold the mean of seeds.
    return [[max(0.0, a - b) for a, b in zip(y, low)], [max(0.0, b - a) for a, b in zip(y, high)]]


def _numbers(values: Sequence[Optional[float]], percent: bool) -> list[float]:
    return [math.nan if value is None else value * (100 if percent else 1) for value in values]


def _text(text: Any) -> str:
    """Without mark-up of mathematics."""
    return literal(str(text)).replace("$", r"\$")
