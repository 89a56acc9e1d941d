"""The candidate pairs of a paired task, and how the task is drawn from them."""

import numpy as np

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.tasks.draw_items import draw_frequent_labels
from linspector_allennlp.tasks.feature_values import NO_LABEL, PairLabels
from linspector_allennlp.tasks.sampling import chance, draw_keys, drawn, pair_hashes
from linspector_allennlp.tasks.splits import cut, split_sizes
from linspector_allennlp.tasks.task_data import TaskData, TooLittleData
from linspector_allennlp.tasks.word_forms import TypeLevelSettings, WordForms

# More candidates of a label than this many times the task are never needed.
ENOUGH = 4
READINGS_AT_ONCE = 1_000_000


class PairPool:
    """
    The pairs that may be drawn, each once: a pair that would have another label in another reading
    of its forms is left out. `labels` tells the label of two rows.
    """

    def __init__(
        self, name: str, words: WordForms, labels: PairLabels, settings: TypeLevelSettings
    ) -> None:
        self._name, self._words, self._settings = name, words, settings
        self._of_rows, self._labels = labels.of_rows, labels.names
        self._pair = np.empty(0, dtype=np.int64)
        self._label = np.empty(0, dtype=np.int64)
        self._split = np.empty(0, dtype=np.int8)
        self._forms = len(words.unimorph.forms)
        self._sizes = split_sizes(settings.size)
        self._ambiguous = np.empty(0, dtype=np.int64)
        self._split_of_row = words.split_of_rows(settings)

    def count(self, label: str) -> int:
        """The number of pairs that have this label."""
        return int((self._label == self._labels.index(label)).sum())

    def even_number(self) -> float:
        """The number of pairs that an even task takes of a label that has enough."""
        sizes = (self._settings.size,) if self._split_of_row is None else self._sizes
        in_split = np.bincount(self._split, minlength=len(sizes))
        if any(number < size for number, size in zip(in_split, sizes)):
            return float("inf")
        return max(equal_shares(np.bincount(self._label).tolist(), self._settings.size))

    def add(self, label: str, first: np.ndarray, second: np.ndarray) -> None:
        """Adds those pairs of rows that have this label."""
        unimorph = self._words.unimorph
        number = self._labels.index(label)
        has_label = self._of_rows(first, second) == number
        first, second = first[has_label], second[has_label]
        one, other = unimorph.form_of[first], unimorph.form_of[second]
        keep = self._words.may_be_paired(first, second)
        split = np.zeros(len(one), dtype=np.int8)
        if self._split_of_row is not None:
            split = self._split_of_row[first]
            keep &= (split >= 0) & (split == self._split_of_row[second])
        low, high = np.minimum(one, other)[keep], np.maximum(one, other)[keep]
        pair, index = np.unique(low.astype(np.int64) * self._forms + high, return_index=True)
        split = split[keep][index]
        some = self._kept(pair, number)
        self._pair = np.concatenate([self._pair, pair[some]])
        self._label = np.concatenate([self._label, np.full(len(some), number)])
        _, index = np.unique(self._pair * len(self._labels) + self._label, return_index=True)
        self._pair, self._label = self._pair[index], self._label[index]
        self._split = np.concatenate([self._split, split[some]])[index]

    def _kept(self, pair: np.ndarray, number: int) -> np.ndarray:
        """Which of these pairs, all of one label, may be drawn."""
        some = np.flatnonzero(self._kept_with_rare_forms(pair))
        keys = draw_keys(self._pair_hashes(pair), self._settings.seed, f"{self._name} draw")
        some = drawn(some, keys, min(len(some), ENOUGH * self._settings.size))
        another = self._may_be_another(pair[some], number)
        self._ambiguous = np.union1d(self._ambiguous, pair[some[another]])
        return some[~another]

    def _may_be_another(self, pair: np.ndarray, label: int) -> np.ndarray:
        """Which pairs have another label in some reading of their two forms."""
        one, other = np.divmod(pair, self._forms)
        starts = self._words.unimorph.form_starts
        lengths = np.diff(starts, append=len(self._words.unimorph.form_of))
        readings = lengths[one] * lengths[other]
        another = np.zeros(len(pair), dtype=bool)
        parts = 1 + int(readings.sum()) // READINGS_AT_ONCE
        for part in np.array_split(np.arange(len(pair)), parts):
            which = np.repeat(part, readings[part])
            number = np.arange(len(which)) - np.repeat(
                np.cumsum(readings[part]) - readings[part], readings[part]
            )
            first = starts[one[which]] + number // lengths[other[which]]
            second = starts[other[which]] + number % lengths[other[which]]
            labels = self._of_rows(first, second)
            another[which[(labels != label) & (labels != NO_LABEL)]] = True
        return another

    def task(self) -> TaskData:
        """The drawn task."""
        parts = self._draw()
        available = self._label_counts(self._label)
        counts = self._label_counts(self._label[np.concatenate(parts)])
        facts = {
            "candidate_pairs": available,
            "pairs_with_two_labels": len(self._ambiguous),
            "left_out_labels": {name: n for name, n in available.items() if name not in counts},
        }
        splits = {name: self._rows(part) for name, part in zip(SPLITS, parts)}
        return TaskData(self._name, "paired_forms", splits, facts, _notes(counts))

    def _label_counts(self, labels: np.ndarray) -> dict[str, int]:
        counts = np.bincount(labels, minlength=len(self._labels)).tolist()
        return {label: n for label, n in sorted(zip(self._labels, counts)) if n}

    def _kept_with_rare_forms(self, pair: np.ndarray) -> np.ndarray:
        frequent = self._words.frequent
        if frequent is None:
            return np.ones(len(pair), dtype=bool)
        one, other = np.divmod(pair, self._forms)
        keys = draw_keys(self._pair_hashes(pair), self._settings.seed, f"{self._name} rare")
        return (frequent[one] & frequent[other]) | chance(keys, self._settings.rare_pair_ratio)

    def _pair_hashes(self, pair: np.ndarray) -> np.ndarray:
        one, other = np.divmod(pair, self._forms)
        return pair_hashes(self._words.hashes[one], self._words.hashes[other])

    def _item_hashes(self) -> np.ndarray:
        return self._pair_hashes(self._pair)

    def _draw(self) -> list[np.ndarray]:
        """Positions in the pool for each split, in the order in which they are written."""
        if len(self._pair) < self._settings.size:
            raise TooLittleData(f"{len(self._pair):,} pairs, {self._settings.size:,} needed")
        hashes = self._item_hashes()
        keys = draw_keys(hashes, self._settings.seed, f"{self._name} draw")
        order = draw_keys(hashes, self._settings.seed, f"{self._name} order")

        def draw(allowed: np.ndarray) -> list[np.ndarray]:
            if self._split_of_row is None:
                chosen = self._balanced(allowed, keys, self._settings.size, "")
                return cut(chosen[np.argsort(order[chosen], kind="stable")], self._sizes)
            parts = []
            for number, size in enumerate(self._sizes):
                here = allowed[self._split[allowed] == number]
                part = self._balanced(here, keys, size, f" in {SPLITS[number]}")
                parts.append(part[np.argsort(order[part], kind="stable")])
            return parts

        return draw_frequent_labels(self._label, self._settings.min_label_count, draw)

    def _balanced(
        self, candidates: np.ndarray, keys: np.ndarray, size: int, where: str
    ) -> np.ndarray:
        if len(candidates) < size:
            raise TooLittleData(f"{len(candidates):,} pairs{where}, {size:,} needed")
        by_label = [candidates[self._label[candidates] == n] for n in range(len(self._labels))]
        shares = equal_shares([len(some) for some in by_label], size)
        return np.concatenate([drawn(some, keys, n) for some, n in zip(by_label, shares)])

    def _rows(self, part: np.ndarray) -> list[tuple[str, ...]]:
        """Which form comes first is chance as well: the one with the smaller key."""
        forms = self._words.unimorph.forms
        keys = draw_keys(self._words.hashes, self._settings.seed, f"{self._name} first")
        one, other = self._pair[part] // self._forms, self._pair[part] % self._forms
        swap = keys[one] > keys[other]
        first, second = np.where(swap, other, one), np.where(swap, one, other)
        return [
            (forms[i], forms[j], self._labels[number])
            for i, j, number in zip(first.tolist(), second.tolist(), self._label[part].tolist())
        ]


def _notes(counts: dict[str, int]) -> list[str]:
    """Labels with less than half of an equal share."""
    few = [label for label, n in counts.items() if 2 * n * len(counts) < sum(counts.values())]
    listed = ", ".join(f"{label} {counts[label]:,}" for label in few)
    return [f"few pairs to be had of {listed}"] if few else []


def equal_shares(available: list[int], size: int) -> list[int]:
    """
    The numbers to take of each label, `size` together: those with more than an equal share are cut to
    the same number, those with less stay whole, so the rest is shared again.
    """
    shares = [0] * len(available)
    left = size
    by_number = sorted(range(len(available)), key=lambda index: (available[index], index))
    for position, index in enumerate(by_number):
        # What does not divide goes to the labels that have the most.
        shares[index] = min(available[index], left // (len(available) - position))
        left -= shares[index]
    return shares
