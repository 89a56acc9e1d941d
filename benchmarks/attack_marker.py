"""
A process that is killed at a chosen one of its own changes of files, and says before which file it was writing:
half-written files are found far more often than by the clock.
"""

import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Optional

MARKER = "killed.json"

# Python tells of these before it does them.
CHANGES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate")

LONGEST = 0.05  # seconds until a file that is being opened is open

_WRITES = os.O_WRONLY | os.O_RDWR


WRITES = ("open", "os.rename")


class Moment(NamedTuple):
    """
    Before the change of this number, of all or of those in which a file is written; where one is opened, as
    soon as it is open, and so many seconds later.
    """

    number: int
    is_write: bool
    seconds: float


class Marker:
    """The changes of files below a folder, counted over a process and all that it forks."""

    def __init__(self, place: Path) -> None:
        self._place = str(place)
        self._counts = mmap.mmap(-1, 16)

    @property
    def counts(self) -> tuple[int, int]:
        """How many changes there were, and how many of them in which a file is written."""
        changes, writes = struct.unpack("qq", self._counts[:])
        return changes, writes

    def watch(self, moment: Optional[Moment]) -> None:
        """From now on this process counts, and has its group killed at a moment. It cannot be undone."""

        def hook(event: str, arguments: tuple) -> None:
            if event in CHANGES and self._is_change(event, arguments):
                changes, writes = self.counts
                is_write = event in WRITES
                self._counts[:] = struct.pack("qq", changes + 1, writes + is_write)
                number = writes if moment is not None and moment.is_write else changes
                if moment is None or number != moment.number or moment.is_write > is_write:
                    return
                work = (event, arguments[0], moment.seconds)
                if event == "open":
                    sys.setswitchinterval(1e-5)  # that the other thread gets its turn in time
                    threading.Thread(target=self._kill, args=work, daemon=True).start()
                else:
                    self._kill(*work)

        sys.addaudithook(hook)

    def _is_change(self, event: str, arguments: tuple) -> bool:
        path = arguments[0]
        if event == "open" and not (arguments[2] or 0) & _WRITES:
            return False
        return is_of_results(path, self._place)

    def _kill(self, event: str, path: object, seconds: float) -> None:
        until = time.monotonic() + LONGEST if event == "open" else 0
        writing = open_for_writing(Path("/proc/self/fd"), self._place)
        while not writing and time.monotonic() < until:
            writing = open_for_writing(Path("/proc/self/fd"), self._place)
        if event == "open" and seconds:
            time.sleep(seconds)
            writing = open_for_writing(Path("/proc/self/fd"), self._place)
        if event == "os.rename":  # it is written, and not yet what it is to be
            writing.append(str(path))
        with open(f"{self._place}/{MARKER}", "w") as file:
            json.dump({"event": event, "path": str(path), "writing": writing}, file)
        os.killpg(os.getpgid(0), signal.SIGKILL)


def is_of_results(path: object, place: str) -> bool:
    """Whether a path is below a folder, and neither a log nor a lock, which are written in another way."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return False
    name = os.fsdecode(path)
    return name.startswith(f"{place}/") and not name.endswith((".log", ".lock", "/log", MARKER))


def open_for_writing(descriptors: Path, place: str) -> list[str]:
    """The files that a process, here by its folder in /proc, has open for writing."""
    found = []
    for opened in descriptors.glob("*"):
        with suppress(OSError):
            target = os.readlink(opened)
            info = (opened.parents[1] / "fdinfo" / opened.name).read_text()
            flags = int(info.split("flags:")[1].split()[0], 8)
            if flags & _WRITES and is_of_results(target, place):
                found.append(target)
    return found
