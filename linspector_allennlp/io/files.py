"""Writing without half-written files, and naming a file by its content."""

import errno
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TextIO, Union, cast

PathLike = Union[str, "os.PathLike[str]"]


@contextmanager
def replacing(path: PathLike) -> Iterator[Path]:
    """
    Gives a temporary name beside `path`; what was written there becomes `path` when the block
    ends well, and is removed when it does not. Readers see the old file or the new one.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_text(path: PathLike) -> Iterator[TextIO]:
    """`replacing`, opened as UTF-8 text with plain line ends."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        yield file


@contextmanager
def replacing_folder(path: PathLike) -> Iterator[Path]:
    """
    `replacing` for a folder and all that is in it: gives an empty folder to fill. Readers see the
    old folder or the new one, whole; in between there is a moment in which they see none.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.mkdir()
    try:
        yield temporary
        replace_folder(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if not any(path.parent.iterdir()):
            path.parent.rmdir()


def replace_folder(new: Path, path: Path) -> None:
    """Gives a folder this name. One that has it is removed, but not before the new one is there."""
    old = path.with_name(f".{path.name}.{os.getpid()}.old")
    try:
        if path.exists():
            os.rename(path, old)
        os.rename(new, path)
    finally:
        restore_folder(path)


def restore_folder(path: Path) -> None:
    """
    Ends what `replace_folder` left when it was cut off: an old folder goes back to its place if the new
    one is not there, and is removed if it is.
    """
    for old in list(path.parent.glob(f".{glob.escape(path.name)}.*.old")):
        if not re.fullmatch(rf"\.{re.escape(path.name)}\.\d+\.old", old.name):
            continue  # that of a folder whose name only begins in the same way
        if not path.exists():
            os.rename(old, path)
            continue
        # Under another name first: what is half removed must never be put back.
        doomed = old.with_suffix(".tmp")
        os.rename(old, doomed)
        shutil.rmtree(doomed, ignore_errors=True)


def open_bytes(path: PathLike) -> IO[bytes]:
    """Opens a file for reading, plain or compressed by gzip, whatever it is called."""
    if os.path.isdir(path):
        raise ValueError(f"{path} is a folder: expected a file.")
    file = open(path, "rb")
    start = file.peek(4)  # not read: a pipe can be opened only once
    if not start.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        return file
    file.close()
    if start.startswith(b"PK"):
        raise ValueError(f"{path} is a zip archive or a spreadsheet: expected a text file.")
    return cast(IO[bytes], gzip.open(path))


def reserve(file: IO[bytes], num_bytes: int) -> None:
    """Takes the room on the disk now, where that can be done, not when the work is half done."""
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file.fileno(), 0, num_bytes)
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):  # some disks cannot say
                raise


def write_json(path: PathLike, content: Any) -> None:
    """Writes `content` as indented JSON, all of it or nothing."""
    with replacing_text(path) as file:
        json.dump(content, file, indent=2, ensure_ascii=False, allow_nan=False)
        file.write("\n")


def sha256(path: PathLike) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
