"""Which tasks and which languages order the representations alike."""

from collections.abc import Iterator

import pandas

from linspector_allennlp.analysis.correlation import correlation_matrix, correlations
from linspector_allennlp.analysis.correlation_words import limits_of_points
from linspector_allennlp.analysis.tidy_scores import present
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.model import Facets, Heat, PageFigure, Part, Words
from linspector_allennlp.report.page.panels import MOST, panels
from linspector_allennlp.report.page.report_data import ReportData

LEVEL = 0.05
DOWNSTREAM = "downstream"
MARKS = (
    "One star: p < .05 by t, as papers print it; two: p < .05 exactly, by all orders of the points."
)
ALL_SYSTEMS = "Filters do not change it: it is of all representations."


def correlation(data: ReportData) -> Iterator[Part]:
    scores, sentence = _one_layer(data.scores)
    if sentence:
        yield Words([sentence])
    results = []
    for panel in panels(scores):
        of_panel = panel.scores
        if of_panel["task"].nunique() < 2 or of_panel["system"].nunique() < 2:
            continue
        within = present(of_panel, ["language"])
        result = correlations(of_panel, within=within)
        results.append(result)
        if len(results) <= MOST and result["rho"].notna().any():
            title = f"Task × task: {panel.title}"
            yield _figure(f"tasks-{panel.key}", title, result, panel.facets, mirrored=True)
    yield from _downstream(scores, results)
    yield from _languages(scores, results)
    if not results:
        yield Words(
            ["There are no two tasks or languages with two representations: nothing is correlated."]
        )
        return
    yield Words(limits_of_points(pandas.concat(results, ignore_index=True)), "What it can show")


def _downstream(scores: pandas.DataFrame, results: list[pandas.DataFrame]) -> Iterator[Part]:
    if (
        "level" not in scores
        or not (is_downstream := scores["level"] == DOWNSTREAM).fillna(False).any()
    ):
        return
    probing = scores[~is_downstream.fillna(False)]
    downstream = panels(scores[is_downstream.fillna(False)])
    number = 0
    for panel in panels(probing):
        language = panel.facets.get("language")
        beside = [other for other in downstream if other.facets.get("language") == language]
        for other in beside:
            number += 1
            result = correlations(panel.scores, other.scores, within=present(probing, ["language"]))
            results.append(result)
            if result["rho"].notna().any():
                of_other = f" × {other.title}" if len(beside) > 1 else ""
                title = f"Probing × downstream: {panel.title}{of_other}"
                yield _figure(f"downstream-{number}", title, result, panel.facets)


def _languages(scores: pandas.DataFrame, results: list[pandas.DataFrame]) -> Iterator[Part]:
    if "language" not in scores or scores["language"].nunique() < 2:
        return
    found = []
    for _, of_task in scores.groupby([*present(scores, ["level"]), "task"], sort=False):
        if of_task["language"].nunique() > 1:
            found.append(correlations(of_task, variable="language", within=["task"]))
    if found:
        result = pandas.concat(found, ignore_index=True)
        results.append(result)
        yield page_table("languages", "Language × language, by task", result)


def _figure(
    key: str, title: str, result: pandas.DataFrame, facets: Facets, mirrored: bool = False
) -> PageFigure:
    names = ("rho", "p_t", "p_exact")
    rho, p_t, p_exact = (correlation_matrix(result, name, mirrored=mirrored) for name in names)
    values = [plain_list(row) for row in rho.to_numpy()]
    marks = (p_t < LEVEL).astype(int) + (p_exact < LEVEL).astype(int)
    texts = [
        ["" if cell is None else f"{cell:.2f}{'*' * mark}" for cell, mark in zip(row, of_row)]
        for row, of_row in zip(values, marks.to_numpy())
    ]
    rows, columns = list(map(str, rho.index)), list(map(str, rho.columns))
    heat = Heat(rows, columns, values, texts, -1, 1, {"task": rows}, {"task": columns}, unit="ρ")
    words = f"Spearman's ρ over {result['n'].max()} representations. {MARKS} {ALL_SYSTEMS}"
    return PageFigure(key, title, words, heat, page_table(key, title, result), facets)


def _one_layer(scores: pandas.DataFrame) -> tuple[pandas.DataFrame, str]:
    """Layers of a model are no points of their own: that with the highest mean stands for it."""
    if not present(scores, ["layer"]):
        return scores, ""
    keys = present(scores, ["level", "language", "representation", "encoder"])
    means = scores.groupby([*keys, "layer"], dropna=False)["value"].mean().reset_index()
    if means.duplicated(keys).sum() == 0:
        return scores, ""
    best = means.sort_values("value", kind="stable").drop_duplicates(keys, keep="last")
    kept = scores.merge(best[[*keys, "layer"]], on=[*keys, "layer"])
    return (
        kept,
        "Of a model with several layers, the one with the highest mean score is a point, the others are not.",
    )
