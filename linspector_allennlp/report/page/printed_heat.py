"""Numbers by row and column as colours, drawn by matplotlib."""

from typing import TYPE_CHECKING

from linspector_allennlp.report.figures import NOTE_SIZE, TITLE_SIZE
from linspector_allennlp.report.page.model import Heat
from linspector_allennlp.report.page.printed_parts import numbers, text
from linspector_allennlp.report.page.styles import DIVERGING, ON_COLOURS, SEQUENTIAL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CELL, OF_LETTER = 0.32, 0.09
"""In inches."""


def printed_heat(title: str, heat: Heat) -> "Figure":
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    longest = max(len(cell) for row in heat.texts for cell in row)
    size = (len(heat.columns) * max(CELL, OF_LETTER * longest + 0.1), len(heat.rows) * CELL)
    drawn = Figure(figsize=(max(1.5, size[0]) + 0.8, max(1.0, size[1])), facecolor="white")
    axes = drawn.add_subplot()
    axes.set_title(text(title), fontsize=TITLE_SIZE)
    colours = LinearSegmentedColormap.from_list("", DIVERGING if heat.diverges else SEQUENTIAL)
    low, high = (
        None if end is None else (100 if heat.percent else 1) * end for end in (heat.low, heat.high)
    )
    image = axes.pcolormesh(
        [numbers(row, heat.percent) for row in heat.values],
        cmap=colours, edgecolor="white", linewidth=0.5,
        vmin=low, vmax=high,
    )  # fmt: skip
    size_of_text = NOTE_SIZE - 1
    for row, texts in enumerate(heat.texts):
        for column, cell in enumerate(texts):
            place = (column + 0.5, row + 0.5)
            axes.text(
                *place, text(cell), ha="center", va="center", color=ON_COLOURS, size=size_of_text
            )
    axes.set_xticks(
        [n + 0.5 for n in range(len(heat.columns))],
        list(map(text, heat.columns)),
        rotation=40,
        ha="right",
    )
    axes.set_yticks([n + 0.5 for n in range(len(heat.rows))], list(map(text, heat.rows)))
    axes.tick_params(length=0)
    axes.set_frame_on(False)
    axes.invert_yaxis()
    axes.set(xlabel=text(heat.x_title), ylabel=text(heat.y_title))
    if heat.unit:
        drawn.colorbar(image, ax=axes, label=text(heat.unit)).ax.set_frame_on(False)
    return drawn
