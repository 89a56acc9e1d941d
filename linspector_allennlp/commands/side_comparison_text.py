"""Comparisons of sides as a table, and what it means in words."""

from io import StringIO
from typing import Any

from linspector_allennlp.analysis.confidence_curve import LEVEL
from linspector_allennlp.analysis.task_points import RULE
from linspector_allennlp.commands.comparison_text import shown_p, signed_points
from linspector_allennlp.commands.tables import latex_table, markdown_table, percent, table
from linspector_allennlp.run_folders.results_file import write_csv_row

METHODS = {
    "randomisation": "the randomisation test over sentences or items",
    "bootstrap": "the hierarchical paired bootstrap over sentences or items",
}


def describe_sides(numbers: dict[str, Any]) -> str:
    """The comparisons as text for a terminal."""
    rows = comparison_rows(numbers)
    parts = [table(rows, left=_left(rows)), _meaning(numbers)]
    if numbers["sign_tests"]:
        tests = _sign_test_rows(numbers)
        parts.append("\n".join([table(tests, left=_left(tests)), _sign_test(numbers)]))
    parts.append("\n".join(numbers["notes"]))
    return "\n\n".join(filter(None, parts))


def as_csv(numbers: dict[str, Any]) -> str:
    """The comparisons, with numbers as they are."""
    file = StringIO()
    for row in _csv_rows(numbers):
        write_csv_row(file, row)
    return file.getvalue().rstrip("\n")


def as_markdown(numbers: dict[str, Any]) -> str:
    rows = comparison_rows(numbers)
    return markdown_table(rows, _left(rows))


def as_latex(numbers: dict[str, Any]) -> str:
    """The notes are comments: what is printed is LaTeX."""
    rows = comparison_rows(numbers)
    note = "\n".join([_meaning(numbers), *numbers["notes"]])
    return latex_table(rows, _left(rows), note=note)


def comparison_rows(numbers: dict[str, Any]) -> list[list[str]]:
    """The table of the comparisons, its header first; scores are in percent."""
    comparisons = numbers["comparisons"]
    columns = list(comparisons[0]["setting"])
    measures = {each["measure"] for each in comparisons}
    score = next(iter(measures)) if len(measures) == 1 else "score"
    confidence = f"{100 * numbers['confidence']:.4g} %"
    header = [*columns, "A", "B", f"{score} A", f"{score} B", "B − A", f"{confidence} interval"]
    rows = [[*header, "p (Holm, this table)", "better"]]
    for each in comparisons:
        corrected = {
            "difference": each["difference"],
            "low": each["holm_low"],
            "high": each["holm_high"],
        }
        middle, low, high = signed_points(corrected)
        better = "–" if each["better"] is None else each[each["better"]]["name"]
        cells = ["–" if value is None else str(value) for value in each["setting"].values()]
        rows.append(
            [*cells, each["a"]["name"], each["b"]["name"]]
            + [_score(each[side]) for side in "ab"]
            + [middle, f"[{low}, {high}]", shown_p(each["holm_p_value"]), better]
        )
    return rows


def _sign_test_rows(numbers: dict[str, Any]) -> list[list[str]]:
    """The table of the sign tests, its header first."""
    tests = numbers["sign_tests"]
    has_levels = any(each["level"] is not None for each in tests)
    rows = [["A", "B", "A ahead", "B ahead", "ties", "p", "p (Holm, these tests)", "ahead"]]
    if has_levels:
        rows[0].insert(0, "level")
    for each in tests:
        counts = [str(each[key]) for key in ("ahead_a", "ahead_b", "ties")]
        p_values = [shown_p(each[key]) for key in ("p_value", "holm_p_value")]
        level = [each["level"] or "–"] if has_levels else []
        rows.append([*level, each["a"], each["b"], *counts, *p_values, _ahead(each)])
    return rows


def _csv_rows(numbers: dict[str, Any]) -> list[list[Any]]:
    """The comparisons with all digits, the header first."""
    fields = ["measure", "items", "clusters", "difference", "low", "high", "p_value"]
    fields += ["holm_low", "holm_high", "holm_p_value"]
    settings = list(numbers["comparisons"][0]["setting"])
    sides = [f"{name}_{side}" for name in ("score", "sd", "seeds") for side in "ab"]
    rows: list[list[Any]] = [[*settings, "a", "b", *sides, *fields, "holm_confidence", "better"]]
    for each in numbers["comparisons"]:
        a, b = each["a"], each["b"]
        better = each[each["better"]]["name"] if each["better"] else None
        rows.append(
            [
                *each["setting"].values(),
                a["name"],
                b["name"],
                a["score"],
                b["score"],
                a["sd"],
                b["sd"],
            ]
            + [len(a["seeds"]), len(b["seeds"]), *(each[field] for field in fields)]
            + [numbers["confidence"], better]
        )
    return rows


def _left(rows: list[list[str]]) -> list[int]:
    """The columns of names."""
    return [*range(rows[0].index("B") + 1), len(rows[0]) - 1]


def _score(side: dict[str, Any]) -> str:
    spread = "" if side["sd"] is None else f" ± {percent(side['sd'])}"
    return f"{percent(side['score'])}{spread} ({len(side['seeds'])})"


def _ahead(test: dict[str, Any]) -> str:
    if test["holm_p_value"] >= LEVEL:
        return "–"
    return str(test["a"] if test["ahead_a"] > test["ahead_b"] else test["b"])


def _meaning(numbers: dict[str, Any]) -> str:
    """What the columns of the table are."""
    comparisons = numbers["comparisons"]
    num = len(comparisons)
    scores, seeds = _of_seeds(comparisons)
    lines = [
        f"{scores} By {METHODS[numbers['method']]}{seeds}, {numbers['samples']} samples, seed {numbers['seed']}."
    ]
    if num == 1:
        lines.append("One comparison: there is nothing to correct.")
    else:
        lines.append(
            f"Holm's correction is for the {num} comparisons of this table: the probability that any of "
            "them finds a difference by chance is below 5 %. All intervals have the level at which this "
            "correction decides, so an interval excludes 0 exactly where p is below 0.05."
        )
    found = sum(each["better"] is not None for each in comparisons)
    lines.append(
        f"{found} of {num} differences {'is' if found == 1 else 'are'} more than chance would give."
    )
    return "\n".join(lines)


def _of_seeds(comparisons: list[dict[str, Any]]) -> tuple[str, str]:
    """What scores are, and what of seeds is in the test: there may be one only."""
    several = [max(len(each[side]["seeds"]) for side in "ab") > 1 for each in comparisons]
    if not any(several):
        return "Scores are in percent, each of (1) seed.", ""
    means = "Scores are means ± standard deviations over (n) seeds, in percent."
    if all(several):
        return means, ", with the error of the seeds"
    return (
        f"{means[:-1]}; of (1) seed, the score itself.",
        ", with the error of the seeds where there are several",
    )


def _sign_test(numbers: dict[str, Any]) -> str:
    tests = numbers["sign_tests"]
    correction = f" Holm's correction is for these {len(tests)} tests." if len(tests) > 1 else ""
    levels = (
        " Each level has tests of its own." if len({each["level"] for each in tests}) > 1 else ""
    )
    return (
        f"The two-sided sign test over the tasks of each pair, which it takes as independent; ties are dropped. "
        f"{RULE}{levels}{correction}"
    )
