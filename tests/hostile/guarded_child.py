"""Hostile cases in a process of their own, with little memory and little time for each."""

import json
import os
import random
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from tests.hostile.case import FINDING, judge
from tests.suite.processes import ended, forked, killed

SECONDS = 20  # for a case
BYTES = 2 << 30  # besides what the process has when it begins


class Judged(NamedTuple):
    """A case of a format, and what came of it."""

    format: str
    seed: int
    case: str
    verdict: str
    detail: str = ""


class TooLong(BaseException):
    """No library catches it."""


def judged_cases(name: str, seed: int, folder: Path) -> Iterator[Judged]:
    """
    All cases of a format with this seed. The process that reads them may die or hang: the case that it was at
    is a finding, and those behind it are lost.
    """
    read, write = os.pipe()
    child = forked(lambda: _judge_all(name, seed, folder, write))
    os.close(write)
    now = "the making of the cases"
    with os.fdopen(read, "rb", buffering=0) as lines:
        for line in _lines(lines, 3 * SECONDS):
            if line is None:
                killed(child, 0)
                yield Judged(name, seed, now, FINDING, f"no answer for {3 * SECONDS} s")
                return
            kind, *said = json.loads(line)
            if kind == "begun":
                now = said[0]
            else:
                yield Judged(name, seed, *said)
    code = ended(child, SECONDS)
    if code:
        yield Judged(name, seed, now, FINDING, f"the process ended with {code}")


def _lines(file: Any, seconds: float) -> Iterator[Any]:
    """The lines of a pipe; `None` if none comes for so long."""
    rest = b""
    while True:
        if not select.select([file], [], [], seconds)[0]:
            yield None
            return
        content = file.read(1 << 16)
        if not content:
            return
        *whole, rest = (rest + content).split(b"\n")
        yield from whole


def _judge_all(name: str, seed: int, folder: Path, write: int) -> None:
    os.environ["LINSPECTOR_CACHE"] = str(folder / "cache")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    for number in (1, 2):
        os.dup2(0, number)
    limit_memory(BYTES)
    with os.fdopen(write, "w") as file:

        def say(*words: str) -> None:
            print(json.dumps(words), file=file, flush=True)

        for case in import_module(f"tests.hostile.formats.{name}").cases(
            random.Random(seed), folder
        ):
            say("begun", case.name)
            began = time.monotonic()
            try:
                with at_most(SECONDS):
                    verdict, detail = judge(case)
            except TooLong:
                verdict, detail = FINDING, f"still at work after {time.monotonic() - began:.0f} s"
            say("judged", case.name, verdict, detail[:300])


def limit_memory(more: int) -> None:
    """From now on this process gets no more than so many bytes besides what it has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupts Python code after a time."""

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def command(*words: object, log: int) -> Callable[[], None]:
    """A command of `linspector` for a forked process, which ends with its exit code; `log` is an open file."""

    def run() -> None:
        import linspector

        sys.argv = ["linspector", *map(str, words)]
        for number in (1, 2):
            os.dup2(log, number)
        sys.stdout, sys.stderr = (os.fdopen(n, "w", closefd=False) for n in (1, 2))
        code = 1
        try:
            code = linspector._exit_code(sys.argv[1:])
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except Exception:  # noqa: BLE001  (a traceback is what is looked for)
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    return run
