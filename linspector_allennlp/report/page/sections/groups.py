"""Scores of groups of items: words that are known or not, seen in training or not, frequent or rare."""

from collections.abc import Iterator, Sequence

import pandas

from linspector_allennlp.analysis.item_groups import group_scores
from linspector_allennlp.analysis.tidy_scores import name_systems, present, varying
from linspector_allennlp.analysis.word_groups import (
    KNOWN,
    SEEN,
    band_names,
    groups_by_run,
    known_groups,
    rank_bands,
)
from linspector_allennlp.analysis.wording import some
from linspector_allennlp.report.page.cells import page_table
from linspector_allennlp.report.page.figures_of_scores import heat_of
from linspector_allennlp.report.page.model import PageFigure, Part, Words
from linspector_allennlp.report.page.panels import first_panels, left_out, panels
from linspector_allennlp.report.page.report_data import ReportData

LEAST_ITEMS = 20
"""The score of fewer is no colour of a figure."""

NOT_LISTED = "not in the list"


def groups(data: ReportData) -> Iterator[Part]:
    if data.predictions is None or not present(data.predictions, ["form"]):
        yield Words(["There are no predictions of words: they cannot be put into groups."])
        return
    means = ", the mean over seeds" if (data.scores["seeds"] > 1).any() else ""
    yield Words(
        [
            f"Accuracy on groups of test items{means}. Groups have other items, and other labels: a "
            "difference between them is not that of the words alone."
        ]
    )
    yield from _known(data, data.predictions)
    yield from _seen(data, data.predictions)
    yield from _frequent(data, data.predictions)


def _known(data: ReportData, predictions: pandas.DataFrame) -> Iterator[Part]:
    if not present(predictions, ["known"]):
        yield Words(
            [
                "No run here says of its test words which ones the representation knows: runs of older versions "
                "do not, nor do representations that cannot say."
            ]
        )
        return
    title = "Words that the representation knows"
    yield from _parts(data, "known", title, predictions, known_groups(predictions), KNOWN)


def _seen(data: ReportData, predictions: pandas.DataFrame) -> Iterator[Part]:
    if data.study is None:
        yield Words(["There are no run folders: which words were seen in training is not known."])
        return
    words = data.words
    if words.unread:
        yield Words([f"Data files that were not read again: {some(words.unread)}."])
    of_file = {id(forms): dict.fromkeys(forms, SEEN[0]) for forms in words.training.values()}
    of_run = {run: of_file[id(forms)] for run, forms in words.training.items()}
    found = groups_by_run(predictions, of_run, SEEN[1])
    if found.isna().all():
        yield Words(["Which words were seen in training is not known of any run."])
        return
    yield from _parts(data, "seen", "Words seen in training", predictions, found, SEEN)


def _frequent(data: ReportData, predictions: pandas.DataFrame) -> Iterator[Part]:
    if not data.ranks:
        yield Words(["No frequency list was given (--frequencies): there are no bands."])
        return
    bands = {language: rank_bands(ranks) for language, ranks in data.ranks.items()}
    of_run = {
        str(run): bands[language]
        for run, language in data.runs[["run", "language"]].itertuples(index=False)
        if language in bands
    }
    order = [*band_names(), NOT_LISTED]
    found = groups_by_run(predictions, of_run, NOT_LISTED, order)
    if found.isna().all():
        yield Words(["No predictions here are of a language with a frequency list."])
        return
    title = "Words by their rank in a frequency list"
    yield Words(["A pair of words is as frequent as the rarer one."])
    yield from _parts(data, "frequency", title, predictions, found, order)


def _parts(
    data: ReportData,
    key: str,
    title: str,
    predictions: pandas.DataFrame,
    of_items: pandas.Series,
    order: Sequence[str],
) -> Iterator[Part]:
    found = group_scores(data.table, predictions, of_items, order)
    if found.empty:
        yield Words([f"{title}: no run of a task here has such predictions."])
        return
    found = found.drop(
        columns=[] if varying(found, ["train_share"]) else ["train_share"], errors="ignore"
    )
    found = found.assign(system=name_systems(found))
    drawn = found[found["items"] >= LEAST_ITEMS]
    if drawn.empty:
        yield Words([f"{title}: no group has {LEAST_ITEMS} items, so that nothing is drawn."])
    tasks = list(dict.fromkeys(drawn["task"]))
    # The groups of a representation stand together, in their order.
    places = {name: place for place, name in enumerate([*order, *found["group"].unique()][::-1])}
    drawn = drawn.assign(
        rank=drawn["system"].map({name: n for n, name in enumerate(drawn["system"].unique())}),
        place=-drawn["group"].map(places),
    ).sort_values(["rank", "place"], kind="stable")
    drawn = drawn.drop(columns=["rank", "place"])
    parts = panels(drawn.assign(system=drawn["system"] + ", " + drawn["group"]))
    yield from left_out(parts, "heat maps")
    for panel in first_panels(parts):
        name = f"groups-{key}-in-{panel.key}"
        of_panel = drawn.loc[panel.scores.index]
        table = page_table(name, f"{title}: {panel.title}", of_panel.drop(columns="system"))
        words = (
            "Accuracy by representation and group (rows) and task, where a group has at least "
            f"{LEAST_ITEMS} items."
        )
        there = set(panel.scores["task"])
        of_panel_tasks = [task for task in tasks if task in there]
        heat = heat_of(panel, "value", "percent", "accuracy, %", tasks=of_panel_tasks)
        yield PageFigure(name, table.title, words, heat, table, panel.facets)
    yield page_table(f"groups-{key}-all", f"{title}: all groups", found.drop(columns="system"))
