"""Finding the tasks below a folder: where they are, what they are called, what was written of them."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from linspector_allennlp.audit.task_kinds import (
    PAIRED_TOKENS,
    SENTENCE_KINDS,
    TOKEN_IN_CONTEXT,
)
from linspector_allennlp.formats import MANIFEST, SPLITS
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.json_objects import read_json_object
from linspector_allennlp.sentence_files import SENTEVAL_FILE

LEVELS = ("type-level", "token-level", "syneval", "sentence-level")

TASK_FILES = frozenset([*(f"{split}.txt" for split in SPLITS), SENTEVAL_FILE])
"""What makes a folder that of a task."""


def find_tasks(data: Iterable[PathLike]) -> list[Path]:
    """
    The tasks at these paths, none twice: a file of SentEval's is one, of a folder all folders of tasks at or
    below it.
    """
    found: dict[str, Path] = {}
    for path in map(Path, data):
        # Ours has the name of its task in the folder.
        folder = path.parent if path.is_file() and path.name == SENTEVAL_FILE else path
        for task in [folder] if folder.is_file() else find_task_folders(folder):
            found.setdefault(os.path.realpath(task), task)
    return sorted(found.values())


def find_task_folders(data: PathLike) -> list[Path]:
    """
    The folders at or below `data` that have a `train.txt`, `dev.txt` or `test.txt`, or a file of SentEval's,
    `senteval.txt`, sorted. Links are followed, but no folder is given twice.
    """
    if not os.path.isdir(data):
        raise ValueError(f"{data}: expected a folder with tasks, found no folder of that name.")
    found, seen = [], set()
    for folder, below, files in os.walk(data, followlinks=True):
        real = os.path.realpath(folder)
        if real in seen:
            below.clear()
            continue
        seen.add(real)
        # A name with a dot is a task that a killed process was about to write.
        below[:] = sorted(name for name in below if not name.startswith("."))
        if not TASK_FILES.isdisjoint(files):
            found.append(Path(folder))
    if not found:
        raise ValueError(
            f"{data}: expected TASK/LANGUAGE folders with train.txt, dev.txt and test.txt at any "
            "depth, found none. Give a file of SentEval's by its own name."
        )
    return sorted(found)


def task_and_language(folder: Path) -> tuple[str, str]:
    """
    The names that a folder `…/TASK/LANGUAGE` gives, also when it is called `.`; or a file of SentEval's,
    `…/LANGUAGE/TASK.txt`.
    """
    path = Path(os.path.abspath(folder))
    return (path.stem, path.parent.name) if path.is_file() else (path.parent.name, path.name)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The `manifest.json` beside the splits; nothing if there is none."""
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    return read_json_object(path)


def level_of(folder: Path, manifest: dict[str, Any], kind: str) -> str:
    """By the manifest, or the nearest folder above that is named after a level, or the rows."""
    if isinstance(manifest.get("level"), str):
        return manifest["level"]
    for name in reversed(Path(os.path.abspath(folder)).parts):
        if name.replace("_", "-") in LEVELS:
            return name.replace("_", "-")
    if kind in SENTENCE_KINDS:
        return "sentence-level"
    return "token-level" if kind in (TOKEN_IN_CONTEXT, PAIRED_TOKENS) else "type-level"
