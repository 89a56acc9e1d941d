"""What a suite leaves out of its grids, by descriptions of runs."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from linspector_allennlp.suite.grid_values import check_keys
from linspector_allennlp.suite.planned_run import COLUMNS


class Skipped:
    """
    The runs that a suite leaves out.

    # Parameters

    descriptions : `Sequence[Mapping[str, Any]]`
        Each by columns of the table, what the run is, or a list of what it may be; text may be a pattern.
    """

    def __init__(self, descriptions: Sequence[Mapping[str, Any]]) -> None:
        for description in descriptions:
            check_keys("skip", description, COLUMNS)
        self._unseen = list(descriptions)
        self._descriptions = list(descriptions)

    def has(self, columns: Mapping[str, Any]) -> bool:
        """Whether a run is one of those."""
        fitting = [each for each in self._descriptions if _fits(columns, each)]
        self._unseen = [each for each in self._unseen if each not in fitting]
        return bool(fitting)

    def unseen(self) -> list[str]:
        """The descriptions that no run has fitted, as sentences."""
        return [f"skip: no run is {_described(each)}." for each in self._unseen]


def _fits(columns: Mapping[str, Any], description: Mapping[str, Any]) -> bool:
    for key, wanted in description.items():
        several = wanted if isinstance(wanted, list) else [wanted]
        if not any(_is_such(columns[key], each) for each in several):
            return False
    return True


def _is_such(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) and isinstance(value, str):
        return fnmatchcase(value, wanted)
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        return all(key in value and value[key] == each for key, each in wanted.items())
    return value == wanted


def _described(description: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in description.items())
