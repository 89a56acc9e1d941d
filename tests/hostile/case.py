"""A hostile case: a file that is broken or means harm, how it is read, and what may come of that."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Optional

from allennlp.common.checks import ConfigurationError

RIGHT, REFUSED, FINDING = "right", "refused", "finding"

# What our code raises for bad data and settings; an OSError must name its file.
SENTENCES = (ValueError, ConfigurationError, OSError)
_RAW = re.compile(r"Traceback \(most recent|<[\w.]+ object at 0x|Errno \d+\] .* fd ")
LONGEST = 3000  # characters of a message


class Case(NamedTuple):
    """
    A hostile case.

    # Parameters

    name : `str`
        What is wrong with the file.
    path : `Path`
        The file.
    open : `Callable[[], Any]`
        Reads all of it, and gives something that can be compared.
    may : `str`
        `"refuse"`: it must be refused. `"read"`: it must be read, and rightly. `"either"`: both are
        right, but nothing else.
    right : `Callable[[Any], bool]`, optional (default = `None`)
        Whether what was read is right, wherever that can be said.
    """

    name: str
    path: Path
    open: Callable[[], Any]
    may: str
    right: Optional[Callable[[Any], bool]] = None


Cases = Callable[[Any, Path], Iterator[Case]]
"""What each module in `formats` has as `cases`: of a random generator and a folder to write to."""


class Verdict(NamedTuple):
    """`"right"`, `"refused"` or `"finding"`, and for a finding what it is."""

    verdict: str
    detail: str = ""


def judge(case: Case) -> Verdict:
    """Opens a case, and says what came of it. `MemoryError` and unknown errors are findings."""
    try:
        found = case.open()
    except SENTENCES as error:
        return _judge_refusal(case, error)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is the finding)
        return Verdict(FINDING, f"{type(error).__name__}: {error}"[:300])
    if case.may == "refuse":
        return Verdict(FINDING, f"it was read: {found!r}"[:300])
    if case.right is not None and not case.right(found):
        return Verdict(FINDING, f"it was read wrongly: {found!r}"[:300])
    return Verdict(RIGHT)


def _judge_refusal(case: Case, error: Exception) -> Verdict:
    message = str(error)
    if case.may == "read":
        return Verdict(FINDING, f"it was refused: {message}"[:300])
    # The beginning of a path is enough: a message may name a file in a folder, or shorten it.
    if case.path.name not in message:
        return Verdict(FINDING, f"the file is not named: {type(error).__name__}: {message}"[:300])
    if len(message) > LONGEST or _RAW.search(message):
        return Verdict(FINDING, f"not a sentence: {message[:300]}")
    return Verdict(REFUSED, message)
