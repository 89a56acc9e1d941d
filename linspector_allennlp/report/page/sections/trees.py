"""Trees that probes of syntax predict, beside the gold ones."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pandas

from linspector_allennlp.analysis.score_tables import goodness
from linspector_allennlp.analysis.tidy_scores import need_columns, present
from linspector_allennlp.analysis.wording import in_words
from linspector_allennlp.report.checked_prediction import check_prediction
from linspector_allennlp.report.page.cells import page_table
from linspector_allennlp.report.page.model import (
    FACETS,
    Drawing,
    PageFigure,
    PageTable,
    Part,
    Words,
)
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.probe_pictures import Picture, probe_pictures
from linspector_allennlp.run_folders.run_folder import RunFolder

OF_EACH, SEARCHED, LONGEST, MOST_TREES = 2, 50, 16, 8
PREDICTIONS = "test_predictions.jsonl"
DRAWN = ("edges", "heads", "depths")


def trees(data: ReportData) -> Iterator[Part]:
    if data.study is None:
        yield Words(["There are no run folders: no trees to draw."])
        return
    need_columns(data.runs, "run")
    best = _best_runs(data.runs)
    drawn, unread = 0, []
    for row in best.to_dict("records"):
        path = data.study.run_path(row["run"])
        if drawn >= MOST_TREES or not (path / PREDICTIONS).exists():
            continue
        try:
            sentences = _sentences(path)
        except (ValueError, OSError) as error:
            unread.append(f"{row['run']}: {error}")
            continue
        for number, prediction in enumerate(sentences):
            for picture in probe_pictures(prediction, heat_maps=False):
                drawn += 1
                yield _figure(f"tree-{drawn}", row, number, prediction, picture)
    if unread:
        yield Words(unread, "Predictions that cannot be drawn")
    elif not drawn:
        yield Words(["No run here predicts trees."])


def _best_runs(runs: pandas.DataFrame) -> pandas.DataFrame:
    """That of each task and probe with the best score."""
    there = runs[runs["value"].notna()]
    keys = present(there, ["level", "language", "task", "probe"])
    signed = there["value"] * goodness(there)
    order = signed.sort_values(ascending=False, kind="stable").index
    return there.loc[order].drop_duplicates(keys)


def _sentences(path: Path) -> list[dict[str, Any]]:
    """The first sentences that are neither too long nor too short, if the run predicts trees."""
    chosen = []
    predictions = islice(RunFolder.read(path).predictions("test"), SEARCHED)
    for number, prediction in enumerate(predictions, start=1):
        if "forms" not in prediction or not prediction.keys() & set(DRAWN):
            break
        try:
            check_prediction(prediction)
        except ValueError as error:
            raise ValueError(f"{PREDICTIONS}, line {number}: {error}") from error
        if 4 <= len(prediction["forms"]) <= LONGEST:
            chosen.append(prediction)
    return chosen[:OF_EACH]


def _figure(
    key: str, row: Mapping[str, Any], number: int, prediction: Mapping[str, Any], picture: Picture
) -> PageFigure:
    place = [row.get(name) for name in ("language", "task", "probe", "system")]
    title = f"{in_words(place)}: {picture.kind}, sentence {number + 1}"
    facets = {name: row[name] for name in FACETS if name in row and not pandas.isna(row[name])}
    words = f"Gold above, predicted below. {picture.score}".strip()
    return PageFigure(
        key, title, words, Drawing(picture.figure), _words(key, title, prediction), facets
    )


def _words(key: str, title: str, prediction: Mapping[str, Any]) -> PageTable:
    """For each word the numbers of those that it is joined with, or its depth."""
    forms = prediction["forms"]
    frame = {"number": range(1, len(forms) + 1), "word": forms}
    for name, column in (("gold_", "gold"), ("", "predicted")):
        if f"{name}edges" in prediction:
            frame[column] = _partners(prediction[f"{name}edges"], len(forms))
        for kind in ("heads", "depths"):
            if f"{name}{kind}" in prediction:
                frame[f"{column} {kind}"] = prediction[f"{name}{kind}"]
    return page_table(key, title, pandas.DataFrame(frame))


def _partners(edges: Any, size: int) -> list[str]:
    partners: list[list[int]] = [[] for _ in range(size)]
    for first, second in edges:
        partners[first].append(second + 1)
        partners[second].append(first + 1)
    return [", ".join(map(str, sorted(each))) for each in partners]
