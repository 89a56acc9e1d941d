"""What is ours alone on a machine of many users: who may write to a cache decides what comes out of it."""

import os
import stat
from pathlib import Path

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def user_folder(folder: Path) -> Path:
    """
    The folder itself if nobody else can write to it, or it is not there yet; or else one of this user's
    in it.
    """
    try:
        status = os.stat(folder)
    except OSError:
        return folder
    if os.name != "posix" or not stat.S_ISDIR(status.st_mode):
        return folder
    if _is_of_us(status.st_uid) and not status.st_mode & _OTHERS_WRITE:
        return folder
    return folder / f"user-{os.geteuid()}"


def make_private(folder: Path) -> None:
    """Makes a folder, and those above it that are not there, for this user alone."""
    for each in reversed([folder, *folder.parents]):
        if not each.is_dir():
            each.mkdir(mode=0o700, exist_ok=True)


def is_ours(path: Path, owner: int = -1) -> bool:
    """
    Whether a file or folder was made by this user, by the system's, or by `owner`; of a link, the link.
    What is not there is nobody's.
    """
    if os.name != "posix":
        return os.path.lexists(path)
    try:
        found = os.lstat(path).st_uid
    except OSError:
        return False
    return _is_of_us(found) or found == owner


def _is_of_us(owner: int) -> bool:
    return owner in (os.geteuid(), 0)
