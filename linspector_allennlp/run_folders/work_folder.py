"""The folders in which processes, maybe on other machines, work on something until it is whole."""

import re
import shutil
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = ".lock"

ATTEMPTS = 1000

DYING_SECONDS = 10.0
"""A process whose parent was killed ends itself; so long it is waited for."""

FORGOTTEN_SECONDS = 7 * 24 * 3600.0
"""Whether a process of another machine is alive cannot be asked. One that has begun and finished nothing for
so long is not."""


@contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """
    A new folder in `parent`, removed at the end. Its name says on which machine it is worked on, and its
    lock that the process is alive: the kernel releases it.
    """
    folder = _new_folder(parent)
    lock = FileLock(folder / LOCK)
    with suppress(OSError, NotImplementedError):  # where locks do not work
        lock.acquire(timeout=0)
    try:
        yield folder
    finally:
        lock.release()
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):  # others are at work
            parent.rmdir()


def _new_folder(parent: Path) -> Path:
    for attempts_left in reversed(range(ATTEMPTS)):
        parent.mkdir(parents=True, exist_ok=True)
        folder = parent / f"{socket.gethostname()}-{uuid.uuid4().hex[:12]}"
        try:
            folder.mkdir()
            break
        except FileNotFoundError:  # the last of others at work has just removed the parent
            if not attempts_left:
                raise
    return folder


def is_work_folder(folder: Path) -> bool:
    """Whether it was made by `work_folder`, and not by somebody else."""
    named = re.fullmatch(r".+-[0-9a-f]{12}", folder.name)
    return bool(named) and folder.is_dir() and not folder.is_symlink()


def is_given_up(folder: Path) -> bool:
    """Whether the process that worked in a folder is gone."""
    if folder.name.rpartition("-")[0] != socket.gethostname():
        with suppress(FileNotFoundError):
            return time.time() - folder.stat().st_mtime > FORGOTTEN_SECONDS
        return False
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=DYING_SECONDS)
    except (Timeout, OSError, NotImplementedError):
        return False
    lock.release()
    return True
