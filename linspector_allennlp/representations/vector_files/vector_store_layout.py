"""The store of a vector file: where it is, its layout, and its writing."""

import hashlib
import logging
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Optional

import numpy as np

from linspector_allennlp.io.cache import cache_folder, file_stamp
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.framed import Frame
from linspector_allennlp.io.hashing import checksums, hash_keys
from linspector_allennlp.io.private import is_ours
from linspector_allennlp.representations.vector_files.vector_sources import (
    VectorSource,
    files_beside,
)

logger = logging.getLogger(__name__)

_FEW_WRONG = 2  # words that are not UTF-8 are a slip, in a file that has hardly any beyond ASCII

FRAME = Frame(b"linspector vectors 2\n", size=4096, name="store")  # after it the sections


class StoreFiles:
    """
    A file of word vectors, its word list if one is named, and where their store may be.

    `stamp` is what shows that one of them, or a file that belongs to them, has changed; `places`
    is beside the source and, where that cannot be written or somebody has put a store, in the user's
    cache.
    """

    def __init__(self, path: PathLike, words: Optional[PathLike] = None) -> None:
        self.source = _existing(path, "word vectors")
        self.words = None if words is None else _existing(words, "a word on each line")
        self.stamp: dict[str, Any] = file_stamp(self.source)
        if beside := files_beside(self.source, self.words):
            self.stamp["beside"] = [file_stamp(file) for file in beside]

    @property
    def places(self) -> list[Path]:
        files = [self.source, self.words] if self.words else [self.source]
        name = ".".join(file.name for file in files)
        key = hashlib.blake2b(b"\0".join(map(os.fsencode, files)), digest_size=8).hexdigest()
        near, far = self.source.with_name(f"{name}.store"), cache_folder() / f"{name}.{key}.store"
        # Who owns the source may put a store beside it: he could change the source, too.
        if os.path.lexists(near) and not is_ours(near, _owner(self.source)):
            return [far]
        return [near, far]


def _owner(path: Path) -> int:
    """The number of the user whose file it is; nobody's where it is gone."""
    try:
        return path.stat().st_uid
    except OSError:
        return -1


def _existing(path: PathLike, expected: str) -> Path:
    absolute = Path(os.path.abspath(path))
    if not absolute.exists():
        raise FileNotFoundError(f"{absolute}: no such file; expected {expected}")
    return absolute


def sections_of(rows: int, dimension: int, letters: int) -> dict[str, tuple[int, str, int]]:
    """
    First byte, type and number of elements of each section of a store. All after the matrix is its
    index, whose CRC-32 is in the header.
    """
    sections, start = {}, FRAME.size
    for name, dtype, count in (
        ("matrix", "<f4", rows * dimension),
        ("hashes", "<u8", rows),  # of the words, sorted
        ("rows", "<i8", rows),  # of these hashes
        ("offsets", "<i8", rows + 1),  # of the words in `words`, by row
        ("sums", "<f8", dimension + 1),  # of each component; the last, of all squares
        ("checksums", "<u8", rows),  # of the vectors, by row
        ("words", "<u1", letters),
        ("end", "<u1", 0),
    ):
        sections[name] = (start, dtype, count)
        start += -(-count * int(dtype[2]) // 8) * 8
    return sections


class Encoding:
    """A look at the words of a file in passing: are they UTF-8, as the words of a task are?"""

    def __init__(self) -> None:
        self.beyond_ascii, self.wrong = 0, 0
        self._example = b""

    def look_at(self, words: Sequence[bytes]) -> None:
        beyond_ascii = [word for word in words if not word.isascii()]
        self.beyond_ascii += len(beyond_ascii)
        try:
            b" ".join(beyond_ascii).decode()
        except UnicodeDecodeError:
            wrong = [word for word in beyond_ascii if not _is_utf8(word)]
            self.wrong += len(wrong)
            self._example = self._example or wrong[0]

    def check(self, path: PathLike) -> None:
        """Refuses a file in another encoding: each word with a letter like ä would be unknown."""
        if not self.wrong:
            return
        shown = self._example[:40].decode("latin-1")
        if self.wrong > max(_FEW_WRONG, self.beyond_ascii / 2):
            raise ValueError(
                f"{path}: expected words in UTF-8, found {self.wrong} of {self.beyond_ascii} words "
                f"beyond ASCII in another encoding, such as {shown!r} if that is Latin-1. Convert "
                "the file: iconv -f latin1 -t utf-8 OLD > NEW"
            )
        logger.warning(
            "%s: %d words are not UTF-8, such as %r; no text has them", path, self.wrong, shown
        )


def _is_utf8(word: bytes) -> bool:
    try:
        word.decode()
    except UnicodeDecodeError:
        return False
    return True


def write_store(file: BinaryIO, vectors: VectorSource, stamp: dict[str, Any]) -> None:
    """Reads all vectors, and writes them so that `StoreContent` finds them."""
    seen, repeated, encoding = set[bytes](), 0, Encoding()
    sums, text, lengths = np.zeros(vectors.dimension + 1), bytearray(), [0]
    hashes, checks = [], []
    file.seek(FRAME.size)
    for words, matrix in vectors.chunks():
        encoding.look_at(words)
        fresh = []
        for i, word in enumerate(words):
            if word not in seen:
                seen.add(word)
                fresh.append(i)
        if len(fresh) < len(words):
            repeated += len(words) - len(fresh)
            words, matrix = [words[i] for i in fresh], matrix[fresh]
        matrix = matrix.astype("<f4", copy=False)
        file.write(matrix.data)
        sums[:-1] += matrix.sum(axis=0, dtype=np.float64)
        sums[-1] += np.einsum("ij,ij->", matrix, matrix, dtype=np.float64)
        text += b"".join(words)
        lengths += map(len, words)
        hashes.append(hash_keys(words))
        checks.append(checksums(matrix))
    encoding.check(vectors.path)
    if repeated:
        logger.warning("%s: %d rows repeat a word; its first row counts", vectors.path, repeated)
    order = np.argsort(unsorted := np.concatenate(hashes), kind="stable")
    shape, crc = (len(seen), vectors.dimension, len(text)), 0
    sections = sections_of(*shape)
    file.seek(sections["hashes"][0])
    for content in (
        unsorted[order].astype("<u8").tobytes(),
        order.astype("<i8").tobytes(),
        np.cumsum(lengths, dtype="<i8").tobytes(),
        sums.astype("<f8").tobytes(),
        np.concatenate(checks).astype("<u8").tobytes(),
        text.ljust(sections["end"][0] - sections["words"][0], b"\0"),
    ):
        file.write(content)
        crc = zlib.crc32(content, crc)
    meta = {"source": stamp, "fingerprint": vectors.fingerprint, "shape": shape, "index": crc}
    file.seek(0)
    file.write(FRAME.pack(meta))
