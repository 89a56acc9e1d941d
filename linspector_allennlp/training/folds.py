"""
Folds: the ways to divide the items of a run into those that a probe trains on and those that it is tested
on, several times over. scikit-learn divides; here its ways are named, seeded and checked.
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
        kept, validation = next(splitter.split(train, groups=groups))
        return train[kept], train[validation]


ROW_LEVEL = (
    "folds: grouped is false, so that variants of one sentence are in training and test data; encoders that "
    "do not see their order then score below chance on tasks of word order"
)


@Folds.register("k_fold")
class KFold(Folds):
    """
    k parts, each tested once by a probe that was trained on the others.

    Registered as `Folds` with name "k_fold".

    # Parameters

    k : `int`, optional (default = `5`)
    grouped : `bool`, optional (default = `True`)
        Whether the variants of a sentence stay together. Without it, rows are divided, as in the thesis.
    stratified : `bool`, optional (default = `True`)
        Whether labels are as frequent in each part as in all, as far as groups allow.

    The others: see `Folds`.
    """

    def __init__(
        self,
        k: int = 5,
        grouped: bool = True,
        stratified: bool = True,
        seed: Optional[int] = None,
        validation_share: float = 0.0,
    ) -> None:
        super().__init__(seed=seed, validation_share=validation_share)
        if k < 2:
            raise ConfigurationError(f"folds: expected k of at least 2, found {k}.")
        self._k = k
        self._grouped = grouped
        self._stratified = stratified

    def _divide(self, items: Foldable, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, str]]:
        from sklearn import model_selection

        number = len(set(items.groups)) if self._grouped else len(items.labels)
        if number < self._k:
            what = "groups of variants" if self._grouped else "items"
            raise ConfigurationError(
                f"folds: {self._k} folds need at least as many {what}, found {number} in "
                f"{len(items.labels)} items. Take a smaller k."
            )
        names = {
            (True, True): "StratifiedGroupKFold",
            (True, False): "GroupKFold",
            (False, True): "StratifiedKFold",
            (False, False): "KFold",
        }
        kind = getattr(model_selection, names[self._grouped, self._stratified])
        splitter = kind(self._k, shuffle=True, random_state=seed)
        rows = np.arange(len(items.labels))
        try:
            for train, test in splitter.split(rows, items.labels, groups=items.groups):
                yield train, test, ""
        except ValueError as error:
            raise ConfigurationError(
                f"folds: {error} Take a smaller k, or `stratified: false`."
            ) from error

    def settings(self) -> dict[str, Any]:
        return {
            "type": "k_fold",
            "k": self._k,
            "grouped": self._grouped,
            "stratified": self._stratified,
            **super().settings(),
        }

    def warnings(self) -> Iterator[str]:
        if not self._grouped:
            yield ROW_LEVEL


@Folds.register("random_subsets")
class RandomSubsets(Folds):
    """
    Several divisions into training and test data, drawn one after the other: the study's random subset
    evaluation. At one seed they are the same for all probes of the same data.

    Registered as `Folds` with name "random_subsets".

    # Parameters

    repetitions : `int`, optional (default = `3`)
    test_share : `float`, optional (default = `0.2`)
    grouped : `bool`, optional (default = `True`)

    The others: see `Folds`.
    """

    def __init__(
        self,
        repetitions: int = 3,
        test_share: float = 0.2,
        grouped: bool = True,
        seed: Optional[int] = None,
        validation_share: float = 0.0,
    ) -> None:
        super().__init__(seed=seed, validation_share=validation_share)
        if repetitions < 1 or not 0 < test_share < 1:
            raise ConfigurationError(
                "folds: expected at least 1 of repetitions and a test_share between 0 and 1, found "
                f"{repetitions} and {test_share}."
            )
        self._repetitions = repetitions
        self._test_share = test_share
        self._grouped = grouped

    def _divide(self, items: Foldable, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, str]]:
        from sklearn.model_selection import GroupShuffleSplit

        groups = items.groups if self._grouped else range(len(items.labels))
        splitter = GroupShuffleSplit(
            self._repetitions, test_size=self._test_share, random_state=seed
        )
        try:
            for train, test in splitter.split(items.labels, groups=np.asarray(groups)):
                yield train, test, ""
        except ValueError as error:
            raise ConfigurationError(f"folds: {error}") from error

    def settings(self) -> dict[str, Any]:
        return {
            "type": "random_subsets",
            "repetitions": self._repetitions,
            "test_share": self._test_share,
            "grouped": self._grouped,
            **super().settings(),
        }

    def warnings(self) -> Iterator[str]:
        if not self._grouped:
            yield ROW_LEVEL


@Folds.register("leave_one_group_out")
class LeaveOneGroupOut(Folds):
    """
    Each topic tested once by a probe that was trained on the others.

    Registered as `Folds` with name "leave_one_group_out". Parameters: see `Folds`.
    """

    def _divide(self, items: Foldable, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, str]]:
        if None in items.topics:
            raise ConfigurationError(
                "folds: leave_one_group_out leaves a topic out, and the items have none: say "
                '`topic: "group"` (or "encode") in the dataset_reader, of files with that column.'
            )
        topics = np.asarray(items.topics)
        names = np.unique(topics)
        if len(names) < 2:
            raise ConfigurationError(
                f"folds: leave_one_group_out needs two topics or more, found {', '.join(names)}."
            )
        for name in names.tolist():
            yield np.flatnonzero(topics != name), np.flatnonzero(topics == name), name

    def settings(self) -> dict[str, Any]:
        return {"type": "leave_one_group_out", **super().settings()}


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
