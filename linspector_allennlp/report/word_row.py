"""The words of a sentence in a row, as wide as they are drawn."""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Optional

from linspector_allennlp.report.figures import BLACK, GREY, text_width, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE, GAP = 11.0, 11.0
ASCENT, DESCENT = 0.8 * SIZE, 0.25 * SIZE


def check_words(words: Sequence[str], scored: Optional[Sequence[bool]] = None) -> None:
    if not words:
        raise ValueError("Expected a sentence to draw, found one without words.")
    if scored is not None and len(scored) != len(words):
        raise ValueError(f"Expected {len(words)} words to be scored or not, found {len(scored)}.")


def word_centres(words: Sequence[str], least_widths: Sequence[float]) -> tuple[list[float], float]:
    """Where the middle of each word is, from the left end of the row, and how long the row is."""
    widths = [max(text_width(word, SIZE), least) for word, least in zip(words, least_widths)]
    ends = list(accumulate(width + GAP for width in widths))
    return [end - GAP - width / 2 for end, width in zip(ends, widths)], ends[-1] - GAP


def write_words(
    axes: "Axes",
    words: Sequence[str],
    centres: Sequence[float],
    baseline: float,
    scored: Optional[Sequence[bool]] = None,
) -> None:
    """The words that are not scored in grey."""
    for number, (word, x) in enumerate(zip(words, centres), start=1):
        colour = BLACK if scored is None or scored[number - 1] else GREY
        settings = {"ha": "center", "va": "baseline", "color": colour, "gid": f"word-{number}"}
        write(axes, x, baseline, word, SIZE, **settings)
