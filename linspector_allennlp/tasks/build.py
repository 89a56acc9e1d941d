"""
The only writer of tasks: `ROOT/TASK/LANGUAGE/{train,dev,test}.txt`, or one file of SentEval's layout,
with a `manifest.json` beside them, complete or not at all, and `ROOT/manifest.json` on what was made
and what was not.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.formats import MANIFEST, changed_files, write_rows
from linspector_allennlp.io.files import PathLike, replacing_folder, sha256, write_json
from linspector_allennlp.io.locks import exclusively, refusing_others
from linspector_allennlp.io.regular import read_text
from linspector_allennlp.sentence_files import SENTEVAL_FILE, write_senteval
from linspector_allennlp.tasks.task_data import TaskData

COLUMN_FILES, SENTEVAL_LAYOUT = LAYOUTS = ("columns", "senteval")


class TaskWriter:
    """
    # Parameters

    root : `PathLike`
        Where task folders go.
    level, language : `str`
        What the tasks are ("type-level"), and in which language.
    settings : `Mapping[str, Any]`
        How they are made, JSON-able.
    force : `bool`, optional (default = `False`)
        Whether to replace tasks that are there.
    layout : `str`, optional (default = `"columns"`)
        One of `LAYOUTS`: a file for each split, or, for tasks of sentences, SentEval's one for all.
    """

    def __init__(
        self,
        root: PathLike,
        level: str,
        language: str,
        settings: Mapping[str, Any],
        force: bool = False,
        layout: str = COLUMN_FILES,
    ) -> None:
        if layout not in LAYOUTS:
            raise ConfigurationError(f"format is {layout!r}, but must be one of {LAYOUTS}")
        self._layout = layout
        self._root = Path(root)
        self._level = level
        self._language = language
        self._settings = dict(settings)
        self._force = force
        self._made: dict[str, Any] = {}
        self._not_made: dict[str, str] = {}

    @contextmanager
    def alone(self) -> Iterator[None]:
        """
        Refuses to go on while another process makes tasks of this level and language there: of two with
        other settings one would lose its tasks.
        """
        self._check_root()
        was_there = self._root.exists()
        try:
            with refusing_others(self._root / f"{self._language} {self._level}", "probe-data"):
                yield
        finally:
            if not was_there:
                with suppress(OSError):  # there is something in it
                    self._root.rmdir()

    def _check_root(self) -> None:
        if self._root.exists() and not self._root.is_dir():
            raise ValueError(f"{self._root} is a file: --output must be a folder.")

    def find(self, task: str, made_of: Mapping[str, Any]) -> Optional[dict[str, Any]]:
        """
        The manifest of this task, if it was made before, of the same and in the same way, and is
        still as it was made. One that is not is an error, unless it is to be replaced; a task of
        another level is never replaced.

        # Parameters

        made_of : `Mapping[str, Any]`
            The inputs and versions, JSON-able. Nothing in it may depend on the machine or the time.
        """
        self._check_root()
        folder = self._folder(task)
        if not folder.exists():
            return None
        found = _read(folder / MANIFEST)
        if found.get("level", self._level) != self._level:
            raise ValueError(
                f"{folder} holds a {found['level']!s:.80} task: choose another --output for {self._level}."
            )
        if self._force:
            return None
        wanted = self._recipe(made_of)
        why = "was made otherwise"
        if {key: found.get(key) for key in wanted} == wanted:
            changed = changed_files(folder, found)
            if not changed:
                self._made[task] = _summary(found, folder / MANIFEST)
                return found
            why = f"is not as it was made ({', '.join(changed)})"
        raise ValueError(
            f"{folder} exists and {why}. --force replaces it; another --output keeps both."
        )

    def write(self, data: TaskData, made_of: Mapping[str, Any]) -> dict[str, Any]:
        """Writes a task and gives its manifest; for `made_of` see `find`."""
        with replacing_folder(self._folder(data.name)) as folder:
            files = self._write_splits(folder, data)
            manifest = {
                "task": data.name,
                "kind": data.kind,
                **self._recipe(made_of),
                "labels": data.label_counts,
                "facts": data.facts,
                "notes": data.notes,
                "files": files,
            }
            write_json(folder / MANIFEST, manifest)
        self._made[data.name] = _summary(manifest, self._folder(data.name) / MANIFEST)
        return manifest

    def _write_splits(self, folder: Path, data: TaskData) -> dict[str, dict[str, Any]]:
        """Writes the files of a task, and gives what its manifest says of them."""
        sizes = {split: len(rows) for split, rows in data.splits.items()}
        if self._layout == SENTEVAL_LAYOUT:
            path = folder / SENTEVAL_FILE
            write_senteval(path, {**data.splits})
            return {
                path.name: {"rows": sum(sizes.values()), "splits": sizes, "sha256": sha256(path)}
            }
        files = {}
        for split, rows in data.splits.items():
            path = folder / f"{split}.txt"
            write_rows(path, data.kind, rows)
            files[path.name] = {"rows": sizes[split], "sha256": sha256(path)}
        return files

    def leave_out(self, task: str, reason: str) -> str:
        """Records that there is no such task, and gives the reason as it is recorded."""
        if self._folder(task).exists():
            reason += "; what is there was made before, otherwise"
        self._not_made[task] = reason
        return reason

    def finish(self, reading: Mapping[str, Any]) -> None:
        """
        Writes what this run did into the manifest of the root, beside what other runs did there.

        # Parameters

        reading : `Mapping[str, Any]`
            What was found in the inputs: counts of rows, of bad lines, of unknown tags.
        """
        if not self._made and not self._not_made:
            return
        self._root.mkdir(parents=True, exist_ok=True)
        path = self._root / MANIFEST
        name = f"{self._level} {self._language}"
        # Processes that make several languages at once write here in turn.
        with exclusively(path, keep_lock=False):
            runs = _read(path)
            before = runs.get(name, {})
            for key in ("made", "not_made", "reading"):
                if not isinstance(before, dict) or not isinstance(before.get(key, {}), dict):
                    raise ValueError(
                        f"{path}: {name}: expected what was made by name, found {before!r:.80}. Remove "
                        "it, or mend it."
                    )
            runs[name] = self._merged(before, reading)
            write_json(path, dict(sorted(runs.items())))

    def _merged(self, before: Mapping[str, Any], reading: Mapping[str, Any]) -> dict[str, Any]:
        """Keeps the record of earlier runs, as far as their tasks are there and nothing replaced them."""
        made = {
            task: summary
            for task, summary in before.get("made", {}).items()
            if self._folder(task).exists()
        }
        not_made = dict(self._not_made)
        if before.get("settings") == self._settings:
            not_made = {**before.get("not_made", {}), **not_made}
        made.update(self._made)
        return {
            "settings": self._settings,
            "reading": {**before.get("reading", {}), **reading},
            "made": {task: made[task] for task in sorted(made)},
            "not_made": {
                task: not_made[task] for task in sorted(not_made) if task not in self._made
            },
        }

    def _recipe(self, made_of: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "level": self._level,
            "language": self._language,
            "settings": self._settings,
            **made_of,
        }

    def _folder(self, task: str) -> Path:
        return self._root / task / self._language


def _summary(manifest: Mapping[str, Any], path: Path) -> dict[str, Any]:
    kept = ("files", "labels", "notes", "settings", "inputs", "versions")
    missing = [key for key in kept if key not in manifest]
    if missing:
        raise ValueError(
            f"{path}: expected the manifest of a task, found no {missing[0]}. --force replaces it."
        )
    rows = {name: file.get("rows") for name, file in manifest["files"].items()}
    return {"rows": rows, **{key: manifest[key] for key in kept[1:]}}


def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        content = json.loads(read_text(path), parse_constant=_refuse_constant)
        json.dumps(content, ensure_ascii=False).encode()  # which halves of characters cannot be
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON: {error}. Remove it, or mend it.") from error
    if not isinstance(content, dict):
        raise ValueError(
            f"{path}: expected an object, found {content!r:.80}. Remove it, or mend it."
        )
    return content


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")
