"""How far a study is, for whoever shows it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Optional


@dataclass
class StudyProgress:
    """
    # Parameters

    total : `int`
        The runs that are wanted.
    done : `int`
        Those that are finished, also before.
    failed : `Sequence[str]`
        The names of those that failed.
    running : `int`
        Those that a process has.
    now : `Sequence[str]`
        What the processes do.
    """

    total: int
    done: int = 0
    failed: list[str] = field(default_factory=list)
    running: int = 0
    now: Sequence[str] = ()

    def __post_init__(self) -> None:
        self._began = time.monotonic()
        self._done_before = self.done

    @property
    def left(self) -> int:
        """Those that nobody has begun."""
        return self.total - self.done - len(self.failed) - self.running

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def seconds_left(self) -> Optional[float]:
        """At the pace until now; nothing before the first run has ended."""
        ended = self.done - self._done_before + len(self.failed)
        return self.seconds / ended * (self.left + self.running) if ended else None


Observer = Callable[[StudyProgress], None]
