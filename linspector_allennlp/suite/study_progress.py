"""How far a study is, for whoever shows it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Optional


@dataclass
class Pace:
    """
    How long the rest takes, by what runs of the same kind took: a parser takes a thousand times as long as
    a linear probe.

    # Parameters

    left : `Counter[str]`
        By kind how many runs have not ended.
    workers : `int`, optional (default = `1`)
        How many are trained at a time.
    """

    left: Counter[str]
    workers: int = 1

    def __post_init__(self) -> None:
        self._seconds: defaultdict[str, list[float]] = defaultdict(list)

    def note(self, kind: str, seconds: Optional[float] = None) -> None:
        """A run has ended; without seconds it tells nothing, as one that failed."""
        self.left[kind] -= 1
        if seconds is not None:
            self._seconds[kind].append(seconds)

    @property
    def seconds_left(self) -> Optional[float]:
        """Nothing as long as there are runs left of a kind of which none has ended."""
        kinds = [kind for kind, number in self.left.items() if number > 0]
        if not all(self._seconds.get(kind) for kind in kinds):
            return None
        means = {kind: sum(self._seconds[kind]) / len(self._seconds[kind]) for kind in kinds}
        shared = sum(self.left[kind] * means[kind] for kind in kinds) / self.workers
        return max([shared, *means.values()])  # one run is not shared


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
    pace : `Pace`, optional
    """

    total: int
    done: int = 0
    failed: list[str] = field(default_factory=list)
    running: int = 0
    now: Sequence[str] = ()
    pace: Optional[Pace] = None

    @property
    def left(self) -> int:
        """Those that nobody has begun."""
        return self.total - self.done - len(self.failed) - self.running

    @property
    def seconds_left(self) -> Optional[float]:
        """If it can be told yet."""
        return None if self.pace is None else self.pace.seconds_left


Observer = Callable[[StudyProgress], None]
