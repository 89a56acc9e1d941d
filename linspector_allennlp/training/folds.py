"""
Folds: the items of a run divided into those that a probe trains on and those that it is tested on, several
times over. The ways to do it are in `fold_kinds`.
"""

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Optional

import numpy as np
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError


class Foldable(NamedTuple):
    """
    The items to divide, with all that a way to divide may look at.

    # Parameters

    labels : `Sequence[str]`
    groups : `Sequence[int]`
        A number that the variants of an item share.
    topics : `Sequence[Optional[str]]`
    texts : `Sequence[str]`
        Folds depend on the items and the seed, not on the order or the names of files.
    """

    labels: Sequence[str]
    groups: Sequence[int]
    topics: Sequence[Optional[str]]
    texts: Sequence[str]

    def order(self) -> np.ndarray:
        """The items in an order that depends on nothing but themselves."""
        keys = list(zip(self.groups, self.texts, self.labels, map(str, self.topics)))
        return np.array(sorted(range(len(keys)), key=keys.__getitem__))


class Fold(NamedTuple):
    """Numbers of items, sorted; `name` is that of what is tested, where it has one."""

    train: np.ndarray
    test: np.ndarray
    validation: Optional[np.ndarray] = None
    name: str = ""


class Folds(Registrable):
    """
    The base of the ways to divide items.

    # Parameters

    seed : `int`, optional
        By default that of the run. At one seed all probes of the same data have the same folds.
    validation_share : `float`, optional (default = `0.0`)
        So much of what a probe could train on is kept to choose its best epoch, whole groups of it.
        Without it the last epoch is taken, as in the study.
    """

    default_implementation = "k_fold"

    def __init__(self, seed: Optional[int] = None, validation_share: float = 0.0) -> None:
        if not 0 <= validation_share < 1:
            raise ConfigurationError(
                f"validation_share: expected from 0 to below 1, found {validation_share}."
            )
        self._seed = seed
        self._validation_share = validation_share

    def divide(self, items: Foldable, seed: int) -> list[Fold]:
        """The folds; `seed` is that of the run."""
        seed = self.seed_of(seed) % 2**32
        order = items.order()
        sorted_items = Foldable(*([column[i] for i in order] for column in items))  # type: ignore[arg-type]
        folds = []
        with warnings.catch_warnings():
            # scikit-learn says that a rare label is not in all folds. So it is.
            warnings.simplefilter("ignore", UserWarning)
            for number, (train, test, name) in enumerate(self._divide(sorted_items, seed)):
                _check(number, train, test, sorted_items)
                validation = None
                if self._validation_share:
                    train, validation = self._validation(train, sorted_items, seed)
                    _check(number, train, test, sorted_items)
                    validation = np.sort(order[validation])
                folds.append(Fold(np.sort(order[train]), np.sort(order[test]), validation, name))
        return folds

    def _divide(self, items: Foldable, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, str]]:
        raise NotImplementedError

    def settings(self) -> dict[str, Any]:
        """For the record of a run, but for the seed."""
        return {"validation_share": self._validation_share}

    def seed_of(self, seed: int) -> int:
        """The seed of the folds in a run with this one."""
        return seed if self._seed is None else self._seed

    def warnings(self) -> Iterator[str]:
        """Sentences about what is allowed but seldom meant."""
        yield from ()

    def _validation(
        self, train: np.ndarray, items: Foldable, seed: int
    ) -> tuple[np.ndarray, np.ndarray]:
        from sklearn.model_selection import GroupShuffleSplit

        groups = np.asarray(items.groups)[train]
        splitter = GroupShuffleSplit(1, test_size=self._validation_share, random_state=seed)
        try:
            kept, validation = next(splitter.split(train, groups=groups))
        except ValueError as error:
            raise ConfigurationError(
                f"folds: validation_share {self._validation_share} leaves nothing to train on: {error}"
            ) from error
        return train[kept], train[validation]


def _check(number: int, train: np.ndarray, test: np.ndarray, items: Foldable) -> None:
    """Refuses a fold that teaches or tests nothing."""
    labels = {items.labels[i] for i in train.tolist()}
    if len(test) == 0 or len(labels) < 2:
        ((_, largest),) = Counter(items.groups).most_common(1)
        found = "no item to test" if len(test) == 0 else f"one label to train on, {labels}"
        raise ConfigurationError(
            f"folds: fold {number} has {found}: the largest group of variants has {largest} of "
            f"{len(items.labels)} items, and a group is in one fold only. Take fewer folds, or look at "
            "the groups."
        )
