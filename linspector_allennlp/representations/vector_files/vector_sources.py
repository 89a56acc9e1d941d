"""Finds out what kind of file word vectors are in: by its content first, by its name second."""

import codecs
import os
import shlex
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional, Protocol

import numpy as np

from linspector_allennlp.io.arrays import HDF5, NPY, SAFETENSORS, array_kind
from linspector_allennlp.io.regular import PathLike, open_regular
from linspector_allennlp.io.unpacked import GZIP_MAGIC
from linspector_allennlp.representations.vector_files.array_formats import (
    Hdf5Vectors,
    NumpyVectors,
    SafetensorsVectors,
)
from linspector_allennlp.representations.vector_files.array_vectors import (
    has_its_words,
    word_lists_beside,
)
from linspector_allennlp.representations.vector_files.text_vectors import NUMBER, TextVectors
from linspector_allennlp.representations.vector_files.word2vec_vectors import (
    WORD2VEC_HEADER,
    Word2VecVectors,
)

_OPENING = 1 << 16  # bytes at the beginning of a file by which its kind is known
_UNPACK = "Unpack it"
_REFUSED = {
    struct.pack("<i", 793712314): (
        "a fastText model with its n-grams", "Use the representation fasttext (fasttext_vectors)"
    ),
    b"PK\x03\x04": ("a zip archive", "Unpack it; a matrix of an .npz is saved alone by numpy.save"),
    b"BZh": ("a file compressed by bzip2", _UNPACK),
    b"\xfd7zXZ": ("a file compressed by xz", _UNPACK),
    b"\x28\xb5\x2f\xfd": ("a file compressed by zstd", _UNPACK),
}  # fmt: skip
_SUFFIXES = {
    ".npy": "a NumPy file", ".h5": "an HDF5 file", ".hdf5": "an HDF5 file",
    ".safetensors": "a safetensors file",
}  # fmt: skip
_KINDS = "text", "word2vec's binary", "NumPy", "HDF5", "safetensors"
_WITH_WORD_LISTS: dict[str, Any] = {
    NPY: NumpyVectors,
    HDF5: Hdf5Vectors,
    SAFETENSORS: SafetensorsVectors,
}
_WITH_WORDS: dict[str, Any] = {"word2vec": Word2VecVectors, "text": TextVectors}


class VectorSource(Protocol):
    """A table of words and vectors that is read once. `fingerprint` is known when that is done."""

    path: str
    dimension: int
    fingerprint: str | None

    def chunks(self, rows: int = 4096) -> Iterator[tuple[list[bytes], np.ndarray]]:
        """Words and vectors (float32), at most `rows` at a time."""


def open_vectors(path: PathLike, words: Optional[PathLike] = None) -> VectorSource:
    """
    The word vectors in a file of any of these kinds: text, word2vec's binary, NumPy, HDF5,
    safetensors. `words` is the word list of a matrix that has none.
    """
    kind = kind_of(path)
    if kind in _WITH_WORD_LISTS:
        return _WITH_WORD_LISTS[kind](path, words)
    if words is not None:
        raise has_its_words(path, words)
    return _WITH_WORDS[kind](path)


def files_beside(path: PathLike, words: Optional[PathLike] = None) -> list[Path]:
    """The other files on which the vectors may depend."""
    if words is not None:
        return [Path(words)]
    return word_lists_beside(path) if kind_of(path) in _WITH_WORD_LISTS else []


def kind_of(path: PathLike) -> str:
    """The kind of a file; an error if it is of none that holds word vectors."""
    if os.path.isdir(path):
        raise ValueError(f"{path}: expected a file with word vectors; found a folder. Name a file.")
    start, is_packed = _opening(path)
    suffix = Path(path).suffix.lower()
    kind, named = _by_content(start), _SUFFIXES.get(suffix)
    for magic, (found, todo) in _REFUSED.items():
        if start.startswith(magic):
            raise ValueError(f"{path}: expected word vectors; found {found}. {todo}.")
    if kind == "pickle" or (kind in ("text", "unknown") and suffix == ".kv"):
        raise _gensim_vectors(path, "a pickle" if kind == "pickle" else "a file with its name")
    if is_packed and kind not in ("text", "word2vec"):
        raise ValueError(f"{path}: expected a plain {kind} file; found it in gzip. {_UNPACK}.")
    if kind == "unknown" or (kind == "text" and named):
        raise ValueError(
            f"{path}: expected {named or 'word vectors as ' + ', '.join(_KINDS)}; found something "
            "else. Is it a truncated download, or misnamed?"
        )
    return kind


def _gensim_vectors(path: PathLike, found: str) -> ValueError:
    """The error for gensim's own format, `.kv`: it is a pickle, and may run anything when loaded."""
    load = f"from gensim.models import KeyedVectors; KeyedVectors.load({str(path)!r})"
    program = f"{load}.save_word2vec_format({f'{path}.bin'!r}, binary=True)"
    return ValueError(
        f"{path}: expected word vectors as {', '.join(_KINDS)}; found {found}, as gensim saves its "
        "KeyedVectors. If you trust it, convert it: "
        f"python -c {shlex.quote(program)}"
    )


def _opening(path: PathLike) -> tuple[bytes, bool]:
    """The first bytes, unpacked, and whether they had to be."""
    with open_regular(path) as file:
        start = file.read(_OPENING)
    if not start.startswith(GZIP_MAGIC):
        return start, False
    try:
        return zlib.decompressobj(wbits=31).decompress(start, _OPENING), True
    except zlib.error:  # its reader says at which line
        return b"", True


def _by_content(start: bytes) -> str:
    if arrays := array_kind(start):
        return arrays
    if start[:1] == b"\x80" and start[1:2] in (b"\2", b"\3", b"\4", b"\5"):
        return "pickle"
    if header := WORD2VEC_HEADER.match(start):
        return "word2vec" if _is_binary(start[header.end() :], int(header[2])) else "text"
    return "unknown" if b"\0" in start else "text"


def _is_binary(rows: bytes, dimension: int) -> bool:
    """Whether there are float32s after the first word, and not decimals."""
    fields = rows.partition(b"\n")[0].split()
    if len(fields) > dimension and all(map(NUMBER.fullmatch, fields[-dimension:])):
        return False
    try:  # it may be a text with a broken line, and a character may be cut at the end
        text = codecs.getincrementaldecoder("utf-8")().decode(rows)
    except UnicodeDecodeError:
        return True
    return any(character < " " and character not in "\t\r\n" for character in text)
