"""Which representations are better than others, and not by chance."""

from collections.abc import Iterator

import pandas

from linspector_allennlp.analysis.score_differences import (
    ALL,
    score_differences,
    sign_tests_by_place,
)
from linspector_allennlp.analysis.task_points import RULE
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
                f"The test is over {_tested(found)}; p-values and intervals with “Holm” are corrected for the "
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
            "holm_p_value": "p (Holm, pairs of this task)",
        }
        table = found.rename(columns={"left_out": "left_out_items"})
        yield page_table("differences", "All pairs", table, titles=titles)
    signs = sign_tests_by_place(score_differences(data.scores))
    if len(signs):
        yield Words([*_counted(signs)], "The sign test")
        titles = {
            "a": "A",
            "b": "B",
            "ahead_a": "A ahead in",
            "ahead_b": "B ahead in",
            "holm_p_value": "p (Holm, this level and language)",
        }
        # All languages are no language to choose from.
        signs = signs.rename(columns={"language": "languages"})
        yield page_table("sign-tests", "Who is ahead in how many tasks", signs, titles=titles)


def _tested(found: pandas.DataFrame) -> str:
    """What the test takes as drawn: seeds only where there are several."""
    seeds = found[["seeds_a", "seeds_b"]]
    several = (seeds > 1).any(axis=1)
    if several.all():
        return "test items and seeds"
    if not several.any():
        return "test items (of one seed each: it says nothing of other seeds)"
    return (
        f"test items, and in {int(several.sum())} of {len(found)} rows over seeds (the others are of one seed a "
        "side, and say nothing of other seeds)"
    )


def _counted(signs: pandas.DataFrame) -> Iterator[str]:
    yield RULE
    if (signs["language"] == ALL).any():
        yield (
            f"Each level and language has a test of its own; “{ALL}” counts the tasks of all languages of a "
            "level. Levels are never counted together."
        )
    yield "It takes tasks as independent; those of the same words, and of several languages, hardly are."


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
        names, names, values, texts, 0, most, x_title="than", y_title="better", unit="comparisons"
    )
    rows = [
        {"a": x, "b": y, "count": counts[x, y], "tasks": compared[x, y]}
        for x, y in counts
        if compared[x, y]
    ]
    titles = {
        "a": "better",
        "b": "than",
        "count": "comparisons in which it is",
        "tasks": "of comparisons",
    }
    title = "In how many comparisons a representation is better than another, beyond chance"
    table = page_table("wins", title, pandas.DataFrame(rows), titles=titles)
    words = (
        "The row is better than the column in so many of the comparisons that have both (Holm, 5 %). A comparison "
        "is a task in a language, with one probe and one setting."
    )
    return PageFigure("wins", title, words, heat, table)
