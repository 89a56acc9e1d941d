from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

import numpy

from linspector_allennlp.report.figures import (
    BLACK,
    GREY,
    MARGIN,
    TITLE_SIZE,
    check_words,
    in_house_style,
    literal,
    new_axes,
    new_figure,
    text_width,
    title_width,
    write,
    write_title,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = "viridis"  # equal steps look equal, with any kind of colour vision and in grey
SIDE = 250.0  # of a map, as long as the cells are neither too large nor too small
SMALLEST_CELL, LARGEST_CELL, LARGEST_TEXT = 10, 28, 10.0
TITLE_LINE, MAP_TITLE_LINE, TICK, BAR, BAR_GAP, MAP_GAP = 22.0, 16.0, 5.0, 9.0, 9.0, 36.0
UNIT_LINE = 14.0  # beside the bar
COMPARABLE = 2.0  # times as long as the others, at most, are distances of the same unit


@in_house_style
def distance_picture(
    words: Sequence[str],
    distances: Sequence[Sequence[float]],
    gold: Optional[Sequence[Sequence[float]]] = None,
    name: str = "",
    score: str = "",
    scored: Optional[Sequence[bool]] = None,
) -> "Figure":
    """
    The gold and the predicted distances of all pairs of words as heat maps side by side, on one scale
    of colours. The perceptron's distances have an order, but no unit, and others may be far off: where
    the longest predicted distance is far from the longest gold one, the predicted ones are scaled to
    the mean of the gold ones. The title of their map says by which factor, and the scale that they are.

    # Parameters

    words : `Sequence[str]`
    distances, gold : `Sequence[Sequence[float]]`
        A row for each word; without `gold`, only the predicted ones are drawn.
    name, score : `str`, optional (default = `""`)
        What stands above.
    scored : `Optional[Sequence[bool]]`, optional (default = `None`)
        For each word whether it is scored; the others are grey.
    """
    check_words(words, scored)
    predicted = _matrix("predicted", distances, len(words))
    maps, titles, unit = {"predicted": predicted}, {"predicted": "predicted"}, "distance"
    if gold is not None:
        right, unit = _matrix("gold", gold, len(words)), "edges between two words"
        factor = _factor(predicted, right)
        if factor != 1:
            unit += " (predicted: scaled)"
        maps = {"gold": right, "predicted": predicted * factor}
        titles = {"gold": "gold", "predicted": "predicted"}
        if factor != 1:
            titles["predicted"] += f" × {factor:.2g}"
    longest = max(float(values.max()) for values in maps.values()) or 1.0

    cell = int(min(max(SIDE // len(words), SMALLEST_CELL), LARGEST_CELL))
    size = min(LARGEST_TEXT, 0.8 * cell)
    side = float(cell * len(words))
    labels = max(text_width(word, size) for word in words) + TICK
    bar = BAR_GAP + BAR + 4 + text_width(f"{longest:.3g}", size) + UNIT_LINE
    step = labels + side + MAP_GAP
    of_maps = step * len(maps) - MAP_GAP + bar
    width = 2 * MARGIN + max(of_maps, title_width(name, score))
    bottom = MARGIN + labels
    height = bottom + side + MAP_TITLE_LINE + TITLE_LINE + MARGIN
    # Whole points, so that the edges of cells are sharp.
    figure = new_figure(round(width), round(height))
    paper = new_axes(figure, 0, 0, round(width), round(height))
    paper.set(xlim=(0, round(width)), ylim=(0, round(height)))
    paper.set_axis_off()
    write_title(paper, round(height) - MARGIN, name, score)
    for number, (kind, values) in enumerate(maps.items()):
        left = round(MARGIN + number * step + labels)
        axes = new_axes(figure, left, round(bottom), side, side)
        settings = {"va": "baseline", "color": BLACK, "style": "italic"}
        write(paper, left, round(bottom) + side + 6, titles[kind], TITLE_SIZE - 1, **settings)
        image = axes.imshow(values, cmap=COLOURS, vmin=0, vmax=longest)
        image.set(interpolation="nearest", gid=f"map-{kind}")
        _write_labels(axes, words, size, scored)
    _draw_bar(figure, image, (left + side + BAR_GAP, round(bottom), BAR, side), size, unit)
    return figure


def _factor(predicted: numpy.ndarray, gold: numpy.ndarray) -> float:
    """By what predicted distances are multiplied, so that one scale shows both."""
    shorter, longer = sorted((float(predicted.max()), float(gold.max())))
    if shorter == 0 or longer <= COMPARABLE * shorter:
        return 1.0
    return float(gold.mean() / predicted.mean())


def _matrix(name: str, rows: Sequence[Sequence[float]], size: int) -> numpy.ndarray:
    expected = f"Expected {name} distances of {size} words to {size} words"
    try:
        values = numpy.array(rows, dtype=float)
    except ValueError as error:
        raise ValueError(f"{expected}, found rows that are no numbers, or not as many.") from error
    if values.shape != (size, size):
        raise ValueError(f"{expected}, found {' × '.join(map(str, values.shape))}.")
    if not numpy.isfinite(values).all() or values.min() < 0:
        raise ValueError(f"{expected}, found some that are negative or not finite.")
    return values


def _write_labels(
    axes: "Axes", words: Sequence[str], size: float, scored: Optional[Sequence[bool]]
) -> None:
    places, texts = range(len(words)), [literal(word) for word in words]
    upright: dict[str, Any] = {
        "rotation": 90,
        "rotation_mode": "anchor",
        "ha": "right",
        "va": "center",
    }
    axes.set_xticks(places, texts, fontsize=size, parse_math=False, **upright)
    axes.set_yticks(places, texts, fontsize=size, parse_math=False)
    axes.tick_params(length=0, pad=TICK - 1)
    axes.spines[:].set_visible(False)
    for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
        for label, is_scored in zip(labels, scored or [True] * len(words)):
            label.set_color(BLACK if is_scored else GREY)


def _draw_bar(
    figure: "Figure", image: Any, place: tuple[float, ...], size: float, unit: str
) -> None:
    from matplotlib.ticker import MaxNLocator

    left, bottom, width, height = place
    bar = figure.colorbar(image, cax=new_axes(figure, left, bottom, width, height))
    bar.ax.spines[:].set_visible(False)
    bar.locator = MaxNLocator(nbins=5, integer=image.norm.vmax >= 2, steps=[1, 2, 5, 10])
    bar.ax.tick_params(labelsize=min(size, 9.0), length=2, pad=2, color=GREY)
    bar.set_label(unit, size=9.0, color=BLACK)
