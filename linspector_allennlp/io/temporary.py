"""
The names of what is being written. Nobody can guess one, so nothing can lie in wait under it; and each
says which process it is of, so that what a killed one left can be swept.
"""

import hashlib
import os
import re
import secrets
import shutil
import socket
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Optional

from linspector_allennlp.io.private import is_ours

FORGOTTEN_SECONDS = 24 * 3600.0
"""Whether a process elsewhere is alive cannot be asked. One that has touched nothing for so long is not."""

_OWNER = re.compile(r"(\d+)(?:-([0-9a-f]{8})-[0-9a-f]{16})?")


def name_of_process() -> str:
    """A new name, that of this process first."""
    return f"{os.getpid()}-{_place_of_processes()}-{secrets.token_hex(8)}"


def name_beside(path: Path, ending: str = "tmp") -> Path:
    """A hidden name beside `path`, new each time."""
    return path.with_name(f".{path.name}.{name_of_process()}.{ending}")


def new_file(path: Path) -> None:
    """Makes an empty file, whose name nobody has, not even a link to elsewhere."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    os.close(os.open(path, flags, 0o666))


def temporary_folder(start: str) -> tempfile.TemporaryDirectory:
    """
    A new folder in the one of the system for such, whose name begins with `start`; what killed processes
    of this user left there under such names is removed.
    """
    place = Path(tempfile.gettempdir(), start)
    for left in beside(place, f"{start}_"):
        owner = owner_in(Path(left.name.rpartition("_")[0]), f"{start}_", "")
        with suppress(OSError):
            if owner and is_ours(left) and is_forsaken(left, owner):
                remove(left)
    return tempfile.TemporaryDirectory(prefix=f"{start}_{name_of_process()}_")


def owner_in(left: Path, start: str, ending: str) -> Optional[str]:
    """The part of a name that says whose it is, if it has this start and this ending."""
    name = left.name
    if not (name.startswith(start) and name.endswith(ending)):
        return None
    owner = name[len(start) : len(name) - len(ending)]
    return owner if _OWNER.fullmatch(owner) else None


def is_forsaken(left: Path, owner: str) -> bool:
    """Whether the process that this is of is gone, as far as can be told from here."""
    found = _OWNER.fullmatch(owner)
    if found and found[2] == _place_of_processes():
        return not _is_alive(int(found[1][:9]))
    return time.time() - _last_touched(left) > FORGOTTEN_SECONDS


def sweep_beside(path: Path) -> None:
    """Removes what killed processes left that would have written a file or folder of this name."""
    start = f".{path.name}."
    for left in beside(path, start):
        owner = owner_in(left, start, ".tmp")
        if owner is not None and is_forsaken(left, owner):
            remove(left)


def beside(path: Path, start: str) -> list[Path]:
    """What lies beside `path` under names with this start; nothing where that cannot be seen."""
    try:
        with os.scandir(path.parent) as entries:
            return [path.with_name(each.name) for each in entries if each.name.startswith(start)]
    except OSError:
        return []


def remove(left: Path) -> None:
    """Removes a file or a folder, as far as that can be done; of a link only the link."""
    with suppress(OSError):  # somebody else's, in a folder of all
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # another user's
        return True
    return True


def _last_touched(left: Path) -> float:
    """When something in it was last written; now, if that cannot be told."""
    try:
        times = [left.lstat().st_mtime]
        for folder, _, names in os.walk(left):
            times += [os.lstat(os.path.join(folder, name)).st_mtime for name in [".", *names]]
    except OSError:
        return time.time()
    return max(times)


@cache
def _place_of_processes() -> str:
    """Where process numbers mean the same: a machine and, in a container, what it calls its own."""
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return hashlib.sha256(f"{socket.gethostname()} {space}".encode()).hexdigest()[:8]
