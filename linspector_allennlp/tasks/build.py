"""
The only writer of tasks: `ROOT/TASK/LANGUAGE/{train,dev,test}.txt` with a `manifest.json` beside
them, complete or not at all, and `ROOT/manifest.json` on what was made and what was not.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linspector_allennlp.files import PathLike, replacing_folder, sha256, write_json
from linspector_allennlp.formats import write_rows
from linspector_allennlp.tasks.probing_task import TaskData

MANIFEST = "manifest.json"


class TaskWriter:
    """
    # Parameters

    root : `PathLike`
        Where task folders go.
    recipe : `Mapping[str, Any]`
        What the tasks are made from and how, JSON-able: "level", "language", "settings",
        "inputs", "versions". Nothing in it may depend on the machine or the time.
    force : `bool`, optional (default = `False`)
        Whether to replace tasks that are there.
    """

    def __init__(self, root: PathLike, recipe: Mapping[str, Any], force: bool = False) -> None:
        self._root = Path(root)
        self._recipe = dict(recipe)
        self._force = force
        self._made: dict[str, Any] = {}
        self._not_made: dict[str, str] = {}

    def is_there(self, task: str) -> bool:
        """
        Whether the same recipe has made this task already. One that another recipe has made is
        an error, unless it is to be replaced; a task of another level is never replaced.
        """
        folder = self._folder(task)
        if not folder.exists():
            return False
        found = _read(folder / MANIFEST)
        level = self._recipe["level"]
        if found.get("level", level) != level:
            raise ValueError(
                f"{folder} holds a {found['level']} task: choose another --output for {level}."
            )
        if self._force:
            return False
        if {key: found.get(key) for key in self._recipe} == self._recipe:
            self._made[task] = _summary(found)
            return True
        raise ValueError(
            f"{folder} exists and was made otherwise. --force replaces it; another --output "
            "keeps both."
        )

    def write(self, data: TaskData) -> None:
        """Writes a task."""
        manifest = {
            "task": data.name,
            "kind": data.kind,
            **self._recipe,
            "labels": data.label_counts,
            "facts": data.facts,
            "notes": data.notes,
        }
        with replacing_folder(self._folder(data.name)) as folder:
            for split, rows in data.splits.items():
                write_rows(folder / f"{split}.txt", data.kind, rows)
            manifest["files"] = {
                f"{split}.txt": {"rows": len(rows), "sha256": sha256(folder / f"{split}.txt")}
                for split, rows in data.splits.items()
            }
            write_json(folder / MANIFEST, manifest)
        self._made[data.name] = _summary(manifest)

    def leave_out(self, task: str, reason: str) -> None:
        """Records that there is no such task."""
        self._not_made[task] = reason

    def finish(self, reading: Mapping[str, Any]) -> None:
        """
        Writes what this run did into the manifest of the root, beside what other runs did there.

        # Parameters

        reading : `Mapping[str, Any]`
            What was found in the inputs: counts of rows, of bad lines, of unknown tags.
        """
        path = self._root / MANIFEST
        runs = _read(path)
        runs[f"{self._recipe['level']} {self._recipe['language']}"] = {
            **self._recipe,
            "reading": dict(reading),
            "made": dict(sorted(self._made.items())),
            "not_made": dict(sorted(self._not_made.items())),
        }
        self._root.mkdir(parents=True, exist_ok=True)
        write_json(path, dict(sorted(runs.items())))

    def _folder(self, task: str) -> Path:
        return self._root / task / self._recipe["language"]


def _summary(manifest: Mapping[str, Any]) -> dict[str, Any]:
    rows = {name: file["rows"] for name, file in manifest["files"].items()}
    return {"rows": rows, "labels": manifest["labels"], "notes": manifest["notes"]}


def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no JSON: {error}. Remove it, or mend it.") from error
