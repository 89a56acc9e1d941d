"""Charts as Plotly draws them: what its JavaScript takes, as data."""

from collections.abc import Sequence
from html import escape
from typing import Any, Optional

from linspector_allennlp.report.page.model import Chart, Heat, PageFigure, Series
from linspector_allennlp.report.page.styles import (
    BOUND_SYMBOLS,
    COLOURS,
    DASHES,
    DIVERGING,
    HATCHES,
    INK,
    ON_COLOURS,
    PAPER,
    SEQUENTIAL,
    SYMBOLS,
    nth,
)

HEIGHT, ROW_HEIGHT, AROUND, STANDOFF = 380, 30, 110, 8
MOST_TICKS = 15
DIGITS = 6


def plotly_figure(figure: PageFigure) -> dict[str, Any]:
    """`data` and `layout` for Plotly, and beside them what the filter of the page asks for."""
    content = figure.content
    if isinstance(content, Heat):
        drawn = _heat(content)
    elif isinstance(content, Chart):
        drawn = _chart(content)
    else:
        raise TypeError(f"{figure.key}: a {type(content).__name__} is drawn already.")
    return {**drawn, "facets": dict(figure.facets)}


def figure_object(figure: PageFigure) -> Any:
    """The figure as Plotly's own object, which a notebook shows and which can be changed."""
    from plotly.graph_objects import Figure

    drawn = plotly_figure(figure)
    return Figure(data=drawn["data"], layout=drawn["layout"])


def label(text: Any) -> str:
    """Text that Plotly, which reads some HTML, shows as it is."""
    return escape(str(text), quote=False)


def _chart(chart: Chart) -> dict[str, Any]:
    traces = [_trace(chart, series) for series in chart.series]
    facets = [{"all": dict(s.facets), "points": dict(s.of_points)} for s in chart.series]
    title = {"text": label(chart.y_label), "standoff": STANDOFF}
    value: dict[str, Any] = {"title": title, "rangemode": "tozero"}
    layout: dict[str, Any] = {"height": HEIGHT}
    if chart.kind == "radar":
        radial = {"rangemode": "tozero", "angle": 90, "tickangle": 90, "nticks": 5}
        layout["polar"] = {
            "radialaxis": radial,
            "angularaxis": {"type": "category", "direction": "clockwise"},
        }
    else:
        x_axis: dict[str, Any] = {
            "title": {"text": label(chart.x_label), "standoff": STANDOFF},
            "automargin": True,
            "zeroline": False,
        }
        if chart.kind == "bars":
            x_axis["type"] = "category"
        elif chart.counts and chart.kind == "lines":
            ends = [x for series in chart.series for x in series.x]
            x_axis["dtick"] = 1 + (max(ends) - min(ends)) // MOST_TICKS
        elif chart.kind == "points":
            value = {**value, "zeroline": True}
        if chart.x_log:
            x_axis |= {"type": "log", "dtick": "D2"}
        layout |= {"xaxis": x_axis, "yaxis": {**value, "automargin": True}}
        if chart.kind == "bars":
            layout |= {"barmode": "group", "bargap": 0.25}
    return {"data": traces, "layout": layout, "parts": facets}


def _trace(chart: Chart, series: Series) -> dict[str, Any]:
    factor, x_factor = (100 if flag else 1 for flag in (chart.percent, chart.x_percent))
    y = _numbers(series.y, factor)
    x = [label(cell) if isinstance(cell, str) else _number(cell, x_factor) for cell in series.x]
    colour = nth(COLOURS, series.style)
    marker: dict[str, Any] = {"color": colour, "symbol": nth(SYMBOLS, series.style), "size": 8}
    trace: dict[str, Any] = {"name": label(series.name)}
    if series.is_bound:
        edge = {"color": PAPER, "width": 1.5}
        marker = {
            "color": INK,
            "symbol": nth(BOUND_SYMBOLS, series.style),
            "size": 11,
            "line": edge,
        }
        return {**trace, "type": "scatter", "mode": "markers", "x": x, "y": y, "marker": marker}
    if chart.kind == "radar":
        line = {"color": colour, "dash": nth(DASHES, series.style), "width": 2}
        return {
            **trace, "type": "scatterpolar", "mode": "lines+markers", "theta": x, "r": y,
            "marker": marker, "line": line,
        }  # fmt: skip
    if series.low:
        trace["error_y"] = _error(series, factor)
    if chart.kind == "bars":
        pattern = {"shape": nth(HATCHES, series.style), "solidity": 0.2, "fillmode": "overlay"}
        marker = {"color": colour, "pattern": pattern, "line": {"color": INK, "width": 0.8}}
        return {**trace, "type": "bar", "x": x, "y": y, "marker": marker}
    mode = "lines+markers" if chart.kind == "lines" else "markers"
    if chart.kind == "points" and "task" in series.of_points:
        trace["text"] = list(map(label, series.of_points["task"]))
    line = {"color": colour, "dash": nth(DASHES, series.style), "width": 2}
    return {
        **trace,
        "type": "scatter",
        "mode": mode,
        "x": x,
        "y": y,
        "marker": marker,
        "line": line,
    }


def _error(series: Series, factor: float) -> dict[str, Any]:
    """How far the ends are from the points."""
    ends = list(zip(series.y, series.low, series.high))
    above = [None if None in (y, high) else high - y for y, _, high in ends]  # type: ignore[operator]
    below = [None if None in (y, low) else y - low for y, low, _ in ends]  # type: ignore[operator]
    return {
        "type": "data",
        "symmetric": False,
        "array": _numbers(above, factor),
        "arrayminus": _numbers(below, factor),
        "thickness": 1.2,
        "width": 3,
    }


def _heat(heat: Heat) -> dict[str, Any]:
    trace: dict[str, Any] = {
        "type": "heatmap",
        "x": list(map(label, heat.columns)),
        "y": list(map(label, heat.rows)),
        "z": [_numbers(row, 100 if heat.percent else 1) for row in heat.values],
        "text": [list(map(label, row)) for row in heat.texts],
        "texttemplate": "%{text}",
        "hovertemplate": "%{y}<br>%{x}<br>%{text}<extra></extra>",
        "colorscale": _scale(DIVERGING if heat.diverges else SEQUENTIAL),
        "textfont": {"color": ON_COLOURS},
        "colorbar": {"title": {"text": label(heat.unit), "side": "right"}, "thickness": 12},
        "showscale": bool(heat.unit),
        "xgap": 1,
        "ygap": 1,
    }
    if heat.low is not None:
        ends = _numbers([heat.low, heat.high], 100 if heat.percent else 1)
        trace |= {"zmin": ends[0], "zmax": ends[1]}
    axis = {"type": "category", "automargin": True, "showgrid": False}
    layout = {
        "height": AROUND + ROW_HEIGHT * max(3, len(heat.rows)),
        "xaxis": {**axis, "title": {"text": label(heat.x_title), "standoff": STANDOFF}},
        "yaxis": {
            **axis,
            "title": {"text": label(heat.y_title), "standoff": STANDOFF},
            "autorange": "reversed",
        },
    }
    parts = [{"rows": dict(heat.of_rows), "columns": dict(heat.of_columns)}]
    return {"data": [trace], "layout": layout, "parts": parts}


def _scale(colours: Sequence[str]) -> list[list[Any]]:
    return [[number / (len(colours) - 1), colour] for number, colour in enumerate(colours)]


def _numbers(values: Sequence[Optional[float]], factor: float = 1) -> list[Optional[float]]:
    return [_number(value, factor) for value in values]


def _number(value: Optional[float], factor: float = 1) -> Optional[float]:
    return None if value is None else float(f"{factor * value:.{DIGITS}g}")
