"""Reading a large file once, from its beginning to its end, hashed and with a progress bar."""

import hashlib
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from allennlp.common import Tqdm

from linspector_allennlp.io.regular import regular
from linspector_allennlp.io.unpacked import GZIP_MAGIC, unpacked

_BUFFER = 1 << 20


class HashedFile(io.FileIO):
    """A file that is hashed, and moves a progress bar, while it is read."""

    def __init__(self, path: str, bar: Any) -> None:
        super().__init__(path)
        self.bar, self.sha256 = bar, hashlib.sha256()

    def readinto(self, buffer: Any) -> int:
        count = super().readinto(buffer)
        self.sha256.update(memoryview(buffer)[:count])
        self.bar.update(count)
        return count

    # Those of `FileIO` would go past `readinto`.
    read = io.RawIOBase.read  # type: ignore[assignment]
    readall = io.RawIOBase.readall  # type: ignore[assignment]


@contextmanager
def opened_hashed(path: str, quiet: bool = False) -> Iterator[tuple[io.BufferedReader, HashedFile]]:
    """
    The content of a file, plain or compressed by gzip, and the file as it lies on the disk, whose hash
    is whole when all has been read. Without a progress bar if `quiet`.
    """
    name, size = os.path.basename(path), os.path.getsize(regular(path))
    bar = Tqdm.tqdm(total=size, desc=name, unit="B", unit_scale=True, disable=quiet)
    with bar, HashedFile(path, bar) as raw:
        file: Any = io.BufferedReader(raw, _BUFFER)
        if path.endswith(".gz") or file.peek(2)[:2] == GZIP_MAGIC:
            file = cast(io.BufferedReader, unpacked(file, path))
        yield file, raw
