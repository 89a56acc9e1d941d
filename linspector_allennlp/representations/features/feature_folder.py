"""The folder of a representation's features, which several processes may fill."""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from filelock import FileLock, Timeout

logger = logging.getLogger(__name__)


def writable_folder(folder: Path) -> Path:
    """The folder or, where it cannot be made or written, one that goes with the process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        logger.warning(
            "The features cannot be kept in %s (%s), so the next run computes them again. Set "
            "LINSPECTOR_CACHE to a folder that can be written.",
            folder,
            error,
        )
    temporary = Path(_folder_of_this_process().name, folder.name)
    temporary.mkdir(exist_ok=True)
    return temporary


@cache
def _folder_of_this_process() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="linspector_features_")


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Makes other processes wait. Where locks do not work, each computes for itself."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = folder_lock(folder)
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            logger.warning("Waiting for another process that fills %s.", folder)
            lock.acquire()
        for left in folder.glob(".*.tmp"):  # by a process that was killed
            left.unlink(missing_ok=True)
    except (OSError, NotImplementedError) as error:
        logger.info("going on without a lock for %s: %s", folder, error)
    try:
        folder.mkdir(exist_ok=True)
        yield
    finally:
        lock.release()


def folder_lock(folder: Path) -> FileLock:
    """Beside the folder, not in it: who removes the folder must hold the lock."""
    return FileLock(folder.with_name(f"{folder.name}.lock"))
