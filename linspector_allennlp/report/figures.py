"""
What the pictures share: one look whatever the user's settings of matplotlib are, text that is drawn
as it is, and files that are whole and the same for the same data.

Sizes are in points. Scripts whose letters change their form or order (Arabic, Devanagari) are right
in .svg, where the viewer sets the text, and only approximate in .png.
"""

import logging
import re
import unicodedata
import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from io import StringIO
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, ParamSpec, TypeVar

from linspector_allennlp.io.files import PathLike, replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

logger = logging.getLogger(__name__)

FORMATS = ("svg", "png")
# Colours that are told apart with any kind of colour vision (Okabe and Ito).
BLUE, VERMILION, GREY, BLACK = "#0072B2", "#D55E00", "#767676", "#1A1A1A"

MARGIN, TITLE_SIZE, NOTE_SIZE = 10.0, 11.0, 8.5
FONTS = (
    "DejaVu Sans", "Noto Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans Devanagari",
    "Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Thai", "Arial Unicode MS", "Hiragino Sans",
    "Microsoft YaHei", "Nirmala UI",
)  # fmt: skip
"""The first has most alphabets and comes with matplotlib; the others, where installed, the rest."""

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NO_GLYPH = "Glyph|Matplotlib currently does not support"
REMEDY = "Take .svg instead: there the viewer sets the words, with its fonts."
PNG_DPI, MOST_PIXELS = 144, 60_000
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}

P = ParamSpec("P")
T = TypeVar("T")

SIZE, GAP = 11.0, 11.0

ASCENT, DESCENT = 0.8 * SIZE, 0.25 * SIZE


def require_matplotlib() -> None:
    """Says early what to install."""
    try:
        import matplotlib.figure
        import matplotlib.style  # noqa: F401
    except ImportError as error:
        raise ValueError(
            f"Pictures need matplotlib, which cannot be imported ({error}): pip install matplotlib"
        ) from error


def in_house_style(draw: Callable[P, T]) -> Callable[P, T]:
    """Lets a function draw without the user's settings of matplotlib, and without changing them."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> T:
        require_matplotlib()
        import matplotlib.font_manager
        import matplotlib.style

        installed = set(matplotlib.font_manager.fontManager.get_font_names())
        style = {
            "font.family": [*(name for name in FONTS if name in installed), "sans-serif"],
            "font.sans-serif": FONTS[0],
            "svg.fonttype": "none",
            "svg.hashsalt": "linspector",
        }
        with matplotlib.style.context(["default", style]):
            return draw(*args, **kwargs)

    return drawn


def new_figure(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(width / 72, height / 72), facecolor="white")


def new_axes(figure: "Figure", left: float, bottom: float, width: float, height: float) -> "Axes":
    """Axes at this place of the figure, counted from its lower left corner."""
    full_width, full_height = figure.get_size_inches() * 72
    return figure.add_axes(
        (left / full_width, bottom / full_height, width / full_width, height / full_height)
    )


def literal(text: str) -> str:
    """In one line, and without the characters that no XML file can have."""
    return NOT_XML.sub("\ufffd", re.sub(r"\s", " ", text))


def write(axes: "Axes", x: float, y: float, text: str, size: float, **settings: Any) -> None:
    """Text as it is: no character of it is mark-up."""
    axes.text(x, y, literal(text), fontsize=size, parse_math=False, **settings)


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """How wide the text is drawn. To be called in house style."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    text = literal(text)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", NO_GLYPH)  # `save_figure` says it once
        font = FontProperties(size=size, weight=weight)
        width, _, _ = text_to_path.get_text_width_height_descent(text, font, False)
    # The viewer of an .svg may have a Chinese font though we have none.
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return max(float(width), wide * size)


def write_title(axes: "Axes", y: float, name: str, score: str, x: float = MARGIN) -> None:
    """The name in bold and the score beside it, below `y`."""
    below = {"va": "top", "color": BLACK}
    write(axes, x, y, name, TITLE_SIZE, weight="bold", **below)
    write(axes, x + _name_width(name), y, score, TITLE_SIZE, **below)


def title_width(name: str, score: str) -> float:
    return _name_width(name) + text_width(score, TITLE_SIZE)


def _name_width(name: str) -> float:
    return text_width(name, TITLE_SIZE, "bold") + 12 if name else 0


def picture_format(path: PathLike) -> str:
    """By the ending of the path."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise ValueError(f"{path}: expected a picture that ends in .svg or .png.")
    return ending


@in_house_style
def save_figure(figure: "Figure", path: PathLike) -> None:
    """Writes an .svg or .png, all of it or nothing."""
    format_ = picture_format(path)
    dpi = min(PNG_DPI, MOST_PIXELS / max(figure.get_size_inches())) if format_ == "png" else 72
    with warnings.catch_warnings(record=True) as caught, replacing(path) as temporary:
        warnings.filterwarnings("always", NO_GLYPH)
        figure.savefig(temporary, format=format_, dpi=dpi, metadata=METADATA[format_])
    messages = [str(warning.message) for warning in caught]
    for warning, message in zip(caught, messages):
        if not re.match(NO_GLYPH, message):
            place = (warning.filename, warning.lineno)
            warnings.warn_explicit(warning.message, warning.category, *place)
    if format_ == "png":
        _warn_of_letters(figure, path, re.findall(r"Glyph (\d+)", " ".join(messages)))


@in_house_style
def svg_text(figure: "Figure") -> str:
    """The picture as an .svg."""
    file = StringIO()
    figure.savefig(file, format="svg", metadata=METADATA["svg"])
    return file.getvalue()


def _warn_of_letters(figure: "Figure", path: PathLike, missing: Sequence[str]) -> None:
    """Says which letters a .png has not as they should be."""
    from matplotlib.text import Text

    letters = {letter for text in figure.findobj(Text) for letter in text.get_text()}
    if missing:
        boxes = " ".join(sorted({chr(int(number)) for number in missing}))
        logger.warning("%s: boxes stand for %s, which no font here has. %s", path, boxes, REMEDY)
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in letters):
        logger.warning("%s: words that run from right to left are reversed. %s", path, REMEDY)


if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
