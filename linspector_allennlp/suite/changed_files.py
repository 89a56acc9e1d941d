"""The files of finished runs that are not what they were: a run would have other scores today."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linspector_allennlp.io.files import sha256
from linspector_allennlp.io.regular import read_text
from linspector_allennlp.run_folders.run_record import NAME as RUN_RECORD
from linspector_allennlp.sentence_files import part_of
from linspector_allennlp.suite.needed_files import needed_files


class ChangedFiles:
    """Looks at runs; a file that several have in common is read once."""

    def __init__(self) -> None:
        self._sums: dict[str, str] = {}

    def of(self, folder: Path, settings: Mapping[str, Any]) -> list[str]:
        """
        The changed files of a finished run: of the data those with another content, wherever the study goes on;
        of the representation, which may be large, those that are newer than the run.
        """
        finished = _changed(str(folder / RUN_RECORD))
        known = dict(_files(json_object(folder / "provenance.json").get("data")))
        newer = (p for p in needed_files(settings) if p not in known and _changed(p) > finished)
        return [*(path for path, sum_then in known.items() if self._sum(path) != sum_then), *newer]

    def _sum(self, path: str) -> str:
        """Nothing for a file that is not there: that is said elsewhere, where it is needed."""
        if path not in self._sums:
            self._sums[path] = sha256(path) if os.path.isfile(path) else ""
        return self._sums[path]


def _files(data: Any) -> Iterator[tuple[str, str]]:
    """The path and the content of each file in a record of data."""
    if isinstance(data, dict):
        path, content = data.get("path"), data.get("sha256")
        if isinstance(path, str) and isinstance(content, str) and "://" not in path:
            yield part_of(path)[0], content
    for each in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _files(each)


def json_object(path: Path) -> dict[str, Any]:
    """The object in a file; an empty one if there is none, or it cannot be read."""
    try:
        content = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _changed(path: str) -> float:
    """When a file was written last; long ago if there is none."""
    try:
        return os.stat(os.path.expanduser(path)).st_mtime
    except OSError:
        return 0.0
