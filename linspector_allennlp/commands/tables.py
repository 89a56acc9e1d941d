"""Tables for a terminal."""

from collections.abc import Sequence
from typing import Optional


def percent(fraction: Optional[float]) -> str:
    """With one decimal; a dash for what there is not."""
    return "–" if fraction is None else f"{100 * fraction:.1f}"


def number(value: Optional[float]) -> str:
    """With three decimals, as correlations are printed; a dash for what there is not."""
    return "–" if value is None else f"{value:.3f}"


def table(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """The header over a line over the other rows; these columns to the left, the rest right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [
        "  ".join(
            cell.ljust(width) if number in left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])
