"""Which items a run has right, whatever kind of probe it is, so that two runs can be compared."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy

# The kinds of predictions, and what the share of right items is called.
MEASURES = {"label": "accuracy", "tree": "UUAS", "root": "root accuracy"}


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
    correct: numpy.ndarray
    clusters: list[str]


class SharedItems(NamedTuple):
    """
    The items that two runs share, by line, and the keys that only one of them has.
    """

    correct_a: numpy.ndarray
    correct_b: numpy.ndarray
    clusters: list[str]
    only_a: list[ItemKey]
    only_b: list[ItemKey]


def score_predictions(predictions: Iterable[dict[str, Any]], name: str) -> ScoredItems:
    """
    Scores the lines of a file of predictions, which are all of one kind:

    - `label` and `gold`: an item, of the sentence that it names (see `_sentence`);
    - `edges` and `gold_edges`, pairs of word indices: an item for each gold edge, so that the
      share of right ones is the undirected unlabelled attachment score;
    - `root` and `gold_root`: an item for the sentence, or none if it has no gold root.

    # Parameters

    predictions : `Iterable[dict[str, Any]]`
    name : `str`
        What the predictions are called in errors.
    """
    kinds: set[str] = set()
    seen: Counter[ItemKey] = Counter()
    items = []
    for number, prediction in enumerate(predictions, start=1):
        try:
            kinds.add(_kind(prediction))
            if len(kinds) > 1:
                raise ValueError(f"expected one kind of predictions, found {sorted(kinds)}.")
            for item in _score(prediction, number):
                key = item.key._replace(repetition=seen[item.key])
                seen[item.key] += 1
                items.append(item._replace(key=key))
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from error
    if not items:
        raise ValueError(f"{name}: there is no item to score.")
    keys, correct, clusters = zip(*items)
    return ScoredItems(kinds.pop(), list(keys), numpy.array(correct, dtype=bool), list(clusters))


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


def _kind(prediction: dict[str, Any]) -> str:
    if {"edges", "gold_edges"} <= prediction.keys():
        return "tree"
    if {"root", "gold_root"} <= prediction.keys():
        return "root"
    if {"label", "gold"} <= prediction.keys():
        return "label"
    raise ValueError(
        "expected a label and gold, edges and gold_edges, or root and gold_root, "
        f"found only {', '.join(prediction) or 'nothing'}."
    )


def _score(prediction: dict[str, Any], number: int) -> Iterator[ScoredItem]:
    line = prediction.get("line")
    if line is None:
        line = number
    if not isinstance(line, int):
        raise ValueError(f"expected the number of a line, found {line!r}.")
    kind = _kind(prediction)
    if kind == "label":
        gold = prediction["gold"]
        if gold is None:
            raise ValueError("an item without a gold label cannot be scored.")
        text = _json(prediction.get("input", prediction.get("word")))
        cluster = _json(_sentence(prediction, line))
        yield ScoredItem(ItemKey(line, text, str(gold)), prediction["label"] == gold, cluster)
        return
    text = " ".join(map(str, prediction.get("words") or ()))
    if kind == "tree":
        edges = set(_edges(prediction["edges"]))
        for edge in _edges(prediction["gold_edges"]):
            yield ScoredItem(ItemKey(line, text, "{}–{}".format(*edge)), edge in edges, str(line))
    elif prediction["gold_root"] is not None:
        root = prediction["gold_root"]
        yield ScoredItem(ItemKey(line, text, str(root)), prediction["root"] == root, str(line))


def _sentence(prediction: dict[str, Any], line: int) -> Any:
    """
    The line of the item's sentence, or the sentence itself where the input is a word in it (the
    lines of `token_in_context` data do not say which of them have the same one), or its own line.
    """
    if prediction.get("sentence") is not None:
        return prediction["sentence"]
    given = prediction.get("input")
    if isinstance(given, dict) and {"sentence", "index"} <= given.keys():
        return given["sentence"]
    return line


def _edges(pairs: Any) -> list[tuple[int, int]]:
    try:
        return [(min(i, j), max(i, j)) for i, j in pairs]
    except (TypeError, ValueError) as error:
        raise ValueError(f"expected edges as [[0, 1], …], found {_json(pairs)}.") from error


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
