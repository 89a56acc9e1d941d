"""Tables for other programs than a terminal."""

import csv
from collections.abc import Collection, Sequence
from io import StringIO
from typing import Any

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "±": r"$\pm$",
    "−": "$-$",
    "<": "$<$",
    ">": "$>$",
}


def csv_table(rows: Sequence[Sequence[Any]]) -> str:
    """Comma-separated values, the header first; nothing for `None`."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def markdown_table(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """A table of GitHub's Markdown; these columns to the left, the rest right."""
    marks = ["---" if number in left else "--:" for number in range(len(rows[0]))]
    lines = [[_markdown(cell) for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in [lines[0], marks, *lines[1:]])


def latex_table(rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """A `tabular` with the rules of the package booktabs."""
    columns = "".join("l" if number in left else "r" for number in range(len(rows[0])))
    header, *body = (" & ".join(map(_latex, row)) + r" \\" for row in rows)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _markdown(cell: str) -> str:
    return "".join(f"\\{each}" if each in "\\|*_`<[" else each for each in cell)


def _latex(cell: str) -> str:
    text = "".join(LATEX.get(each, each) for each in cell)
    # A row that begins with [ would be taken for the argument of the \\ before it.
    return f"{{{text}}}" if text.startswith("[") else text
