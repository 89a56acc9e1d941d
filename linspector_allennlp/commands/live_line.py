"""How far a study is, on the terminal while it is trained."""

import os
import shutil
import sys
from typing import Optional, TextIO

from linspector_allennlp.io.visible import visible
from linspector_allennlp.suite.study_progress import StudyProgress

PLAIN_LINES = 20
"""About so many where there is no terminal; and one for each run that failed."""


class LiveLine:
    """
    One line that changes, or a few plain ones where there is no terminal. When nobody reads them any longer, as
    after `2>&1 | head`, nothing more is said, and the study goes on.

    # Parameters

    file : `TextIO`, optional (default = standard error)
    """

    def __init__(self, file: Optional[TextIO] = None) -> None:
        self._file = file or sys.stderr
        self._is_terminal = self._file.isatty()
        self._shown_part = -1
        self._shown_failures = 0

    def __call__(self, progress: StudyProgress) -> None:
        for name in progress.failed[self._shown_failures :]:
            self._print(f"failed: {name}")
        self._shown_failures = len(progress.failed)
        if self._is_terminal:
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r\x1b[K{visible(line(progress))[:width]}")
            return
        ended = progress.done + len(progress.failed)
        part = PLAIN_LINES * ended // max(1, progress.total)
        if part > self._shown_part and progress.now:
            self._shown_part = part
            self._print(line(progress))

    def end(self) -> None:
        if self._is_terminal:
            self._write("\r\x1b[K")

    def _print(self, text: str) -> None:
        start = "\r\x1b[K" if self._is_terminal else ""
        self._write(f"{start}{visible(text)}\n")

    def _write(self, text: str) -> None:
        try:
            print(text, end="", file=self._file, flush=True)
        except BrokenPipeError:
            # What is left in the buffer of the old one would be tried again at the end.
            self._file = open(os.devnull, "w")
            self._is_terminal = False


def line(progress: StudyProgress) -> str:
    """As `12 done, 1 failed, 16 running, 103 left; 2:10 to go; now Case-finnish and 15 more`."""
    counts = [
        f"{progress.done} done",
        *([f"{len(progress.failed)} failed"] if progress.failed else []),
        f"{progress.running} running",
        f"{progress.left} left",
    ]
    seconds = progress.seconds_left
    parts = [", ".join(counts), *([] if seconds is None else [f"{_duration(seconds)} to go"])]
    return "; ".join([*parts, *([f"now {', '.join(progress.now)}"] if progress.now else [])])


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
