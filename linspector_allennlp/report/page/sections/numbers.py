"""Scores against the number of labels of a task, and against the dimension of vectors."""

from collections.abc import Iterator

import pandas

from linspector_allennlp.analysis.associations import score_against
from linspector_allennlp.analysis.rank_correlation import EXACT_UP_TO
from linspector_allennlp.analysis.tidy_scores import SYSTEM, present
from linspector_allennlp.analysis.wording import count
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.figures_of_scores import drawn_systems, series_of
from linspector_allennlp.report.page.model import Chart, Heat, PageFigure, Part, Words
from linspector_allennlp.report.page.panels import Panel, first_panels, left_out, panels
from linspector_allennlp.report.page.report_data import ReportData

LABELS, DIMENSIONS = "Number of labels", "Dimension of vectors"
SPREAD = 20
"""The axis is logarithmic where the most labels are so many times the fewest."""


def labels_and_dimensions(data: ReportData) -> Iterator[Part]:
    yield from _labels(data)
    yield from _dimensions(data)


def _labels(data: ReportData) -> Iterator[Part]:
    if not present(data.scores, ["labels"]):
        yield Words(["The table does not say how many labels a task has (column labels)."], LABELS)
        return
    scores = data.scores[data.scores["labels"].notna()]
    found = [p for p in panels(scores) if p.scores["labels"].nunique() > 2]
    if not found:
        yield Words(
            ["No language has tasks with three numbers of labels: there is no relation to see."],
            LABELS,
        )
        return
    rows = [_against_labels(panel) for panel in found]
    result = pandas.concat(rows, ignore_index=True)
    known = result[result["rho"].notna()]
    sentences = [
        f"Pearson’s correlation of score and number of labels, over the tasks of a representation, is "
        f"{_range(known)}; {_below(known)}.",
        "Tasks differ in more than their number of labels: it is no experiment.",
    ]
    yield Words(sentences if len(known) else sentences[1:], LABELS)
    kept = data.of_one_layer.index
    drawn = [p._replace(scores=p.scores[p.scores.index.isin(kept)]) for p in found]
    yield from left_out(drawn, "charts")
    for panel in first_panels(drawn):
        yield _chart(data, panel)
    title = "Pearson’s correlation of score and number of labels"
    columns = ("level", "language", *SYSTEM, "rho", "p_t", "p_exact", "n", "left_out")
    yield page_table("labels", title, result, columns, titles={"rho": "Pearson’s r"})


def _against_labels(panel: Panel) -> pandas.DataFrame:
    """A representation has one score of each task here; which kind of probe it is depends on the task."""
    within = [*present(panel.scores, ["level", "language"]), *SYSTEM]
    scores = panel.scores.drop(columns="probe", errors="ignore")
    return score_against(scores, "labels", within=within, over=["task"])


def _chart(data: ReportData, panel: Panel) -> PageFigure:
    names, sentence = drawn_systems(panel)
    ordered = panel.scores.sort_values("labels", kind="stable")
    series = []
    for name in names:
        points = ordered[ordered["system"] == name]
        series.append(series_of(name, data.styles[name], plain_list(points["labels"]), points))
    key, title = f"labels-{panel.key}", f"Score and number of labels: {panel.title}"
    ends = ordered["labels"].min(), ordered["labels"].max()
    is_log = ends[0] > 0 and ends[1] >= SPREAD * ends[0]
    scale = " The axis of labels is logarithmic." if is_log else ""
    words = (
        "Each point is a task of a representation; of a model the layer with the best mean on "
        f"{data.layer_chosen_on}.{scale}{sentence}"
    )
    is_percent = data.form == "percent"
    y_title = "score, %" if is_percent else "score"
    chart = Chart("points", series, "number of labels", y_title, is_percent, x_log=is_log)
    columns = ("level", "language", "task", *SYSTEM, "labels", "value", "low", "high", "majority")
    return PageFigure(
        key,
        title,
        words,
        chart,
        page_table(key, title, ordered, columns, scores=data.form),
        panel.facets,
    )


def _dimensions(data: ReportData) -> Iterator[Part]:
    if not present(data.scores, ["dimension"]):
        yield Words(
            [
                "The table does not say the dimension of vectors (column dimension). Of a study trained before "
                "there was this column, probe-suite writes it when it is run again; nothing is trained anew."
            ],
            DIMENSIONS,
        )
        return
    found = panels(data.of_one_layer)
    rows = []
    for panel in found:
        result = score_against(panel.scores, "dimension", within=["task"])
        rows.append(result.assign(place=panel.title))
    result = pandas.concat(rows, ignore_index=True)
    known = result[result["rho"].notna()]
    if known.empty:
        yield Words(
            ["No task has three representations of several dimensions: nothing is correlated."],
            DIMENSIONS,
        )
        return
    negative = known[known["rho"] < 0]
    same = result[result["rho"].isna()]
    yield Words(
        [
            f"Over the representations of a task, score and dimension correlate with Pearson’s r = "
            f"{_range(known)}; it is negative in {len(negative)} of "
            f"{count(known, 'task')}; {_below(known)}.",
            "Representations differ in more than their dimension: it is no experiment.",
            *(
                [f"Not of {count(same, 'task')}: there is one dimension, or too few scores."]
                if len(same)
                else []
            ),
        ],
        DIMENSIONS,
    )
    title = "Pearson’s correlation of score and dimension"
    columns = ["place", "task", "rho", "p_t", "p_exact", "n", "left_out"]
    titles = {"rho": "Pearson’s r", "place": "level, language"}
    table = page_table("dimensions", title, result, columns, titles, {"place": "text"})
    words = (
        f"By task, over its representations; of a model the layer with the best mean on {data.layer_chosen_on}. "
        "Below 0, larger vectors have lower scores. Filters of representations do not change it."
    )
    yield PageFigure("dimensions", title, words, _dimension_heat(known), table)


def _dimension_heat(known: pandas.DataFrame) -> Heat:
    matrix = known.pivot(index="task", columns="place", values="rho")
    rows, columns = (list(dict.fromkeys(known[name])) for name in ("task", "place"))
    values = [plain_list(row) for row in matrix.reindex(rows)[columns].to_numpy()]
    texts = [["" if cell is None else f"{cell:.2f}" for cell in row] for row in values]
    return Heat(
        list(map(str, rows)),
        list(map(str, columns)),
        values,
        texts,
        -1,
        1,
        {"task": list(map(str, rows))},
        unit="r",
    )


def _range(known: pandas.DataFrame) -> str:
    ends = [f"{end:.2f}" for end in (known["rho"].min(), known["rho"].max())]
    return " to ".join(dict.fromkeys(ends))


def _below(known: pandas.DataFrame) -> str:
    """How many are beyond chance, by the exact p-value where there is one."""
    p = known["p_exact"].fillna(known["p_t"])
    kind = "exactly" if (known["n"] <= EXACT_UP_TO).all() else "exactly or, of more points, by t"
    return f"in {int((p < 0.05).sum())} of {len(known)} it has p < .05 ({kind})"
