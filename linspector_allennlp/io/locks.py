"""Locks for files and folders that several processes would make or fill."""

import glob
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from linspector_allennlp.io.temporary import remove

logger = logging.getLogger(__name__)


@contextmanager
def exclusively(path: Path, keep_lock: bool = True) -> Iterator[None]:
    """
    Makes other processes wait, and removes the temporary files and folders (see `files.replacing`)
    that killed processes left: those of `path` and, if it is a folder, those in it. Where locks do
    not work, each process goes on for itself.

    # Parameters

    path : `Path`
        A file or a folder; its parent is made if there is none.
    keep_lock : `bool`, optional (default = `True`)
        `False` removes the lock file, so that nothing is left beside a file of the user's.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = lock_of(path)
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            logger.warning("Waiting for another process that fills %s.", path)
            lock.acquire()
        _sweep(path)
    except (OSError, NotImplementedError) as error:
        logger.info("going on without a lock for %s: %s", path, error)
    try:
        yield
    finally:
        if lock.is_locked and not keep_lock:
            with suppress(OSError):  # Windows keeps open files
                os.unlink(lock.lock_file)
        lock.release()


@contextmanager
def refusing_others(path: Path, work: str) -> Iterator[None]:
    """
    Refuses to go on while another process does this work with a folder. Where locks do not work, each
    process goes on for itself.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f".{path.name}.{work}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise ValueError(
            f"{path}: another process is at work there ({work}). Wait for it, or choose another folder."
        ) from error
    except OSError as error:
        if not (path.is_dir() and os.access(path, os.W_OK)):
            raise OSError(error.errno, error.strerror, str(path.parent)) from error
        logger.info("going on without a lock for %s: %s", path, error)
    except NotImplementedError as error:
        logger.info("going on without a lock for %s: %s", path, error)
    try:
        yield
    finally:
        if lock.is_locked:
            with suppress(OSError):  # Windows keeps open files
                os.unlink(lock.lock_file)
        lock.release()


def lock_of(path: Path) -> FileLock:
    """The lock of a file or folder: beside it, because who removes a folder must hold its lock."""
    return FileLock(path.with_name(f"{path.name}.lock"))


def _sweep(path: Path) -> None:
    beside = path.parent.glob(f".{glob.escape(path.name)}.*.tmp")
    for left in [*beside, *path.glob(".*.[0-9]*.tmp")]:  # the number is of the process
        remove(left)
