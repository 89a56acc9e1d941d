"""The ways to divide items into folds, by the names that a config has for them."""

from collections.abc import Iterator
from typing import Any, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.training.folds import Foldable, Folds

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
