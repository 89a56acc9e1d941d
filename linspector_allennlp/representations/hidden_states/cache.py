"""The features of all representations in the cache: their folders, their sizes, and room for new ones."""

import hashlib
import json
import logging
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Optional

from linspector_allennlp.io.cache import cache_folder
from linspector_allennlp.io.locks import lock_of
from linspector_allennlp.io.private import make_private
from linspector_allennlp.io.regular import read_text
from linspector_allennlp.io.temporary import temporary_folder
from linspector_allennlp.representations.hidden_states.segment import FeatureSegment

logger = logging.getLogger(__name__)

DEFAULT_LIMIT_GB = 20.0


def writable_folder(folder: Path) -> Path:
    """The folder or, where it cannot be made or written, a temporary one of this process."""
    try:
        make_private(folder)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        logger.warning(
            "The features cannot be kept in %s (%s), so the next run computes them again. Set "
            "LINSPECTOR_CACHE to a folder that can be written.",
            folder,
            error,
        )
    temporary = Path(_folder_of_this_process().name, folder.name)
    temporary.mkdir(exist_ok=True)
    return temporary


@cache
def _folder_of_this_process() -> tempfile.TemporaryDirectory:
    return temporary_folder("linspector_features")


def features_name(content: dict[str, Any]) -> str:
    """The name of the folder of a representation, by all that decides the vectors, and `type`."""
    text = json.dumps(content, sort_keys=True)
    digest = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    return f"{content['type']}-{digest}"


def known_features(identity: dict[str, Any]) -> Optional[dict[str, Any]]:
    """What is known of the features of a representation, if it has ever had any in the cache."""
    for folder in (cache_folder() / "features").glob(f"{identity['type']}-*"):
        content = _description(folder)
        content.pop("source", None)
        same = all(key in content and content[key] == value for key, value in identity.items())
        if same and features_name(content) == folder.name:  # or it is not what was written
            return content
    return None


class CachedFeatures(NamedTuple):
    """The features of one representation."""

    folder: Path
    representation: dict[str, Any]
    num_sentences: int
    num_words: int
    num_bytes: int
    last_used: float
    """In seconds since 1970."""


def size_limit() -> float:
    """The most bytes that all features may take: `LINSPECTOR_CACHE_GB`, or 20 GB."""
    setting = os.environ.get("LINSPECTOR_CACHE_GB") or DEFAULT_LIMIT_GB
    try:
        limit = float(setting)
    except ValueError:
        limit = -1
    if not limit >= 0:
        raise ValueError(f"LINSPECTOR_CACHE_GB: expected a number of gigabytes, found {setting!r}.")
    return limit * 1e9


def list_features() -> list[CachedFeatures]:
    """The features in the cache, the last used first."""
    found = [(folder, _segments(folder)) for folder in _folders()]
    entries = [_entry(folder, segments) for folder, segments in found if segments]
    return sorted(entries, key=lambda entry: entry.last_used, reverse=True)


def _entry(folder: Path, segments: list[tuple[Path, int, float]]) -> CachedFeatures:
    shapes = []
    for place, _, _ in segments:
        with suppress(OSError, ValueError):  # a damaged one is for its next reader to mend
            shapes.append(FeatureSegment(place).shape)
    return CachedFeatures(
        folder,
        _description(folder),
        sum(shape.sentences for shape in shapes),
        sum(shape.words for shape in shapes),
        sum(num_bytes for _, num_bytes, _ in segments),
        max(mtime for _, _, mtime in segments),
    )


def _description(folder: Path) -> dict[str, Any]:
    """What the features are of; nothing if that is not known."""
    try:
        content = json.loads(read_text(folder / "representation.json"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def make_room(
    limit: Optional[float] = None,
    spared: Collection[Path] = (),
    unused_since: Optional[float] = None,
) -> int:
    """
    Removes segments, those that were used the longest ago first, until the others fit.

    # Parameters

    limit : `float`, optional (default = `size_limit()`)
        In bytes.
    spared : `Collection[Path]`, optional
        Segments that are in use.
    unused_since : `float`, optional
        Those that were last used before this time go in any case.

    # Returns

    `int`: how many bytes were removed.
    """
    limit = size_limit() if limit is None else limit
    segments = _segments(cache_folder() / "features")
    left = total = sum(num_bytes for _, num_bytes, _ in segments)
    for place, num_bytes, mtime in sorted(segments, key=lambda segment: segment[2]):
        too_old = unused_since is not None and mtime < unused_since
        if place not in spared and (left > limit or too_old):
            try:
                place.unlink(missing_ok=True)
                left -= num_bytes
            except OSError as error:  # another user's: no reason to end a run that has its features
                logger.warning("%s cannot be removed to make room: %s", place, error)
    if left > limit:
        logger.warning(
            "The features of this run need %.3g GB, more than LINSPECTOR_CACHE_GB (%.3g) allows; "
            "they stay until they are not in use any more.",
            left / 1e9,
            limit / 1e9,
        )
    return total - left


def remove_features(names: Iterable[str]) -> int:
    """Removes all features of some representations; gives how many bytes they had."""
    wanted = dict.fromkeys(names)
    folders = {folder.name: folder for folder in _folders()}
    for name in wanted:
        if name not in folders:
            raise ValueError(
                f"{name}: there are no features of this name in {cache_folder() / 'features'}; "
                "`linspector probe-cache list` shows the names."
            )
    segments = [segment for name in wanted for segment in _segments(folders[name])]
    for place, _, _ in segments:
        place.unlink(missing_ok=True)
    return sum(num_bytes for _, num_bytes, _ in segments)


def remove_empty_folders() -> None:
    """Removes the folders of representations that have no features left."""
    for folder in _folders():
        # A process that writes the first features of a folder holds its lock.
        with suppress(OSError, NotImplementedError), lock_of(folder).acquire(timeout=0):
            if not _segments(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _folders() -> list[Path]:
    features = cache_folder() / "features"
    return [folder for folder in features.glob("*") if folder.is_dir()]


def _segments(folder: Path) -> list[tuple[Path, int, float]]:
    """Path, size and time of last use of all segments in a folder, or in folders in it."""
    segments = []
    for parent, _, names in os.walk(folder):  # which does not mind that a folder is removed
        for place in [Path(parent, name) for name in names if name.endswith(".features")]:
            with suppress(FileNotFoundError):  # another process removed it
                status = place.stat()
                segments.append((place, status.st_size, status.st_mtime))
    return segments
