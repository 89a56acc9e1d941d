"""Which items a run has right, whatever kind of probe it is, so that two runs can be compared."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from linspector_allennlp.run_folders.run_folder import RunFolder

# By the kind of predictions, the name of the share of right items, and the keys that are scored.
MEASURES = {
    "label": "accuracy",
    "tags": "accuracy of tags",
    "arcs": "LAS",
    "edges": "UUAS",
    "root": "root accuracy",
}
KEYS = {
    "label": ("label", "gold"),
    "tags": ("label", "gold"),
    "arcs": ("label", "gold"),
    "edges": ("edges", "gold_edges"),
    "root": ("root", "gold_root"),
}
LABELLED = ("label", "tags", "arcs")
"""Where an item has one answer."""


class ItemKey(NamedTuple):
    """
    What makes an item the same in two runs.

    # Parameters

    line : `int`
        Where it is in the data file or, if that was not written, in the predictions.
    text : `str`
        The input as JSON, or the words of the sentence.
    gold : `str`
        The right answer: a label, the two ends of an edge, or a root.
    repetition : `int`
        How many items before it have the same line, text and gold.
    """

    line: int
    text: str
    gold: str
    repetition: int = 0

    def __str__(self) -> str:
        again = f", for the {self.repetition + 1}. time" if self.repetition else ""
        return f"line {self.line}, {self.text}, gold {self.gold}{again}"


class ScoredItem(NamedTuple):
    """`cluster` names what the item must be drawn together with, as a sentence."""

    key: ItemKey
    correct: bool
    cluster: str


class ScoredItems(NamedTuple):
    """All items of a split: a key of `MEASURES`, and the columns of the `ScoredItem`s."""

    kind: str
    keys: list[ItemKey]
    correct: np.ndarray
    clusters: list[str]


class SharedItems(NamedTuple):
    """
    The items that two runs share, by line, and the keys that only one of them has.
    """

    correct_a: np.ndarray
    correct_b: np.ndarray
    clusters: list[str]
    only_a: list[ItemKey]
    only_b: list[ItemKey]


def scored_items(run: RunFolder, split: str) -> ScoredItems:
    """The items of a split of a run, as its record says that they are scored."""
    declared = run.record.predictions
    if str(declared.get("kind")) not in MEASURES:
        raise ValueError(
            f"{run.path}: its predictions are not scored item by item: expected a probe_run, whose "
            "record says how."
        )
    name = f"{run.path}, {split} predictions"
    items = score_predictions(
        run.predictions(split), name, declared["kind"], str(declared.get("cluster", "line"))
    )
    expected = run.record.sizes.get(split, {}).get("items")
    if declared["kind"] in LABELLED and expected not in (None, len(items.keys)):
        raise ValueError(f"{name}: expected {expected} items, found {len(items.keys)}.")
    return items


def score_predictions(
    predictions: Iterable[dict[str, Any]], name: str, kind: str, cluster: str
) -> ScoredItems:
    """
    Scores the lines of a file of predictions.

    # Parameters

    predictions : `Iterable[dict[str, Any]]`
    name : `str`
        The name of the predictions in errors.
    kind : `str`
        `label`, `arcs`: `label` and `gold` are an item, unless `scored` is false. `tags`: the same of words whose
        task is judged by something else, as an F1 of entities.
        `edges`: `edges` and `gold_edges` are pairs of
        indices of words, an item for each gold edge, so that the share of right ones is the undirected
        unlabelled attachment score. `root`: `root` and `gold_root` are an item for the sentence, or
        none if it has no gold root.
    cluster : `str`
        The key by which items belong together, as those of a `sentence`.
    """
    seen: Counter[ItemKey] = Counter()
    items = []
    for number, prediction in enumerate(predictions, start=1):
        try:
            for item in _score(prediction, number, kind, cluster):
                key = item.key._replace(repetition=seen[item.key])
                seen[item.key] += 1
                items.append(item._replace(key=key))
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from error
    if not items:
        raise ValueError(f"{name}: there is no item to score.")
    keys, correct, clusters = zip(*items)
    return ScoredItems(kind, list(keys), np.array(correct, dtype=bool), list(clusters))


def share_items(a: ScoredItems, b: ScoredItems) -> SharedItems:
    """Puts the items of two runs side by side, whatever their order."""
    place_a = {key: place for place, key in enumerate(a.keys)}
    place_b = {key: place for place, key in enumerate(b.keys)}
    shared = sorted(place_a.keys() & place_b.keys())
    places_a = [place_a[key] for key in shared]
    places_b = [place_b[key] for key in shared]
    clusters = [a.clusters[place] for place in places_a]
    for key, here, place in zip(shared, clusters, places_b):
        if here != b.clusters[place]:
            raise ValueError(
                f"The runs do not agree of which sentence an item is ({key}): "
                f"{here} in A, {b.clusters[place]} in B."
            )
    return SharedItems(
        a.correct[places_a],
        b.correct[places_b],
        clusters,
        only_a=sorted(place_a.keys() - place_b.keys()),
        only_b=sorted(place_b.keys() - place_a.keys()),
    )


def _score(
    prediction: dict[str, Any], number: int, kind: str, cluster_key: str
) -> Iterator[ScoredItem]:
    if not prediction.keys() >= set(KEYS[kind]):
        raise ValueError(
            f"expected {' and '.join(KEYS[kind])}, found only {', '.join(prediction) or 'nothing'}."
        )
    line = prediction.get("line")
    if line is None:
        line = number
    if not isinstance(line, int):
        raise ValueError(f"expected the number of a line, found {line!r:.200}.")
    if not prediction.get("scored", True):
        return
    if kind in LABELLED:
        gold = prediction["gold"]
        if gold is None:
            raise ValueError("an item without a gold label cannot be scored.")
        text = _json(prediction.get("input", prediction.get("form")))
        cluster = line if cluster_key == "line" else prediction.get(cluster_key)
        if cluster is None:
            raise ValueError(f"expected {cluster_key}, the sentence of the item, found none.")
        yield ScoredItem(ItemKey(line, text, str(gold)), prediction["label"] == gold, str(cluster))
        return
    text = " ".join(map(str, prediction.get("forms") or ()))
    # Several files have the same lines.
    cluster = f"{prediction['file']}:{line}" if "file" in prediction else str(line)
    if kind == "edges":
        edges = set(_edges(prediction["edges"]))
        for edge in _edges(prediction["gold_edges"]):
            yield ScoredItem(ItemKey(line, text, "{}–{}".format(*edge)), edge in edges, cluster)
    elif prediction["gold_root"] is not None:
        root = prediction["gold_root"]
        yield ScoredItem(ItemKey(line, text, str(root)), prediction["root"] == root, cluster)


def _edges(pairs: Any) -> list[tuple[int, int]]:
    try:
        return [(min(i, j), max(i, j)) for i, j in pairs]
    except (TypeError, ValueError) as error:
        raise ValueError(f"expected edges as [[0, 1], …], found {_json(pairs)}.") from error


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
