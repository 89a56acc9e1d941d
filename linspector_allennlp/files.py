"""Writing without half-written files, and naming a file by its content."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, Union

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
