"""Scores beside those of control tasks."""

from collections.abc import Iterator

from linspector_allennlp.analysis.complexity import task_and_control
from linspector_allennlp.analysis.tidy_scores import name_systems
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.figures_of_scores import series_of
from linspector_allennlp.report.page.model import Chart, PageFigure, Part, Words
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections.curves import complexity


def selectivity(data: ReportData) -> Iterator[Part]:
    pairs = task_and_control(data.table)
    pairs = pairs.assign(system=name_systems(pairs))
    table = page_table(
        "selectivity", "Task and control task", pairs.drop(columns="system"), scores=data.form
    )
    known = pairs[pairs["selectivity"].notna() & pairs["task_score"].notna()]
    if known.empty:
        yield Words(
            ["No control task here can be learned or has a score: there is no selectivity to draw."]
        )
        yield table
        return
    series = [
        series_of(
            name, data.styles.get(name, 0), plain_list(points["task_score"]), points, "selectivity"
        )
        for name, points in known.groupby("system", sort=False)
    ]
    words = (
        "Each point is a task and a probe. To the right the task is solved better; higher up less of it is "
        "what the probe has learned by heart. At 0, random labels are learned as well."
    )
    is_percent = data.form == "percent"
    chart = Chart("points", series, "score of the task", "selectivity", is_percent, is_percent)
    yield PageFigure("selectivity", "Score and selectivity", words, chart, table)
    yield from complexity(data)
