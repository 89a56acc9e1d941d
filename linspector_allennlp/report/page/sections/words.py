"""Words that representations do not know, and which tasks there are."""

from collections.abc import Iterator

from linspector_allennlp.analysis.task_matrix import task_matrix
from linspector_allennlp.analysis.tidy_scores import name_systems
from linspector_allennlp.analysis.unknown_words import SPLITS, unknown_to_representations
from linspector_allennlp.report.page.cells import page_table
from linspector_allennlp.report.page.figures_of_scores import heat_of
from linspector_allennlp.report.page.model import PageFigure, Part, Words
from linspector_allennlp.report.page.panels import first_panels, panels
from linspector_allennlp.report.page.report_data import ReportData


def unknown_words(data: ReportData) -> Iterator[Part]:
    found = unknown_to_representations(data.table)
    if found.empty:
        yield Words(["No representation here says which words it does not know."])
        return
    forms = dict.fromkeys(SPLITS, "percent")
    if "test" in found and found["test"].notna().any():
        shares = found.assign(value=found["test"], system=name_systems(found))
        for panel in first_panels(panels(shares)):
            key = f"unknown-{panel.key}"
            title = f"Unknown test words: {panel.title}"
            table = page_table(key, title, panel.scores, found.columns, forms=forms)
            heat = heat_of(panel, "value", "percent", "unknown, %", 0, 1)
            words = "The share of test words that a representation has no vector of its own for."
            yield PageFigure(key, title, words, heat, table, panel.facets)
    # The column `test` is a split here, and not the name of other test data.
    yield page_table("unknown", "Unknown words of all data sets", found, forms=forms)


def tasks(data: ReportData) -> Iterator[Part]:
    matrix = task_matrix(data.table)
    table = page_table("tasks", "Which tasks there are", matrix.reset_index())
    yield table
