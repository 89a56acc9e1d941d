"""Which representations are better than others, and not by chance."""

from collections.abc import Iterator

import pandas

from linspector_allennlp.analysis.score_differences import score_differences, sign_tests
from linspector_allennlp.report.page.cells import page_table
from linspector_allennlp.report.page.model import Heat, PageFigure, Part, Words
from linspector_allennlp.report.page.report_data import ReportData


def differences(data: ReportData) -> Iterator[Part]:
    found = data.differences
    if found is None or found.empty:
        yield Words(
            ["Without predictions of two representations on the same items, nothing is tested."]
        )
    else:
        yield Words(
            [
                "The test is over test items and seeds; p-values and intervals with “Holm” are corrected for the "
                "pairs of a task, not for the number of tasks."
            ]
        )
        yield _wins(found)
        titles = {
            "a": "A",
            "b": "B",
            "score_a": "score of A",
            "score_b": "score of B",
            "difference": "B − A",
        }
        table = found.rename(columns={"left_out": "left_out_items"})
        yield page_table("differences", "All pairs", table, titles=titles)
    signs = sign_tests(score_differences(data.scores))
    if len(signs):
        yield Words(
            [
                "The sign test counts tasks only, as if independent; those of the same words hardly are."
            ]
        )
        titles = {"a": "A", "b": "B", "ahead_a": "A ahead in", "ahead_b": "B ahead in"}
        yield page_table("sign-tests", "Who is ahead in how many tasks", signs, titles=titles)


def _wins(found: pandas.DataFrame) -> PageFigure:
    names = list(dict.fromkeys([*found["a"], *found["b"]]))
    counts = {(x, y): 0 for x in names for y in names}
    compared = dict.fromkeys(counts, 0)
    for a, b, better in found[["a", "b", "better"]].itertuples(index=False):
        compared[a, b] += 1
        compared[b, a] += 1
        if not pandas.isna(better):
            counts[better, b if better == a else a] += 1
    values = [[counts[x, y] if compared[x, y] else None for y in names] for x in names]
    texts = [
        [f"{counts[x, y]}/{compared[x, y]}" if compared[x, y] else "" for y in names] for x in names
    ]
    most = max(compared.values())
    heat = Heat(
        names, names, values, texts, 0, most, x_title="than", y_title="better", unit="tasks"
    )
    rows = [
        {"a": x, "b": y, "count": counts[x, y], "tasks": compared[x, y]}
        for x, y in counts
        if compared[x, y]
    ]
    titles = {"a": "better", "b": "than", "count": "tasks in which it is", "tasks": "of tasks"}
    title = "In how many tasks a representation is better than another, beyond chance"
    table = page_table("wins", title, pandas.DataFrame(rows), titles=titles)
    words = "The row is better than the column in so many of the tasks that have both (Holm, 5 %)."
    return PageFigure("wins", title, words, heat, table)
