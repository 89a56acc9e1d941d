"""Words that representations, and training data, do not know."""

from collections.abc import Iterator

import pandas

from linspector_allennlp.analysis.tidy_scores import name_systems, present
from linspector_allennlp.analysis.unknown_words import (
    SPLITS,
    unknown_to_representations,
    unknown_to_training,
)
from linspector_allennlp.analysis.wording import some
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.figures_of_scores import heat_of
from linspector_allennlp.report.page.model import Chart, PageFigure, Part, Series, Words
from linspector_allennlp.report.page.panels import figure_key, first_panels, panels, place_title
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


def new_words(data: ReportData) -> Iterator[Part]:
    """Those that training data do not have, whatever the representation."""
    if data.study is None:
        yield Words(["There are no run folders: which words training data have is not known."])
        return
    words = data.words
    if words.unread:
        yield Words([f"Data files that were not read again: {some(words.unread)}."])
    if words.data_sets.empty:
        return
    found = unknown_to_training(words.data_sets)
    yield from _new_words_figures(found)
    titles = {"unknown": "not in training"}
    title = "Words of all data sets that training data do not have"
    yield page_table("new-words", title, found, titles=titles, forms={"unknown": "percent"})


def _new_words_figures(found: pandas.DataFrame) -> Iterator[PageFigure]:
    there = found[found["unknown"].notna()]
    place = present(there, ["level", "language"])
    for cells, part in there.groupby(place, sort=False) if place else [((), there)]:
        facets = dict(zip(place, map(str, cells)))
        title = f"Words not in the training data: {place_title(facets)}"
        key = f"new-words-in-{figure_key(place_title(facets))}"
        series = [
            Series(
                str(split),
                plain_list(of_split["task"]),
                plain_list(of_split["unknown"]),
                number,
                of_points={"task": plain_list(of_split["task"])},
            )
            for number, (split, of_split) in enumerate(part.groupby("split", sort=False))
        ]
        table = page_table(key, title, part, forms={"unknown": "percent"})
        words = "The share of the words (of sentences, all tokens) that do not occur in the training data."
        chart = Chart("bars", series, "", "not in training, %")
        yield PageFigure(key, title, words, chart, table, facets)
