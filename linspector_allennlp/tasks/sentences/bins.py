"""Bins of numbers as labels: `1-4`, `5-8`, `56+`."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

BIN = re.compile(r"(\d+)(?:-(\d+)|(\+))?")


class NumberBin(NamedTuple):
    """The numbers from `first` to `last`, or all from `first` on."""

    first: int
    last: Optional[int]

    @property
    def label(self) -> str:
        if self.last is None:
            return f"{self.first}+"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


class Bins:
    """
    # Parameters

    text : `str`
        As `1-4, 5-8, 9+`: bins that ascend, none of them overlapping. There may be gaps.
    setting : `str`, optional
        For an error: what is set by it.
    """

    def __init__(self, text: str, setting: str = "bins") -> None:
        self.bins = [_bin(part.strip(), text, setting) for part in text.split(",")]
        for one, other in zip(self.bins, self.bins[1:]):
            if one.last is None or one.last >= other.first:
                raise ConfigurationError(
                    f"{setting}: expected bins that ascend, found {one.label} before {other.label}."
                )

    @property
    def labels(self) -> list[str]:
        return [each.label for each in self.bins]

    def label(self, number: int) -> Optional[str]:
        """The label of a number, if there is a bin for it."""
        for each in self.bins:
            if each.first <= number and (each.last is None or number <= each.last):
                return each.label
        return None


def chosen_bins(
    settings: Mapping[str, Any], setting: str, named: Mapping[str, str], default: str
) -> Bins:
    """The bins of a setting: some that have a name, or any others."""
    chosen = str(settings.get(setting) or default)
    try:
        return Bins(named.get(chosen, chosen), setting)
    except ConfigurationError as error:
        raise ConfigurationError(f"{error} (Or one of {', '.join(named)}.)") from error


def _bin(part: str, text: str, setting: str) -> NumberBin:
    match = BIN.fullmatch(part)
    if not match:
        raise ConfigurationError(
            f"{setting}: expected bins as 1-4,5-8,9+, found {part!r} in {text!r}."
        )
    first = int(match[1])
    last = None if match[3] else int(match[2] or first)
    if last is not None and last < first:
        raise ConfigurationError(f"{setting}: the bin {part} is upside down.")
    return NumberBin(first, last)
