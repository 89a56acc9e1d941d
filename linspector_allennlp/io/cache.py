"""The user's cache folder: results that are expensive to compute, and always reproducible."""

import hashlib
import json
import logging
import os
from pathlib import Path
from typing import Any

from linspector_allennlp.io.files import PathLike, sha256, write_json
from linspector_allennlp.io.private import make_private, user_folder
from linspector_allennlp.io.regular import open_regular, read_text, regular

logger = logging.getLogger(__name__)

_SAMPLE = 1 << 16  # bytes of a file at its beginning, middle and end


def cache_folder() -> Path:
    """
    `LINSPECTOR_CACHE`, or `linspector_allennlp` in the user's folder for caches; in it a folder of this
    user's, where others can write to it. Those in it are made by `make_private`.
    """
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = os.environ.get("LINSPECTOR_CACHE") or Path(caches, "linspector_allennlp")
    return user_folder(Path(folder))


def file_stamp(path: PathLike) -> dict[str, Any]:
    """What shows that a file has changed, without reading the whole of it."""
    status, sample = os.stat(path), hashlib.sha256()
    with open_regular(path) as file:
        for start in (0, (status.st_size - _SAMPLE) // 2, status.st_size - _SAMPLE):
            file.seek(max(0, start))
            sample.update(file.read(_SAMPLE))
    return {"size": status.st_size, "mtime_ns": status.st_mtime_ns, "sample": sample.hexdigest()}


def file_digest(path: PathLike) -> str:
    """
    The SHA-256 of a file. It is remembered in the cache with the file's stamp, because a model of
    a gigabyte takes seconds to read.
    """
    path = os.path.realpath(regular(path))
    stamp = file_stamp(path)
    name = hashlib.blake2b(os.fsencode(path), digest_size=16).hexdigest()
    memory = cache_folder() / "digests" / f"{name}.json"
    try:
        remembered = json.loads(read_text(memory))
        if remembered["stamp"] == stamp:
            return str(remembered["sha256"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass  # there is none, or it was cut short: it is computed again
    digest = sha256(path)
    try:
        make_private(memory.parent)
        write_json(memory, {"path": path, "stamp": stamp, "sha256": digest})
    except (OSError, UnicodeError) as error:
        logger.info("the digest of %s cannot be remembered: %s", path, error)
    return digest
