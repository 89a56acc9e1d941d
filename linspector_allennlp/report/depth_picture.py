from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy

from linspector_allennlp.report.figures import (
    ASCENT,
    BLACK,
    BLUE,
    DESCENT,
    GREY,
    MARGIN,
    NOTE_SIZE,
    VERMILION,
    check_words,
    in_house_style,
    new_axes,
    new_figure,
    text_width,
    title_width,
    word_centres,
    write,
    write_title,
    write_words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE_LINE, LEGEND_LINE, AXIS, PLOT = 20.0, 24.0, 40.0, 150.0
SAMPLE = 24.0
STYLES: dict[str, dict[str, Any]] = {
    "gold": {"color": BLUE, "linewidth": 1.4, "marker": "o", "markersize": 5},
    "predicted": {
        "color": VERMILION,
        "linewidth": 1.4,
        "linestyle": (0, (3.5, 2)),
        "marker": "s",
        "markersize": 4.5,
    },
}
RING: dict[str, Any] = {"markersize": 11, "fillstyle": "none", "markeredgewidth": 1.2}


ROOT_TEXT = "ring: root"


class Depths(NamedTuple):
    """How deep each word of a sentence is in its tree, and the id of the root, from 1, if it has one."""

    values: Sequence[float]
    root: Optional[int]


@in_house_style
def depth_picture(
    words: Sequence[str],
    predicted: Depths,
    gold: Optional[Depths] = None,
    name: str = "",
    score: str = "",
    scored: Optional[Sequence[bool]] = None,
) -> "Figure":
    """
    The gold and the predicted depth of each word, as lines over the words; the top is the root's
    depth, 0. Rings mark the roots.

    # Parameters

    words : `Sequence[str]`
    predicted, gold : `Depths`
        Without `gold`, only the predicted ones are drawn.
    name, score : `str`, optional (default = `""`)
        What stands above.
    scored : `Optional[Sequence[bool]]`, optional (default = `None`)
        For each word whether it is scored; the others are grey.
    """
    check_words(words, scored)
    lines = {"predicted": predicted} if gold is None else {"gold": gold, "predicted": predicted}
    for title, depths in lines.items():
        _check(title, depths, len(words))
    centres, row = word_centres(words, [0.0] * len(words))
    left = MARGIN + AXIS
    widths = (left + row, MARGIN + title_width(name, score), MARGIN + _legend_width([*lines]))
    width = max(widths) + MARGIN
    bottom = MARGIN + DESCENT + ASCENT + 10
    height = bottom + PLOT + LEGEND_LINE + TITLE_LINE + MARGIN
    figure = new_figure(width, height)
    paper = new_axes(figure, 0, 0, width, height)
    paper.set(xlim=(0, width), ylim=(0, height))
    paper.set_axis_off()
    write_title(paper, height - MARGIN, name, score)
    _draw_legend(paper, [*lines], height - MARGIN - TITLE_LINE - NOTE_SIZE / 2)
    write_words(paper, words, [left + x for x in centres], MARGIN + DESCENT, scored)

    axes = new_axes(figure, left - 8, bottom, row + 16, PLOT)
    deepest = max(float(max(depths.values)) for depths in lines.values())
    least = min(0.0, *(float(min(depths.values)) for depths in lines.values()))
    room = 0.08 * (deepest - least or 1.0)
    axes.set(xlim=(-8, row + 8), ylim=(deepest + room, least - room))
    _set_axes(axes, centres)
    for title, depths in lines.items():
        axes.plot(centres, depths.values, gid=f"depths-{title}", clip_on=False, **STYLES[title])
        if depths.root is None:
            continue
        x, y = centres[depths.root - 1], depths.values[depths.root - 1]
        style = {key: STYLES[title][key] for key in ("color", "marker")}
        gid = f"root-{title}-{depths.root}"
        axes.plot([x], [y], gid=gid, clip_on=False, **style, **RING)
    return figure


def _check(title: str, depths: Depths, size: int) -> None:
    if len(depths.values) != size or not numpy.isfinite(depths.values).all():
        raise ValueError(f"Expected {size} finite {title} depths, found {list(depths.values)}.")
    if depths.root is not None and not 1 <= depths.root <= size:
        raise ValueError(f"Expected a {title} root from 1 to {size}, found {depths.root}.")


def _set_axes(axes: "Axes", centres: Sequence[float]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xticks(centres, [])
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.set_ylabel("depth", fontsize=NOTE_SIZE, color=BLACK)
    axes.tick_params(labelsize=NOTE_SIZE, length=0, labelcolor=BLACK)
    axes.grid(color="#E4E4E4", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[:].set_visible(False)


def _legend_width(titles: Sequence[str]) -> float:
    return sum(SAMPLE + 20 + text_width(text, NOTE_SIZE) for text in (*titles, ROOT_TEXT))


def _draw_legend(axes: "Axes", titles: Sequence[str], y: float) -> None:
    samples = {title: {**STYLES[title], "markevery": [1]} for title in titles}
    samples[ROOT_TEXT] = {**RING, "color": GREY, "marker": "o", "linestyle": "", "markevery": [1]}
    x = MARGIN
    for text, style in samples.items():
        axes.plot([x, x + SAMPLE / 2, x + SAMPLE], [y] * 3, **style)
        write(axes, x + SAMPLE + 5, y, text, NOTE_SIZE, va="center_baseline", color=BLACK)
        x += SAMPLE + 20 + text_width(text, NOTE_SIZE)
