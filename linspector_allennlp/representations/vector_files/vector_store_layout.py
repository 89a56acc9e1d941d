"""The layout of the store of a vector file, and its writing."""

import logging
from typing import Any, BinaryIO

import numpy as np

from linspector_allennlp.io.framed import Frame
from linspector_allennlp.io.hashing import hash_keys
from linspector_allennlp.representations.vector_files.vector_sources import VectorSource

logger = logging.getLogger(__name__)

FRAME = Frame(b"linspector vectors 1\n", size=4096, name="store")  # after it the sections


def sections_of(rows: int, dimension: int, letters: int) -> dict[str, tuple[int, str, int]]:
    """First byte, type and number of elements of each section of a store."""
    sections, start = {}, FRAME.size
    for name, dtype, count in (
        ("matrix", "<f4", rows * dimension),
        ("hashes", "<u8", rows),  # of the words, sorted
        ("rows", "<i8", rows),  # of these hashes
        ("offsets", "<i8", rows + 1),  # of the words in `words`, by row
        ("sums", "<f8", dimension + 1),  # of each component; the last, of all squares
        ("words", "<u1", letters),
        ("end", "<u1", 0),
    ):
        sections[name] = (start, dtype, count)
        start += -(-count * int(dtype[2]) // 8) * 8
    return sections


def write_store(file: BinaryIO, vectors: VectorSource, stamp: dict[str, Any]) -> None:
    """Reads all vectors, and writes them so that `VectorStore` finds them."""
    seen, repeated = set[bytes](), 0
    sums, text, lengths, hashes = np.zeros(vectors.dimension + 1), bytearray(), [0], []
    file.seek(FRAME.size)
    for words, matrix in vectors.chunks():
        fresh = []
        for i, word in enumerate(words):
            if word not in seen:
                seen.add(word)
                fresh.append(i)
        if len(fresh) < len(words):
            repeated += len(words) - len(fresh)
            words, matrix = [words[i] for i in fresh], matrix[fresh]
        file.write(matrix.astype("<f4", copy=False).data)
        sums[:-1] += matrix.sum(axis=0, dtype=np.float64)
        sums[-1] += np.einsum("ij,ij->", matrix, matrix, dtype=np.float64)
        text += b"".join(words)
        lengths += map(len, words)
        hashes.append(hash_keys(words))
    if repeated:
        logger.warning("%s: %d rows repeat a word; its first row counts", vectors.path, repeated)
    order = np.argsort(unsorted := np.concatenate(hashes), kind="stable")
    shape = len(seen), vectors.dimension, len(text)
    meta = {"source": stamp, "fingerprint": vectors.fingerprint, "shape": shape}
    sections = sections_of(*shape)
    for start, content in (
        (0, FRAME.pack(meta)),
        (sections["hashes"][0], unsorted[order].data),
        (sections["rows"][0], order.astype("<i8").data),
        (sections["offsets"][0], np.cumsum(lengths, dtype="<i8").data),
        (sections["sums"][0], sums.astype("<f8").data),
        (sections["words"][0], text),
    ):
        file.seek(start)
        file.write(content)
    file.truncate(sections["end"][0])
