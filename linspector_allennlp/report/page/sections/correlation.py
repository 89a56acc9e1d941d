"""Which tasks and which languages order the representations alike."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas

from linspector_allennlp.analysis.correlation import correlations
from linspector_allennlp.analysis.correlation_marks import alike_tasks, marked_from
from linspector_allennlp.analysis.correlation_words import limits_of_points
from linspector_allennlp.analysis.tidy_scores import (
    KEYS,
    SYSTEM,
    name_systems,
    present,
    varying,
)
from linspector_allennlp.analysis.wording import in_words
from linspector_allennlp.report.page.cells import page_table
from linspector_allennlp.report.page.model import FACETS, Part, Words
from linspector_allennlp.report.page.panels import MOST, panels
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections.correlation_figures import (
    Matrix,
    matrix_figures,
    pair_heat,
)

DOWNSTREAM = "downstream"
MOST_PAIRS = 15
"""More pairs of languages are a matrix for each task."""

ONE_LAYER = (
    "Of a model with several layers, one is a point in each level and language, the others are not: that with the "
    "best mean on {}, over the tasks that all of its layers have. It is called by the name of the model."
)
Drawn = list[pandas.DataFrame]
"""All rows that are on the page, for what can be said of all."""


def correlation(data: ReportData) -> Iterator[Part]:
    scores = data.of_one_layer
    if len(scores) < len(data.scores):
        yield Words([ONE_LAYER.format(data.layer_chosen_on)])
        # A model is the same point in all languages, whichever its layer.
        scores = scores.drop(columns="layer")
        scores = scores.assign(system=name_systems(scores))
    results: Drawn = []
    alike: list[str] = []
    for panel in panels(scores):
        of_panel = panel.scores
        if of_panel["task"].nunique() < 2 or of_panel["system"].nunique() < 2:
            continue
        correlate = partial(_of_tasks, of_panel)
        result = correlate("spearman")
        alike += alike_tasks(result, panel.title)
        title = f"Task × task: {panel.title}"
        matrix = Matrix(f"tasks-{panel.key}", title, correlate, panel.facets, mirrored=True)
        yield from _drawn(matrix, result, results)
    if alike:
        yield Words(alike, "Which tasks are redundant")
    yield from _downstream(scores, results)
    yield from _languages(scores, results)
    if not results:
        yield Words(
            ["There are no two tasks or languages with two representations: nothing is correlated."]
        )
        return
    everything = pandas.concat(results, ignore_index=True)
    yield Words([*limits_of_points(everything), *marked_from(everything)], "What it can show")


def _drawn(matrix: Matrix, result: pandas.DataFrame, results: Drawn) -> Iterator[Part]:
    results.append(result)
    if result["rho"].notna().any() and len(results) <= MOST:
        yield from matrix_figures(matrix, result)
    elif len(results) == MOST + 1:
        yield Words([f"The first {MOST} matrices are drawn."])


def _of_tasks(scores: pandas.DataFrame, method: str, others: Any = None) -> pandas.DataFrame:
    return correlations(scores, others, within=present(scores, ["language"]), method=method)


def _downstream(scores: pandas.DataFrame, results: Drawn) -> Iterator[Part]:
    if "level" not in scores:
        return
    is_downstream = (scores["level"] == DOWNSTREAM).fillna(False).astype(bool)
    if not is_downstream.any():
        return
    downstream = panels(scores[is_downstream])
    number = 0
    for panel in panels(scores[~is_downstream]):
        language = panel.facets.get("language")
        beside = [other for other in downstream if other.facets.get("language") == language]
        for other in beside:
            number += 1
            of_other = f" × {other.title}" if len(beside) > 1 else ""
            correlate = partial(_of_tasks, panel.scores, others=other.scores)
            title = f"Probing × downstream: {panel.title}{of_other}"
            matrix = Matrix(f"downstream-{number}", title, correlate, panel.facets)
            yield from _drawn(matrix, correlate("spearman"), results)


def _languages(scores: pandas.DataFrame, results: Drawn) -> Iterator[Part]:
    """By task, and whatever else tells the scores of a task apart: the pairs of languages."""
    if "language" not in scores or scores["language"].nunique() < 2:
        return
    apart = (*SYSTEM, "language", "task", "level", "grid")
    others = [name for name in varying(scores, (*KEYS, "metric")) if name not in apart]
    keys = [*present(scores, ["level"]), *others, "task"]
    result = _of_languages(scores, keys)
    if result.empty:
        return
    title = "Language × language, by task"
    order = {name: number for number, name in enumerate(dict.fromkeys(scores["language"]))}
    if result["rho"].isna().all():
        results.append(result)
        yield page_table("languages", title, result)
    elif len(order) * (len(order) - 1) <= 2 * MOST_PAIRS:
        results.append(result)
        shown = [name for name in keys if name in varying(scores, keys)] or ["task"]
        places = [in_words(cells) for cells in result[shown].itertuples(index=False)]
        yield pair_heat("languages", title, result.assign(place=places), order)
    else:
        groups = scores.groupby(keys, sort=False, dropna=False)
        several = [(cells, part) for cells, part in groups if part["language"].nunique() > 1]
        for number, (cells, of_task) in enumerate(several, start=1):
            named = {name: cell for name, cell in zip(keys, cells) if not pandas.isna(cell)}
            facets = {name: str(cell) for name, cell in named.items() if name in FACETS}
            name = f"Language × language: {in_words(named.values())}"
            correlate = partial(_of_languages, of_task, keys)
            matrix = Matrix(
                f"languages-{number}", name, correlate, facets, "language", mirrored=True
            )
            yield from _drawn(matrix, correlate(), results)


def _of_languages(
    scores: pandas.DataFrame, keys: list[str], method: str = "spearman"
) -> pandas.DataFrame:
    return correlations(scores, variable="language", within=keys, method=method)
