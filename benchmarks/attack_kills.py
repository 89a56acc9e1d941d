"""Commands that are killed, at any moment or where they write, and typed again; see `attack`."""

import json
import os
import random
import signal
import time
from pathlib import Path
from typing import NamedTuple

from attack_commands import kill, new_place, remove, run_again, said, start
from attack_marker import MARKER, Marker, Moment, open_for_writing
from attack_outcome import differing, left_over, outcome

from tests.suite.processes import ended

BY_CLOCK = 0.1  # the share of the kills that know nothing of files
AT_ONCE = 0.75  # of the others, the share of those as soon as a file is open
LATEST = 0.004  # seconds after that


class Undisturbed(NamedTuple):
    """What a command makes, its time, how often it changes and writes files, and what it always leaves behind."""

    outcome: dict
    seconds: float
    changes: int
    writes: int
    left: set


def undisturbed(name: str, place: Path) -> Undisturbed:
    marker, began = Marker(place), time.monotonic()
    code = ended(start(name, place, marker=marker), 600)
    seconds = time.monotonic() - began
    if code != 0:
        raise RuntimeError(f"undisturbed it ended with {code}: {said(place)}")
    return Undisturbed(outcome(place), seconds, *marker.counts, set(left_over(place)))


def killed_and_again(name: str, folder: Path, number: int, seed: int, expected: Undisturbed):
    """A verdict: part, verdict, detail."""
    rng, place = random.Random(f"{seed} {number}"), new_place(folder, f"kill {number}")
    kill_it = by_clock if rng.random() < BY_CLOCK else at_a_change
    when, writing = kill_it(name, place, rng, expected)
    part = f"kill {name}{', writing' if writing else ''}" if when else f"too late {name}"
    code = run_again(name, place)
    if code:
        return part, "finding", f"{when}, then: exit code {code}: {said(place)}"
    found = outcome(place)
    left = set(left_over(place)) - expected.left
    remove(place)
    if found != expected.outcome:
        return part, "finding", f"{when}: {differing(found, expected.outcome)}"
    if left:
        return part, "finding", f"{when} it left {', '.join(sorted(left)[:3])}"
    return part, "right", ""


def at_a_change(name, place, rng, expected):
    """Killed before one of its changes of files, or a moment after it."""
    is_write = rng.random() < 0.85
    number = rng.randrange(expected.writes if is_write else expected.changes)
    seconds = 0 if rng.random() < AT_ONCE else rng.uniform(0, LATEST)
    moment = Moment(number, is_write, seconds)
    child = start(name, place, marker=Marker(place), moment=moment)
    code = ended(child, 3 * expected.seconds + 10)
    if code is None:
        kill(child)
    path = place / MARKER
    if not path.exists():
        return ("" if code == 0 else f"{moment}, exit code {code}"), False
    said = json.loads(path.read_text())
    path.unlink()
    return f"before or after {said['event']} {said['path']}", bool(said["writing"])


def by_clock(name, place, rng, expected):
    """
    Killed at a random moment. The process is stopped first: then it can be seen whether a file was being
    written.
    """
    moment = rng.uniform(0, 0.9 * expected.seconds)
    child = start(name, place)
    if ended(child, moment) is not None:
        return "", False
    os.killpg(child, signal.SIGSTOP)
    writing = [each for process in members(child) for each in open_for_writing(process, str(place))]
    kill(child)
    return f"after {moment:.1f} s", bool(writing)


def members(group: int):
    """The open files of the processes of a group."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(process.name)) == group:
                yield process / "fd"
        except ProcessLookupError:
            continue
