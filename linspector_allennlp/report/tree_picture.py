from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

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
from linspector_allennlp.report.tree_arcs import (
    MISSED,
    RIGHT,
    UNSCORED,
    WRONG,
    Arc,
    TreePair,
    arc_slots,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE_LINE, LEGEND_LINE = 20.0, 20.0
SPACE = 4.0  # between words and arcs
SLOT, LEVEL, RADIUS, LOOP = 7.0, 15.0, 11.0, 12.0  # between arcs; of their corners; to oneself
HEAD_WIDTH, HEAD_LENGTH = 5.0, 6.0
SAMPLE = 24.0  # of a line, in the legend

ONE_TREE = {"color": VERMILION, "linewidth": 1.5, "linestyle": (0, (3.5, 2))}
STYLES: dict[str, dict[str, Any]] = {
    RIGHT: {"color": BLUE, "linewidth": 1.5},
    MISSED: ONE_TREE,
    WRONG: ONE_TREE,
    UNSCORED: {"color": GREY, "linewidth": 1.0, "linestyle": (0, (1, 2))},
}
LEGEND = {
    "in both": {RIGHT},
    "in one only: missed above, wrong below": {MISSED, WRONG},
    "not scored": {UNSCORED},
}


class Side(NamedTuple):
    """The arcs above the words, or below: `up` is 1 or -1, and `ground` is where arcs end."""

    tree: str
    up: int
    ground: float
    arcs: Sequence[Arc]


@in_house_style
def tree_picture(
    words: Sequence[str],
    trees: TreePair,
    name: str = "",
    score: str = "",
    scored: Optional[Sequence[bool]] = None,
    directed: bool = False,
) -> "Figure":
    """
    The gold tree as arcs above the words, the predicted one as arcs below. Arcs of both trees are
    solid, those of one dashed. The picture is as wide as the words need.

    # Parameters

    words : `Sequence[str]`
    trees : `TreePair`
        The arcs, by `compare_trees`.
    name, score : `str`, optional (default = `""`)
        What stands above.
    scored : `Optional[Sequence[bool]]`, optional (default = `None`)
        For each word whether it is scored; the others are grey.
    directed : `bool`, optional (default = `False`)
        Draw arrows, from the head to the word.
    """
    check_words(words, scored)
    gold = trees.gold or []
    slots = [arc_slots(arcs)[1] for arcs in (gold, trees.predicted)]
    ids = range(1, len(words) + 1)
    centres, row = word_centres(words, [SLOT * max(of[id_] for of in slots) for id_ in ids])
    kinds = {arc.kind for arc in [*gold, *trees.predicted]}
    legend = [text for text in LEGEND if LEGEND[text] & kinds and trees.gold is not None]

    left = MARGIN + text_width("predicted", NOTE_SIZE) + 12
    widths = (left + row, MARGIN + title_width(name, score), MARGIN + _legend_width(legend))
    width = max(widths) + MARGIN
    baseline = MARGIN + _height(trees.predicted) + SPACE + DESCENT
    top = baseline + ASCENT + SPACE + _height(gold) + (LEGEND_LINE if legend else 0)
    height = top + TITLE_LINE + MARGIN
    figure = new_figure(width, height)
    axes = new_axes(figure, 0, 0, width, height)
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.set_axis_off()

    write_title(axes, height - MARGIN, name, score)
    _draw_legend(axes, legend, height - MARGIN - TITLE_LINE - NOTE_SIZE / 2)
    middles = [left + x for x in centres]
    write_words(axes, words, middles, baseline, scored)
    above = Side("gold", 1, baseline + ASCENT + SPACE, gold)
    below = Side("predicted", -1, baseline - DESCENT - SPACE, trees.predicted)
    for side in (above, below):
        _draw_side(axes, side, middles, directed)
    return figure


def _height(arcs: Sequence[Arc]) -> float:
    """What the arcs of a side need, with the word over that of the root."""
    if not arcs:
        return 0.0
    levels = [max(arc.level, 1) + (0.7 if arc.start == 0 else 0) for arc in arcs]
    return LEVEL * max(levels) + 2


def _draw_side(axes: "Axes", side: Side, middles: Sequence[float], directed: bool) -> None:
    from matplotlib.patches import PathPatch, Polygon

    if side.arcs:
        note = {"va": "center", "color": BLACK, "style": "italic"}
        write(axes, MARGIN, side.ground + side.up * LEVEL / 2, side.tree, NOTE_SIZE, **note)
    # What is right lies over what is not, where arcs cross.
    order = list(STYLES)[::-1]
    for arc, (start, end) in zip(side.arcs, arc_slots(side.arcs)[0]):
        style = STYLES[arc.kind]
        gid = f"{side.tree}-{arc.start}-{arc.end}-{arc.kind}"
        right = middles[arc.end - 1] + SLOT * end
        left = middles[arc.start - 1] + SLOT * start if arc.start else right
        line = _line(side, arc, left, right, HEAD_LENGTH if directed else 0)
        path = PathPatch(line, fill=False, gid=gid, zorder=2 + order.index(arc.kind), **style)
        path.set(clip_on=False, capstyle="butt")
        axes.add_patch(path)
        if directed:
            neck = side.ground + side.up * HEAD_LENGTH
            tip = [(right, side.ground)] + [(right + x * HEAD_WIDTH / 2, neck) for x in (-1, 1)]
            head = Polygon(tip, color=style["color"], linewidth=0, gid=f"{gid}-head", clip_on=False)
            axes.add_patch(head)
        if arc.start == 0:
            settings = {"ha": "center", "va": "center", "color": GREY}
            height = side.ground + side.up * LEVEL * (arc.level + 0.4)
            write(axes, right, height, "root", NOTE_SIZE, **settings)


def _line(side: Side, arc: Arc, start: float, end: float, head: float) -> Any:
    """Up from one word, round a corner, over, and down to the other; its end has an arrow head."""
    from matplotlib.path import Path

    ground, up = side.ground, side.up
    peak = ground + up * (LEVEL * arc.level or LOOP)
    if start == end:  # from the root
        return Path([(end, peak), (end, ground + up * head)], [Path.MOVETO, Path.LINETO])
    over = min(RADIUS, abs(end - start) / 2) * (1 if end > start else -1)
    corner = peak - up * min(RADIUS, abs(peak - ground) - head)
    points = [
        (start, ground), (start, corner), (start, peak), (start + over, peak),
        (end - over, peak), (end, peak), (end, corner), (end, ground + up * head),
    ]  # fmt: skip
    codes = [Path.LINETO, Path.CURVE3, Path.CURVE3, Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path(points, [Path.MOVETO, *codes, Path.LINETO])


def _legend_width(texts: Sequence[str]) -> float:
    return sum(SAMPLE + 20 + text_width(text, NOTE_SIZE) for text in texts)


def _draw_legend(axes: "Axes", texts: Sequence[str], y: float) -> None:
    x = MARGIN
    for text in texts:
        kind = min(LEGEND[text])
        axes.plot([x, x + SAMPLE], [y, y], gid=f"legend-{kind}", **STYLES[kind])
        write(axes, x + SAMPLE + 5, y, text, NOTE_SIZE, va="center_baseline", color=BLACK)
        x += _legend_width([text])
