"""The geometry of a sentence's vectors, beside that of its dependency tree."""

from typing import Any, ClassVar, Optional

import numpy as np
import torch

from linspector_allennlp.metrics.sentence_scores import Shares
from linspector_allennlp.metrics.tree_shares import depth_shares, distance_shares, edge_shares
from linspector_allennlp.modules.padding import padded
from linspector_allennlp.modules.projection import squared_distances
from linspector_allennlp.run_folders.run_record import Column
from linspector_allennlp.trees import ROOT, Edges, spanning_trees, tree_edges

Arrays = dict[str, np.ndarray]

SMALLEST_SQUARE = 1e-12
"""The slope of a root is infinite at 0."""

UNKNOWN_WORDS = Column("unknown words", "oov_test")


class Geometry:
    """A quantity of words or pairs of words that vectors and trees both have."""

    name: ClassVar[str]
    """The field of an instance that has it, and the key of an output."""

    of_pairs: ClassVar[bool]
    """Whether it is one of pairs of words, (batch, n, n)."""

    main_metric: ClassVar[str]
    prediction_kind: ClassVar[str]
    by_length: ClassVar[tuple[str, ...]]
    """The metrics that are averaged by sentence length."""
    columns: ClassVar[tuple[Column, ...]]
    baseline_metrics: ClassVar[tuple[str, ...]]

    def of(self, vectors: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """
        That of projected vectors; anything where there is no word.
        Shape: (num_words, rank), (batch, n) → (batch, n) or (batch, n, n)
        """
        raise NotImplementedError

    def shares(self, answers: np.ndarray, gold: Arrays) -> Shares:
        """How far answers agree with trees; `gold` has `name`, `heads`, `mask` and `kept`."""
        raise NotImplementedError

    def positions(self, mask: np.ndarray) -> dict[str, np.ndarray]:
        """Answers that know nothing but the order of the words, by a name of each: the baselines."""
        raise NotImplementedError

    def describe(
        self, answers: np.ndarray, mask: np.ndarray, kept: np.ndarray, gold: Optional[Arrays]
    ) -> list[dict[str, Any]]:
        """A record for each sentence: the answer, and the gold tree where there is one."""
        raise NotImplementedError


class TreeDistances(Geometry):
    """
    The distance ‖B(h − h′)‖ of two words, and the number of edges between them.

    # Parameters

    squared : `bool`
        Whether the distance is squared.
    """

    name = "distances"
    of_pairs = True
    main_metric = "uuas"
    prediction_kind = "edges"
    by_length = ("dspr", "dspr_pfw")
    baseline_metrics = ("baseline_adjacent_uuas",)
    columns = (
        Column("test UUAS", "test_uuas"),
        Column("95 % interval", "test_uuas", "interval"),
        Column("adjacent", "baseline_adjacent_uuas"),
        Column("DSpr", "test_dspr", "number"),
        Column("adjacent DSpr", "baseline_adjacent_dspr", "number"),
        Column("DSpr (P+FW)", "test_dspr_pfw", "number"),
        UNKNOWN_WORDS,
    )

    def __init__(self, squared: bool) -> None:
        self._squared = squared

    def of(self, vectors: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        squares = squared_distances(padded(vectors, mask))
        return squares if self._squared else squares.clamp(min=SMALLEST_SQUARE).sqrt()

    def shares(self, answers: np.ndarray, gold: Arrays) -> Shares:
        return {
            **edge_shares(answers, gold["heads"], gold["kept"]),
            **distance_shares(answers, gold["distances"], gold["mask"]),
        }

    def positions(self, mask: np.ndarray) -> dict[str, np.ndarray]:
        """The tree in which every word hangs on the next."""
        places = np.arange(mask.shape[1])
        distances = np.abs(places[:, None] - places)
        return {"adjacent": np.broadcast_to(distances, (*mask.shape, mask.shape[1]))}

    def describe(
        self, answers: np.ndarray, mask: np.ndarray, kept: np.ndarray, gold: Optional[Arrays]
    ) -> list[dict[str, Any]]:
        found = _listed(spanning_trees(answers, kept), len(mask))
        records = []
        for number, length in enumerate(mask.sum(axis=1).tolist()):
            square = number, slice(length), slice(length)
            distances = answers[square].astype(float).round(4)
            records.append({"edges": found[number], "distances": distances.tolist()})
            records[-1]["scored"] = kept[number, :length].tolist()
            if gold is not None:
                records[-1]["gold_distances"] = gold["distances"][square].tolist()
        if gold is not None:
            listed = _listed(tree_edges(gold["heads"], gold["kept"]), len(mask))
            for record, edges in zip(records, listed):
                record["gold_edges"] = edges
        return records


class TreeDepths(Geometry):
    """The squared norm ‖B·h‖² of a word, and the number of edges between it and the root."""

    name = "depths"
    of_pairs = False
    main_metric = "root_accuracy"
    prediction_kind = "root"
    by_length = ("nspr",)
    baseline_metrics = ("baseline_first_root_accuracy", "baseline_last_root_accuracy")
    columns = (
        Column("test root accuracy", "test_root_accuracy"),
        Column("95 % interval", "test_root_accuracy", "interval"),
        Column("first word", "baseline_first_root_accuracy"),
        Column("last word", "baseline_last_root_accuracy"),
        Column("NSpr", "test_nspr", "number"),
        Column("first NSpr", "baseline_first_nspr", "number"),
        Column("last NSpr", "baseline_last_nspr", "number"),
        UNKNOWN_WORDS,
    )

    def of(self, vectors: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return padded(vectors.square().sum(dim=1), mask)

    def shares(self, answers: np.ndarray, gold: Arrays) -> Shares:
        return depth_shares(answers, gold["depths"], gold["heads"], gold["mask"], gold["kept"])

    def positions(self, mask: np.ndarray) -> dict[str, np.ndarray]:
        """The first word is the root, and every word is deeper than the one before; or the last."""
        places = np.broadcast_to(np.arange(mask.shape[1]), mask.shape)
        return {"first": places, "last": -places}

    def describe(
        self, answers: np.ndarray, mask: np.ndarray, kept: np.ndarray, gold: Optional[Arrays]
    ) -> list[dict[str, Any]]:
        records: list[dict[str, Any]] = []
        for number, length in enumerate(mask.sum(axis=1).tolist()):
            candidates = np.where(kept[number, :length], answers[number, :length], np.inf)
            root = int(candidates.argmin()) if kept[number].any() else None
            depths = answers[number, :length].astype(float).round(4).tolist()
            scored = kept[number, :length].tolist()
            records.append({"root": root, "depths": depths, "scored": scored})
            if gold is not None:
                heads = gold["heads"][number, :length].tolist()
                records[-1]["gold_root"] = heads.index(ROOT)
                records[-1]["gold_depths"] = gold["depths"][number, :length].tolist()
                records[-1]["correct"] = root == heads.index(ROOT)
        return records


def _listed(edges: Edges, num_sentences: int) -> list[list[list[int]]]:
    """The edges of each sentence, as pairs of indices."""
    lists: list[list[list[int]]] = [[] for _ in range(num_sentences)]
    for sentence, first, second in zip(*(part.tolist() for part in edges)):
        lists[sentence].append([first, second])
    return [sorted(each) for each in lists]
