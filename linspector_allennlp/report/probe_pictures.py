"""The pictures of what a probe of syntax predicts for a sentence, and what their files are called."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from linspector_allennlp.report.depth_picture import Depths, depth_picture
from linspector_allennlp.report.distance_picture import distance_picture
from linspector_allennlp.report.tree_arcs import TreePair, compare_trees
from linspector_allennlp.report.tree_picture import tree_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PROBES = ("distance_probe", "perceptron_probe", "depth_probe", "edge_probe")
LONGEST_NAME = 100
# Names that Windows keeps for devices, whatever follows the first full stop.
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


class Picture(NamedTuple):
    """`kind` is "tree", "heads", "distances" or "depths"; the score is empty without a gold tree."""

    kind: str
    figure: "Figure"
    score: str


def probe_pictures(
    prediction: Mapping[str, Any], name: str = "", heat_maps: bool = True
) -> list[Picture]:
    """
    Draws what there is in a prediction: a tree of `edges` or `heads`, `distances` as heat maps,
    `depths` as lines, each beside the gold ones where it has them.

    # Parameters

    prediction : `Mapping[str, Any]`
        What a predictor gives for a sentence, with 0-based indices of words.
    name : `str`, optional (default = `""`)
        Of the sentence; stands above each picture.
    heat_maps : `bool`, optional (default = `True`)
        Draw the distances too.
    """
    if "forms" not in prediction or not prediction.keys() & {"edges", "heads", "depths"}:
        found = ", ".join(sorted(prediction)) or "nothing"
        raise ValueError(
            f"Expected the predictions of one of {', '.join(PROBES)}, found a probe that gives "
            f"{found}: it predicts nothing that can be drawn as a tree."
        )
    words, scored = prediction["forms"], prediction.get("scored")
    pictures = []
    for key in ("edges", "heads"):
        if key not in prediction:
            continue
        directed = key == "heads"
        trees = _trees(prediction, key)
        measure = "heads" if directed else "UUAS"
        score = "" if trees.gold is None else f"{measure} {trees.hits}/{trees.total}"
        figure = tree_picture(words, trees, name, score, scored, directed)
        pictures.append(Picture("heads" if directed else "tree", figure, score))
    if heat_maps and "distances" in prediction:
        score = pictures[0].score if pictures else ""
        maps = prediction["distances"], prediction.get("gold_distances")
        figure = distance_picture(words, *maps, name, score, scored)
        pictures.append(Picture("distances", figure, score))
    if "depths" in prediction:
        predicted, gold, score = _depths(prediction), None, ""
        if "gold_depths" in prediction:
            gold = _depths(prediction, "gold_")
            score = "root right" if predicted.root == gold.root else "root wrong"
        figure = depth_picture(words, predicted, gold, name, score, scored)
        pictures.append(Picture("depths", figure, score))
    return pictures


def _depths(prediction: Mapping[str, Any], prefix: str = "") -> Depths:
    root = prediction[f"{prefix}root"]
    return Depths(prediction[f"{prefix}depths"], None if root is None else root + 1)


def _trees(prediction: Mapping[str, Any], key: str) -> TreePair:
    """The two trees by the ids of their words, from 1, so that 0 is the head of a root."""
    words, directed = prediction["forms"], key == "heads"
    predicted, gold = prediction[key], prediction.get(f"gold_{key}")
    ids_of = _head_edges if directed else _edge_ids
    predicted = ids_of("predicted", predicted, len(words))
    gold = None if gold is None else ids_of("gold", gold, len(words))
    return compare_trees(len(words), predicted, gold, prediction.get("scored"), directed)


def _head_edges(name: str, heads: Sequence[int], size: int) -> list[tuple[int, int]]:
    if len(heads) != size:
        raise ValueError(f"Expected {size} {name} heads, one for each word, found {len(heads)}.")
    return [(head + 1, word + 1) for word, head in enumerate(heads)]


def _edge_ids(name: str, edges: Sequence[Sequence[int]], size: int) -> list[tuple[int, int]]:
    if not all(0 <= index < size for edge in edges for index in edge):
        raise ValueError(f"Expected {name} edges of words 0 to {size - 1}, found {list(edges)}.")
    return [(first + 1, second + 1) for first, second in edges]


def file_stem(sent_id: str, number: int, taken: set[str]) -> str:
    """
    What to call the files of a sentence, on any file system: by its id, or by its number where it
    has none that can be written. `taken` has the names before, in lower case, and gets this one.
    """
    stem = re.sub(r"[^A-Za-z0-9._-]+", "_", sent_id)[:LONGEST_NAME].strip("._-")
    stem = f"_{stem}" if DEVICES.match(stem) else stem or f"sentence-{number}"
    name, copies = stem, 1
    while name.lower() in taken:
        copies += 1
        name = f"{stem}-{copies}"
    taken.add(name.lower())
    return name
