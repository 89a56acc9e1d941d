"""Two dependency trees of a sentence: which arcs they share, and how high each is to be drawn."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Optional

RIGHT, MISSED, WRONG, UNSCORED = "right", "missed", "wrong", "unscored"
Edge = tuple[int, int]


class Arc(NamedTuple):
    """
    An edge as it is drawn.

    # Parameters

    start, end : `int`
        Ids of words, from 1. Of directed arcs the start is the head, 0 for the root.
    kind : `str`
        "right" is in both trees, "missed" only in the gold one, "wrong" only in the predicted one;
        "unscored" is not compared. Where there is no gold tree all are "right".
    level : `int`
        From 1; 0 for an arc from a word to the word itself.
    """

    start: int
    end: int
    kind: str
    level: int


class TreePair(NamedTuple):
    """
    The arcs of both trees, and how many of the `total` gold arcs that are scored were found, the
    `hits`. Where there is no gold tree it is `None`, and nothing is scored.
    """

    gold: Optional[list[Arc]]
    predicted: list[Arc]
    hits: int
    total: int


def compare_trees(
    num_words: int,
    predicted: Iterable[Sequence[int]],
    gold: Optional[Iterable[Sequence[int]]] = None,
    scored: Optional[Sequence[bool]] = None,
    directed: bool = False,
) -> TreePair:
    """
    Compares the edges of two trees. An undirected edge is scored if both of its words are; a
    directed one, (head, word), if its word is and has a head in the gold tree.

    # Parameters

    num_words : `int`
    predicted, gold : `Iterable[Sequence[int]]`
        Pairs of ids, from 1; the root of a directed tree has the head 0.
    scored : `Optional[Sequence[bool]]`, optional (default = `None`)
        For each word whether it is; by default all are.
    directed : `bool`, optional (default = `False`)
    """
    if scored is not None and len(scored) != num_words:
        raise ValueError(f"Expected {num_words} words to be scored or not, found {len(scored)}.")
    found = _edges("predicted", predicted, num_words, directed)
    levels = arc_levels(found)
    if gold is None:
        return TreePair(None, [Arc(*edge, RIGHT, levels[edge]) for edge in found], 0, 0)
    expected = _edges("gold", gold, num_words, directed)
    gold_levels = arc_levels(expected)
    unscored = {id_ for id_, is_scored in enumerate(scored or (), start=1) if not is_scored}
    unscored |= {word for head, word in expected if head == 0}
    both = set(found) & set(expected)

    def kind(edge: Edge, otherwise: str) -> str:
        if not unscored.isdisjoint(edge[1:] if directed else edge):
            return UNSCORED
        return RIGHT if edge in both else otherwise

    gold_arcs = [Arc(*edge, kind(edge, MISSED), gold_levels[edge]) for edge in expected]
    arcs = [Arc(*edge, kind(edge, WRONG), levels[edge]) for edge in found]
    hits = sum(arc.kind == RIGHT for arc in gold_arcs)
    return TreePair(gold_arcs, arcs, hits, sum(arc.kind != UNSCORED for arc in gold_arcs))


def arc_levels(edges: Iterable[Edge]) -> dict[Edge, int]:
    """The lowest levels on which an arc lies above those within it, and no two meet."""
    levels: dict[Edge, int] = {}
    roots = []
    for edge in sorted(edges, key=lambda edge: (abs(edge[1] - edge[0]), edge)):
        low, high = sorted(edge)
        if low == 0:
            roots.append(edge)
            continue
        # One common word is no overlap.
        below = (level for (a, b), level in levels.items() if min(a, b) < high and low < max(a, b))
        levels[edge] = 0 if low == high else 1 + max(below, default=0)
    for edge in roots:
        at_word = (lvl for (a, b), lvl in levels.items() if min(a, b) <= edge[1] <= max(a, b))
        levels[edge] = 1 + max(at_word, default=0)
    return levels


def arc_slots(arcs: Sequence[Arc]) -> tuple[list[tuple[float, float]], Counter[int]]:
    """
    Arcs that meet at a word end side by side, in the order in which they do not cross: those to the
    left, the lowest first; that from the root; those to the right, the lowest last.

    # Returns

    For each arc how many slots right of the middle of its words it starts and ends, and for each
    word how many slots it has.
    """
    at_words: dict[int, list[tuple[tuple[int, int], int, int]]] = defaultdict(list)
    for number, arc in enumerate(arcs):
        for side, (word, other) in enumerate(((arc.start, arc.end), (arc.end, arc.start))):
            if other in (0, word):
                place = (0, side)
            else:
                place = (-1, arc.level) if other < word else (1, -arc.level)
            at_words[word].append((place, number, side))
    offsets = [[0.0, 0.0] for _ in arcs]
    for ends in at_words.values():
        for position, (_, number, side) in enumerate(sorted(ends)):
            offsets[number][side] = position - (len(ends) - 1) / 2
    sizes = Counter({word: len(ends) for word, ends in at_words.items() if word})
    return [(start, end) for start, end in offsets], sizes


def _edges(name: str, edges: Iterable[Sequence[int]], num_words: int, directed: bool) -> list[Edge]:
    lowest = 0 if directed else 1
    checked: dict[Edge, None] = {}  # in order
    for edge in edges:
        start, end = edge
        if not (lowest <= start <= num_words and 1 <= end <= num_words):
            raise ValueError(
                f"Expected {name} edges between words {lowest} to {num_words}, found {list(edge)}."
            )
        if not directed and start == end:
            raise ValueError(f"Expected {name} edges between two words, found {list(edge)}.")
        pair = (start, end) if directed else (min(start, end), max(start, end))
        if pair in checked:
            raise ValueError(f"Expected each of the {name} edges once, found {list(edge)} twice.")
        checked[pair] = None
    return list(checked)
