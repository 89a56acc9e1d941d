"""Writing without half-written files, and naming a file by its content."""

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TextIO, cast

from linspector_allennlp.io.regular import PathLike as PathLike
from linspector_allennlp.io.regular import check_target, open_regular
from linspector_allennlp.io.temporary import (
    beside,
    name_beside,
    new_file,
    owner_in,
    remove,
    sweep_beside,
)
from linspector_allennlp.io.unpacked import GZIP_MAGIC, unpacked


@contextmanager
def replacing(path: PathLike) -> Iterator[Path]:
    """
    Gives the name of an empty file beside `path`; what was written there becomes `path` when the
    block ends well, and is removed when it does not. Readers see the old file or the new one.
    """
    path = Path(path)
    check_target(path)
    sweep_beside(path)
    temporary = name_beside(path)
    new_file(temporary)
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        remove(temporary)


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
    sweep_beside(path)
    temporary = name_beside(path)
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
    old = name_beside(path, "old")
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
    start = f".{path.name}."
    for old in beside(path, start):
        if owner_in(old, start, ".old") is None:
            continue  # perhaps that of a folder whose name only begins in the same way
        if not path.exists():
            os.rename(old, path)
            continue
        # Under another name first: what is half removed must never be put back.
        doomed = old.with_suffix(".tmp")
        os.rename(old, doomed)
        shutil.rmtree(doomed, ignore_errors=True)


def open_bytes(path: PathLike) -> IO[bytes]:
    """
    Opens a file for reading, plain or compressed by gzip, whatever it is called; standard input, too.
    """
    file = cast(Any, open_regular(path, given=True))
    start = file.peek(4)  # not read: a pipe can be opened only once
    if start.startswith(b"PK\x03\x04"):
        file.close()
        raise ValueError(f"{path} is a zip archive or a spreadsheet: expected a text file.")
    return unpacked(file, path) if start.startswith(GZIP_MAGIC) else file


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
    with open_regular(path) as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
