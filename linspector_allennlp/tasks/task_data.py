"""The names of tasks, and the outcome of making one: its rows, or the reason why there is none."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources.schema import LANGUAGE_SPECIFIC, POS, dimensions

FEATURE_TASKS = [name for name in dimensions() if name not in (POS, LANGUAGE_SPECIFIC)]
TAG_COUNT = "TagCount"
CHARACTER_BIN = "CharacterBin"
ODD_FEATURE = "OddFeat"
SHARED_FEATURE = "SameFeat"
PSEUDOWORD_TASK = "Pseudo"

TOKEN_TASKS = [
    *(name for name in dimensions() if name != LANGUAGE_SPECIFIC), TAG_COUNT, CHARACTER_BIN,
]  # fmt: skip
PAIR_TASKS = [ODD_FEATURE, SHARED_FEATURE]


def checked_tasks(wanted: Optional[Iterable[str]], known: Iterable[str]) -> Optional[list[str]]:
    """The tasks that were asked for, as they are spelt; an unknown one is an error."""
    if wanted is None:
        return None
    wanted = [name for names in wanted for name in names.split(",") if name]
    spelling = {name.lower(): name for name in known}
    unknown = [name for name in wanted if name.lower() not in spelling]
    if unknown:
        raise ConfigurationError(
            f"--tasks: no {', '.join(unknown)}. There are {', '.join(spelling.values())}."
        )
    return list(dict.fromkeys(spelling[name.lower()] for name in wanted))


class TooLittleData(ValueError):
    """The resource does not have enough for this task; the message says what is missing."""


class TaskData(NamedTuple):
    """
    The rows of a task, ready to be written.

    # Parameters

    name : `str`
        The task's folder ("Case").
    kind : `str`
        The format of the rows, a key of `formats.COLUMNS`.
    splits : `dict[str, list[tuple[str, ...]]]`
        For "train", "dev" and "test" the rows in their order, as columns of text, label last.
    facts : `dict[str, Any]`
        For the manifest, JSON-able: counts, what was left out and why.
    notes : `list[str]`
        Remarks for the user, as sentences ("only 812 frequent forms, 5,600 wanted").
    """

    name: str
    kind: str
    splits: dict[str, list[tuple[str, ...]]]
    facts: dict[str, Any]
    notes: list[str]

    @property
    def label_counts(self) -> dict[str, int]:
        """The frequency of each label over all splits, sorted by label."""
        counts = Counter(row[-1] for rows in self.splits.values() for row in rows)
        return dict(sorted(counts.items()))

    def check_labels(self) -> None:
        """Raises `TooLittleData` if a split would have one label: it would teach or test nothing."""
        for split, rows in self.splits.items():
            labels = {row[-1] for row in rows}
            if len(labels) < 2:
                total = sum(map(len, self.splits.values()))
                raise TooLittleData(
                    f"of {total:,} items in all, those of {split} ({len(rows):,}) would all be "
                    f"{labels.pop()!r}"
                )
