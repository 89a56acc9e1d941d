"""
Opening what a path names, if it is a file. A pipe that nobody writes to would be waited for, and a device
may have no end.
"""

import io
import os
import stat
from pathlib import Path
from typing import IO, Optional, TextIO, Union

PathLike = Union[str, "os.PathLike[str]"]

MOST_BYTES = 1 << 27
"""Of a file that is read as a whole: a config, a record, a manifest."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe (FIFO)"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
# What this process was given open: standard input, and `<(COMMAND)` of a shell.
_GIVEN = "/dev/stdin", "/dev/fd/", "/proc/self/fd/"


def is_given(path: PathLike) -> bool:
    """Whether a path names what this process was given open, which is read and never waited for."""
    return os.name == "posix" and os.path.abspath(path).startswith(_GIVEN)


def regular(path: PathLike) -> PathLike:
    """The path, unless it is that of something else than a file."""
    _check(path, os.stat(path).st_mode)
    return path


def open_regular(path: PathLike, given: bool = False) -> IO[bytes]:
    """
    Opens a file for reading.

    # Parameters

    path : `PathLike`
    given : `bool`, optional (default = `False`)
        Whether it may be standard input, too.
    """
    if given and is_given(path) and not os.path.isdir(path):
        return open(path, "rb")
    regular(path)
    # Between the look and the opening a pipe may have come: it is opened without waiting.
    file = open(path, "rb", opener=_at_once)
    try:
        _check(path, os.fstat(file.fileno()).st_mode)
    except BaseException:
        file.close()
        raise
    return file


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _not_elsewhere(path: str, flags: int) -> int:
    """As `_at_once`; a link is not followed."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0), 0o666)


def open_text(
    path: PathLike,
    encoding: str = "utf-8",
    newline: Optional[str] = None,
    errors: Optional[str] = None,
) -> TextIO:
    """`open_regular` for text, with the settings of `open`."""
    return io.TextIOWrapper(open_regular(path), encoding, errors, newline)


def read_text(path: PathLike) -> str:
    """All of a small file, which is UTF-8."""
    with open_regular(path) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"{os.fspath(path)}: expected at most {MOST_BYTES:,} bytes, found more.")
    return content.decode("utf-8")


def open_to_append(path: PathLike) -> IO[bytes]:
    """Opens a file for writing at its end, without a buffer; one that is not there is made."""
    file = open(path, "ab", buffering=0, opener=_not_elsewhere)
    try:
        _check(path, os.fstat(file.fileno()).st_mode, " to write")
    except BaseException:
        file.close()
        raise
    return file


def check_target(path: Path) -> None:
    """Refuses to replace what is no file: `/dev/null` would be gone."""
    try:
        mode = os.stat(path).st_mode
    except OSError:  # there is nothing, or who writes there says so
        return
    if not stat.S_ISDIR(mode):
        _check(path, mode, " to write")


def _check(path: PathLike, mode: int, todo: str = "") -> None:
    if stat.S_ISREG(mode):
        return
    kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")
    raise ValueError(f"{os.fspath(path)} is {kind}: expected a file{todo}.")
