"""Colours, symbols and hatches that are told apart with any kind of colour vision, and in grey."""

from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#767676")
"""Those of Okabe and Ito, but for yellow and black, which are lost on white and on black."""

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down", "star")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
HATCHES = ("", "/", "x", "-", "|", "+", "\\", ".")

BOUND_SYMBOLS = (
    "diamond", "square", "triangle-up", "circle", "cross", "x", "star", "triangle-down", "hourglass",
)  # fmt: skip
INK = "#1A1A1A"
"""Of what is no result; the page has it light where it is dark."""
PAPER = "#FFFFFF"
"""Around that; the page has it dark where it is dark."""

SEQUENTIAL = ("#F7FBFF", "#C6DBEF", "#85BCDB", "#4A98C9")
DIVERGING = ("#E08214", "#FDB863", "#F7F7F7", "#B2ABD2", "#8073AC")
ON_COLOURS = "#111111"
"""Of the numbers on these, which are light enough for it at both ends."""

# The same for matplotlib.
MARKERS = ("o", "s", "D", "^", "P", "X", "v", "*")
LINES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (8, 3)))
BOUND_MARKERS = ("D", "s", "^", "o", "P", "X", "*", "v", "d")
PRINTED_HATCHES = ("", "//", "xx", "--", "||", "++", "\\\\", "..")


def nth(kinds: Sequence[T], number: int) -> T:
    """The numbers of kinds have no common divisor with that of colours, so pairs come again late."""
    return kinds[number % len(kinds)]
