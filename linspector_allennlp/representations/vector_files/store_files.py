import hashlib
import os
from pathlib import Path
from typing import Any, Optional

from linspector_allennlp.io.cache import cache_folder, file_stamp
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.representations.vector_files.vector_sources import files_beside


class StoreFiles:
    """
    A file of word vectors, its word list if one is named, and where their store may be.

    `stamp` is what shows that one of them, or a file that belongs to them, has changed; `places`
    is beside the source and, where that cannot be written, in the user's cache.
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
        return [self.source.with_name(f"{name}.store"), cache_folder() / f"{name}.{key}.store"]


def _existing(path: PathLike, expected: str) -> Path:
    absolute = Path(os.path.abspath(path))
    if not absolute.exists():
        raise FileNotFoundError(f"{absolute}: no such file; expected {expected}")
    return absolute
