"""Tables for a terminal, and for a page of Markdown or LaTeX."""

import re
from collections.abc import Collection, Sequence
from typing import Optional, TextIO

from linspector_allennlp.io.visible import visible

Rows = Sequence[Sequence[str]]
Places = Sequence[tuple[int, int]]

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "±": r"$\pm$",
    "−": "$-$",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    "ρ": r"$\rho$",
    "×": r"$\times$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}

NUMERIC = re.compile(r"[\d\s.,;±%()\[\]+-]+")


def say(text: str, file: Optional[TextIO] = None, flush: bool = False) -> None:
    """Prints text of several lines, in which there may be names, labels and paths of a stranger's."""
    print(visible(text, keep="\n\t"), file=file, flush=flush)


def percent(fraction: Optional[float]) -> str:
    """With one decimal; a dash for what there is not."""
    # Nothing is as much as minus nothing.
    return "–" if fraction is None else f"{round(100 * fraction, 1) + 0.0:.1f}"


def number(value: Optional[float]) -> str:
    """With three decimals, as correlations are printed; a dash for what there is not."""
    return "–" if value is None else f"{value:.3f}"


def table(rows: Rows, left: Collection[int] = (0,)) -> str:
    """The header over a line over the other rows; these columns to the left, the rest right."""
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [
        "  ".join(
            cell.ljust(width) if number in left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def markdown_table(rows: Rows, left: Collection[int] = (0,), bold: Places = ()) -> str:
    """The same for Markdown; `bold` are places, of the rows below the header."""
    escaped = [[in_markdown(cell) for cell in row] for row in rows]
    for row, column in bold:
        escaped[row + 1][column] = f"**{escaped[row + 1][column]}**"
    sides = [":--" if column in left else "--:" for column in range(len(rows[0]))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [escaped[0], sides, *escaped[1:]])


def latex_table(
    rows: Rows,
    left: Collection[int] = (0,),
    bold: Places = (),
    note: str = "",
    underlined: Places = (),
) -> str:
    """The same for LaTeX, with the package booktabs; the note is a comment."""
    escaped = [[in_latex(cell) for cell in row] for row in rows]
    for command, places in (("textbf", bold), ("underline", underlined)):
        for row, column in places:
            escaped[row + 1][column] = f"\\{command}{{{escaped[row + 1][column]}}}"
    lines = [f"{' & '.join(row)} \\\\" for row in escaped]
    sides = "".join("l" if column in left else "r" for column in range(len(rows[0])))
    return "\n".join(
        [
            *(f"% {visible(line)}" for line in note.splitlines()),
            f"\\begin{{tabular}}{{{sides}}}",
            "\\toprule",
            lines[0],
            "\\midrule",
            *lines[1:],
            "\\bottomrule",
            "\\end{tabular}",
        ]
    )


def in_markdown(cell: str) -> str:
    """Text that means itself, in one line."""
    return re.sub(r"([\\`*_\[\]<>|~#])", r"\\\1", visible(" ".join(cell.split())))


def in_latex(cell: str) -> str:
    """Text that means itself; the hyphen of a number is a minus."""
    if NUMERIC.fullmatch(cell):
        cell = cell.replace("-", "−")
    # A row that begins with [ would be the argument of the \\ before it.
    text = "".join(LATEX.get(character, character) for character in visible(" ".join(cell.split())))
    return f"{{{text}}}" if text.startswith(("[", "*")) else text
