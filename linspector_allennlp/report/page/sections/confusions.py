"""What the best representation of a task takes for what."""

from collections.abc import Iterator, Mapping
from typing import Any, Optional

import pandas

from linspector_allennlp.analysis.confusion_difference import confusion_difference
from linspector_allennlp.analysis.tidy_scores import KEYS, SYSTEM, need_columns, present
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.model import FACETS, Heat, PageFigure, Part, Words
from linspector_allennlp.report.page.panels import MOST, place_title
from linspector_allennlp.report.page.report_data import ReportData

MOST_LABELS = 40
FIRST = 10

Places = Mapping[Any, Any]
"""By the name of a run, where its predictions are."""
Side = tuple[str, list[str]]
"""A representation and its runs."""


def confusions(data: ReportData) -> Iterator[Part]:
    if data.predictions is None:
        yield Words(["There are no predictions: what is taken for what is not known."])
        return
    need_columns(data.predictions, "run", "gold", "label")
    need_columns(data.runs, "run")
    labelled = data.predictions[
        data.predictions["label"].notna() & data.predictions["gold"].notna()
    ]
    of_run = labelled.groupby("run").indices
    drawn = 0
    changes = []
    for place, of_task in _tasks(data):
        sides = _sides(of_task, of_run)
        if not sides:
            continue
        best, runs = sides[0]
        of_best = pandas.concat([labelled.iloc[of_run[name]] for name in runs])
        num_labels = len({*of_best["gold"], *of_best["label"]})
        if len(sides) > 1:
            changes.append(_difference(labelled, of_run, of_task, sides))
        drawn += 1
        if drawn > MOST:
            continue
        title = f"{place}, {best}"
        if num_labels > MOST_LABELS:
            yield Words([f"{title}: {num_labels} labels are too many for a figure."])
        else:
            yield _figure(f"confusion-{drawn}", f"Confusions: {title}", of_best, of_task, len(runs))
    if not drawn:
        yield Words(["No run here has predictions of labels."])
    if drawn > MOST:
        yield Words([f"{MOST} of {drawn} confusion matrices are drawn."])
    there = [change for change in changes if change is not None]
    if there:
        table = pandas.concat(there, ignore_index=True)
        title = f"The second best beside the best: the {FIRST} confusions that differ most, in items of a run"
        yield page_table("confusion-differences", title, table, forms={"change": "number"})


def _tasks(data: ReportData) -> Iterator[tuple[str, pandas.DataFrame]]:
    """By task, and all that is the same otherwise: its scores, the best first."""
    keys = [n for n in present(data.scores, KEYS) if n not in (*SYSTEM, "grid")]
    runs = [*keys, *present(data.scores, SYSTEM)]
    names = data.runs.groupby(runs, dropna=False)["run"].agg(list).rename("runs").reset_index()
    scored = data.scores[data.scores["place"].notna()]
    if "labels" in scored:  # what is told is a label, and not the head of a word
        scored = scored[scored["labels"].notna()] if scored["labels"].notna().any() else scored
    scored = scored.merge(names, on=runs)
    for cells, of_task in scored.groupby(keys, dropna=False, sort=False):
        yield place_title(dict(zip(keys, cells))), of_task.sort_values("place", kind="stable")


def _sides(of_task: pandas.DataFrame, known: Places) -> list[Side]:
    """The two best that have predictions, each with its runs."""
    sides = zip(of_task["system"], of_task["runs"])
    return [(name, list(runs)) for name, runs in sides if all(run in known for run in runs)][:2]


def _figure(
    key: str, title: str, predictions: pandas.DataFrame, of_task: pandas.DataFrame, num_runs: int
) -> PageFigure:
    counts = pandas.crosstab(predictions["gold"], predictions["label"])
    labels = sorted({*counts.index, *counts.columns}, key=_order)
    counts = counts.reindex(index=labels, columns=labels, fill_value=0)
    shares = counts.div(counts.sum(axis=1).where(lambda sums: sums > 0), axis=0)
    names = list(map(str, labels))
    texts = [
        ["" if n == 0 else _count(n / num_runs) for n in row] for row in counts.to_numpy().tolist()
    ]
    values = [plain_list(row) for row in shares.to_numpy()]
    heat = Heat(
        names, names, values, texts, 0, 1,
        x_title="answer", y_title="gold label", unit="% of the row", percent=True,
    )  # fmt: skip
    long = counts.stack().rename("count").reset_index()
    long = long[long["count"] > 0].assign(count=lambda rows: rows["count"] / num_runs)
    table = page_table(key, title, long, titles={"label": "answer", "count": "items of a run"})
    first = of_task.iloc[0]
    facets = {name: str(first[name]) for name in present(of_task, FACETS)}
    words = "Of the items of a gold label (row), how many got which answer; colours are shares of the row."
    return PageFigure(key, title, words, heat, table, facets)


def _order(label: Any) -> tuple[bool, int, str]:
    """Numbers first, as such: 2 before 10."""
    text = str(label)
    is_number = text.isdecimal() and text.isascii()
    return (not is_number, int(text) if is_number else 0, text)


def _count(number: float) -> str:
    return f"{number:.0f}" if number == round(number) else f"{number:.1f}"


def _difference(
    labelled: pandas.DataFrame, of_run: Places, of_task: pandas.DataFrame, sides: list[Side]
) -> Optional[pandas.DataFrame]:
    (best, runs), (second, others) = sides
    there = pandas.concat([labelled.iloc[of_run[name]] for name in [*runs, *others]])
    try:
        found = confusion_difference(there, runs, others)
    except ValueError:
        return None  # not of the same items: nothing to compare
    first = of_task.iloc[0]
    place = {name: first[name] for name in present(of_task, ["language", "task"])}
    found = found[found["difference"] != 0].head(FIRST)
    counts = {"gold": found["gold"], "answer": found["label"], "change": found["difference"]}
    return pandas.DataFrame({**place, "best": best, "second": second, **counts})
