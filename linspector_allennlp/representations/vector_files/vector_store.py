"""Word vectors in one memory-mapped file, made from their source when that is first opened."""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Optional, TypeVar

import numpy as np

from linspector_allennlp.io.files import PathLike, replacing
from linspector_allennlp.io.locks import exclusively
from linspector_allennlp.io.private import make_private
from linspector_allennlp.representations.vector_files.store_content import (
    DamagedStore,
    FileId,
    StoreContent,
)
from linspector_allennlp.representations.vector_files.vector_sources import open_vectors
from linspector_allennlp.representations.vector_files.vector_store_layout import (
    StoreFiles,
    write_store,
)

logger = logging.getLogger(__name__)

_T = TypeVar("_T")


class VectorStore:
    """
    The vectors of a file (see `open_vectors`), of which only those asked for are read. Get it by
    `VectorStore.open`, which makes the store file when there is none, or none that fits the source.
    One that proves damaged while it is in use is made anew.

    `fingerprint` is the SHA-256 of the source (and of what belongs to it, such as a word list).
    """

    def __init__(self, files: StoreFiles, content: StoreContent) -> None:
        self.path, self.fingerprint = files.source, content.fingerprint
        self.dimension = content.dimension
        self._files = files
        self._content = content
        self._damaged: set[FileId] = set()

    @classmethod
    def open(cls, path: PathLike, words: PathLike | None = None) -> "VectorStore":
        """
        The store of a file of vectors: beside it or, where that cannot be written, in the cache.
        `words` is the word list of a matrix that has none.
        """
        files = StoreFiles(path, words)
        found = filter(None, (_mapped(files, place) for place in files.places))
        return cls(files, next(found, None) or _made(files))

    @property
    def mean(self) -> np.ndarray:
        """The mean vector."""
        return self._whole(lambda content: content.mean)

    @property
    def scale(self) -> float:
        """The root mean square of all components."""
        return self._whole(lambda content: content.scale)

    def __len__(self) -> int:
        return self._content.length

    def __contains__(self, word: str) -> bool:
        return bool(self.rows([word])[0] >= 0)

    def words(self) -> Iterator[str]:
        """The words by row; what is not UTF-8 in them is replaced."""
        words = self._whole(lambda content: content.words())
        return (word.decode("utf-8", "replace") for word in words)

    def rows(self, words: Sequence[str]) -> np.ndarray:
        """The row of each word, -1 where it is unknown."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        return self._whole(lambda content: content.rows(encoded))

    def vectors(self, rows: np.ndarray) -> np.ndarray:
        """A copy of these rows, float32."""
        rows = np.asarray(rows, np.int64)
        if rows.size and not 0 <= rows.min() <= rows.max() < len(self):
            raise IndexError(f"expected rows from 0 to {len(self) - 1}; -1 is an unknown word")
        return self._whole(lambda content: content.vectors(rows))

    def _whole(self, read: Callable[[StoreContent], _T]) -> _T:
        """What is read from the store, which is made anew if it is damaged."""
        for _ in self._files.places:
            try:
                return read(self._content)
            except DamagedStore as damage:
                logger.warning("%s. It is made anew from %s.", damage, self.path)
                self._damaged.add(self._content.file_id)
                self._content = self._made_anew(damage)
        return read(self._content)

    def _made_anew(self, damage: DamagedStore) -> StoreContent:
        place = self._content.place
        try:
            files = StoreFiles(self._files.source, self._files.words)
        except FileNotFoundError as error:
            raise DamagedStore(
                f"{damage}, and cannot be made anew: {error}. Put the file back, or remove {place}."
            ) from error
        content = _made(files, self._damaged)
        if content.fingerprint != self.fingerprint:  # its rows may be other words
            raise DamagedStore(f"{damage}, and {self.path} has changed since. Start again.")
        return content

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).open, (self._files.source, self._files.words)


def _mapped(files: StoreFiles, place: Path) -> Optional[StoreContent]:
    try:
        return StoreContent(files, place)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        logger.info("%s cannot be used: %s", place, error)
        return None


def _made(files: StoreFiles, damaged: Collection[FileId] = ()) -> StoreContent:
    """The store of these files, made where it can be; those that are `damaged` are replaced."""
    vectors, failures = open_vectors(files.source, files.words), []
    for place in files.places:
        try:
            make_private(place.parent)
            with exclusively(place, keep_lock=False):
                found = _mapped(files, place)
                if found and found.file_id not in damaged:
                    return found  # another process made it
                with replacing(place) as temporary, open(temporary, "wb") as file:
                    write_store(file, vectors, files.stamp)
                logger.info("the vectors of %s are now in %s", vectors.path, place)
                return StoreContent(files, place)
        except OSError as error:
            logger.warning("the vectors of %s cannot be kept in %s: %s", vectors.path, place, error)
            failures.append(f"{place} ({error})")
    raise OSError(
        f"{vectors.path}: its vectors can be kept neither in {' nor in '.join(failures)}. "
        "Set LINSPECTOR_CACHE to a folder that can be written and has room for them."
    )
