"""Colours, symbols and hatches that are told apart with any kind of colour vision, and in grey."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#767676")
"""Those of Okabe and Ito, but for yellow and black, which are lost on white and on black."""

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "triangle-down", "star")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
HATCHES = ("", "/", "x", "-", "|", "+", "\\", ".")

BOUND_SYMBOLS = ("line-ew-open", "diamond-open", "triangle-up-open", "circle-open", "square-open", "cross-open",
                 "x-open", "star-open", "hourglass-open")  # fmt: skip
INK = "#1A1A1A"
"""Of what is no result; the page has it light where it is dark."""

# The same for matplotlib.
MARKERS = ("o", "s", "D", "^", "P", "X", "v", "*")
LINES = ("-", "--", ":", "-.", (0, (8, 3)))
BOUND_MARKERS = ("_", "D", "^", "o", "s", "P", "X", "*", "d")
PRINTED_HATCHES = ("", "//", "xx", "--", "||", "++", "\\\\", "..")


def nth(kinds, number):  # type: ignore[no-untyped-def]
    """The numbers of kinds have no common divisor with that of colours, so pairs come again late."""
    return kinds[number % len(kinds)]
