"""The seconds that a run takes, by phase."""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Optional

COMMANDS = ("allennlp", "linspector", "linspector.py", "allennlp/__main__.py")

_told = False


class Phases:
    """The seconds of each phase so far; a phase may come more than once."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        start = _seconds_since_start()
        if start is not None:
            self.seconds["start"] = start

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - began

    def add(self, seconds: Mapping[str, float]) -> None:
        """Those of an earlier process with the same run."""
        for name, number in seconds.items():
            self.seconds[name] = self.seconds.get(name, 0.0) + number

    def rounded(self) -> dict[str, float]:
        return {name: round(seconds, 3) for name, seconds in self.seconds.items()}


def _seconds_since_start() -> Optional[float]:
    """
    The age of a process that was started for a run when this begins, imports and all; later runs in it
    have no start, nor has one in a notebook.
    """
    global _told
    if _told or not sys.argv[0].endswith(COMMANDS):
        return None
    _told = True
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
            # After the name of the program, which may have spaces, the 20th is the start in ticks.
            ticks = int(file.read().rpartition(")")[2].split()[19])
        uptime = time.clock_gettime(time.CLOCK_BOOTTIME)
    except (OSError, AttributeError, ValueError, IndexError):
        return None
    return uptime - ticks / os.sysconf("SC_CLK_TCK")
