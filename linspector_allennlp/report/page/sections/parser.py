"""A structural probe beside a parser of the same form, by language and by layer."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas

from linspector_allennlp.analysis.probe_and_parser import (
    A,
    B,
    layers_chosen,
    probe_and_parser,
)
from linspector_allennlp.analysis.tidy_scores import KEYS, SYSTEM, name_systems, present, varying
from linspector_allennlp.analysis.wording import in_words
from linspector_allennlp.report.page.cells import plain_list
from linspector_allennlp.report.page.model import Chart, PageFigure, Part, Series, Words
from linspector_allennlp.report.page.panels import MOST, place_title
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections.pairs import pair_table, side_series

TITLES = {"uuas": "UUAS", "dspr": "DSpr", "dspr_pfw": "DSpr (P+FW)"}
MEANINGS = {
    "uuas": "The share of gold edges in the predicted tree.",
    "dspr": "The correlation of gold distances with those of the projection.",
    "dspr_pfw": "The correlation of gold distances with path lengths in the predicted tree.",
}
NONE = (
    "There is no probe of distances beside a parser (perceptron) of the same treebank and representation: nothing "
    "is set side by side."
)


def probes_and_parsers(data: ReportData) -> Iterator[Part]:
    if "probe" not in data.table or "metric" not in data.table:
        yield Words([NONE])
        return
    found = probe_and_parser(data.table)
    if found.empty:
        yield Words([NONE])
        return
    validation = probe_and_parser(data.table, "validation")
    best = layers_chosen(found, validation)
    yield Words(list(_sentences(found, best, validation)))
    for metric, title in TITLES.items():
        rows = best[best["metric"] == metric]
        if len(rows):
            yield _bars(rows, metric, title)
    yield from _layers(found)
    title = "Probe and parser, all layers"
    yield pair_table("parser", title, found, A, B, "number")


def _sentences(
    found: pandas.DataFrame, best: pandas.DataFrame, validation: pandas.DataFrame
) -> Iterator[str]:
    for metric, title in TITLES.items():
        rows = best[best["metric"] == metric]
        if rows.empty:
            yield f"{title} is not in the table for both."
            continue
        difference = rows["difference"]
        mean, least, most = (
            _signed(metric, d) for d in (difference.mean(), difference.min(), difference.max())
        )
        unit = " points" if metric == "uuas" else ""
        ahead = int((difference > 0).sum())
        yield (
            f"{title}: the parser is ahead in {ahead} of {len(rows)}; the difference is {mean}{unit} in the mean "
            f"({least} to {most})."
        )
    if len(best) < len(found):
        data = (
            "test data, so that its scores are a little too good"
            if validation.empty
            else "validation data"
        )
        yield f"The bars are of one layer: that where probe and parser together have the best UUAS on the {data}."


def _form(metric: str) -> str:
    return "percent" if metric == "uuas" else "number"


def _signed(metric: str, difference: float) -> str:
    return f"{100 * difference:+.1f}" if metric == "uuas" else f"{difference:+.3f}"


def _bars(rows: pandas.DataFrame, metric: str, title: str) -> PageFigure:
    shown = rows.assign(system=name_systems(rows))
    others = [name for name in KEYS if name not in (*SYSTEM, "language", "task", "grid")]
    names = varying(shown, ["language", "task", "system", *others])
    names = names or present(shown, ["language"]) or ["task"]
    x = [in_words(cells) for cells in shown[names].itertuples(index=False)]
    series = _series(rows, x)
    if present(rows, ["adjacent"]):
        there = rows["adjacent"].notna()
        of_there = [name for name, is_there in zip(x, there) if is_there]
        values, facets = plain_list(rows.loc[there, "adjacent"]), _points(rows[there])
        name = "every word on the next"
        series.append(Series(name, of_there, values, 0, is_bound=True, of_points=facets))
    chart = Chart("bars", series, "", title + (", %" if metric == "uuas" else ""), metric == "uuas")
    key = f"parser-{metric}"
    words = f"{MEANINGS[metric]} With intervals over test sentences, where there are any."
    full = f"Probe and parser: {title}"
    return PageFigure(key, full, words, chart, pair_table(key, full, rows, A, B, _form(metric)))


def _layers(found: pandas.DataFrame) -> Iterator[Part]:
    """A chart for each metric, language and representation with several layers."""
    if not present(found, ["layer"]):
        return
    keys = [name for name in present(found, [*KEYS, "metric"]) if name not in ("layer", "grid")]
    groups = [
        (dict(zip(keys, cells)), part.sort_values("layer"))
        for cells, part in found.groupby(keys, dropna=False, sort=False)
        if part["layer"].nunique() > 1
    ]
    if len(groups) > MOST:
        yield Words([f"{MOST} of {len(groups)} charts of layers are drawn; the table has all."])
    for number, (cells, part) in enumerate(groups[:MOST], start=1):
        metric = cells.pop("metric")
        series = _series(part, plain_list(part["layer"]))
        key, title = f"parser-layers-{number}", f"{TITLES[metric]} by layer: {place_title(cells)}"
        chart = Chart("lines", series, "layer", TITLES[metric], metric == "uuas")
        words = f"{MEANINGS[metric]} Probe and parser over the layers."
        yield PageFigure(
            key, title, words, chart, pair_table(key, title, part, A, B, _form(metric))
        )


def _series(rows: pandas.DataFrame, x: Sequence[Any]) -> list[Series]:
    return [side_series(rows, side, name, x, _points(rows)) for side, name in (("a", A), ("b", B))]


def _points(rows: pandas.DataFrame) -> dict[str, list[str]]:
    names = present(rows, ["language", "level", "task", "representation"])
    return {name: plain_list(rows[name]) for name in names}
