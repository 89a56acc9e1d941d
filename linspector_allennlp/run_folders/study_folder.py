"""
The on-disk contract of a study, which is what `probe-suite` makes:

| name | what it is |
|---|---|
| `suite.json` | the suite as it was evaluated, and its plan: a row for each run |
| `runs/NAME/` | the run folders; one is there when the run is finished, and not before |
| `failed/NAME.json` | the error of a run that failed, until it is run again |
| `results.parquet`, `results.csv` | the table of all finished runs of the plan |
| `log/` | what the processes on this machine had to say |
| `.unfinished/` | the runs that are being trained, a folder for each process at work |
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Optional

from linspector_allennlp.io.files import PathLike, replace_folder, restore_folder, write_json
from linspector_allennlp.io.missing_files import listed
from linspector_allennlp.io.regular import read_text
from linspector_allennlp.run_folders.run_record import NAME as RUN_RECORD
from linspector_allennlp.run_folders.table_columns import fits
from linspector_allennlp.run_folders.work_folder import is_given_up, is_work_folder, work_folder

NAME = "suite.json"
FORMAT = 1

MOST_BYTES = 255
"""Of the name of a file."""


class PlannedRow(NamedTuple):
    """
    A run of a study's plan.

    # Parameters

    name : `str`
        That of its folder.
    digest : `str`
        That of its config, as in `run.json`.
    columns : `Mapping[str, Any]`
        What the suite calls it; see `suite.planned_run.COLUMNS`.
    """

    name: str
    digest: str
    columns: Mapping[str, Any]

    def check(self) -> None:
        """Refuses what cannot be planned: somebody else may have written the plan."""
        if not fits(self.name, str) or not _is_file_name(self.name):
            raise ValueError(f"expected the name of a folder, found {self.name!r:.80}")
        if not isinstance(self.digest, str):
            raise ValueError(f"{self.name}: expected a digest, found {self.digest!r:.80}")
        if not isinstance(self.columns, Mapping):
            raise ValueError(f"{self.name}: expected columns by name, found {self.columns!r:.80}")
        settings = self.columns.get("settings")
        if not isinstance(settings, (Mapping, type(None))):
            raise ValueError(f"{self.name}: expected settings by name, found {settings!r:.80}")


class StudyFolder:
    """
    The paths and the plan of a study.

    # Parameters

    path : `PathLike`
    """

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path)
        self.runs = self.path / "runs"
        self.failed = self.path / "failed"
        self.log = self.path / "log"
        self.unfinished = self.path / ".unfinished"

    @staticmethod
    def is_study(path: PathLike) -> bool:
        return Path(path, NAME).is_file()

    def check(self) -> None:
        """Refuses a folder with files that are not of a study: they are somebody's."""
        if self.path.exists() and not self.path.is_dir():
            raise ValueError(f"{self.path} is a file: expected a folder for the study.")
        if self.is_study(self.path) or not self.path.exists():
            return
        # What is left of a start that was killed in its first moment.
        names = [p.name for p in self.path.iterdir() if not p.match(f".{NAME}.*.tmp")]
        if names:
            raise ValueError(
                f"{self.path} is not a study, and is left as it is: it holds {listed(names)}. "
                "Choose another folder."
            )

    def write_plan(self, suite: Mapping[str, Any], rows: Iterable[PlannedRow]) -> None:
        runs = [{**row._asdict(), "columns": dict(row.columns)} for row in rows]
        content = {"format": FORMAT, "suite": dict(suite), "runs": runs}
        self.path.mkdir(parents=True, exist_ok=True)
        write_json(self.path / NAME, content)

    def suite(self) -> dict[str, Any]:
        return dict(self._content()["suite"])

    def plan(self) -> list[PlannedRow]:
        content = self._content()
        try:
            rows = [PlannedRow(**row) for row in content["runs"]]
            for row in rows:
                row.check()
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{self.path / NAME}: expected the plan of a study; {error}."
            ) from error
        return rows

    def run_path(self, name: str) -> Path:
        return self.runs / name

    def is_finished(self, row: PlannedRow) -> bool:
        """Whether the run is there, and of this config."""
        return _is_run(self.runs / row.name, row.digest)

    @contextmanager
    def work_folder(self) -> Iterator[Path]:
        """A folder for the runs that a process trains; see `take_in`."""
        with work_folder(self.unfinished) as folder:
            yield folder

    def take_in(self, folder: Path, row: PlannedRow) -> None:
        """
        Gives a run that was trained elsewhere its place, in one step; if another process was faster, that
        one's stays.
        """
        if self.is_finished(row):
            shutil.rmtree(folder)
            return
        self.runs.mkdir(exist_ok=True)
        try:
            replace_folder(folder, self.run_path(row.name))
        except OSError:
            if not self.is_finished(row):
                raise
            shutil.rmtree(folder, ignore_errors=True)

    def sweep(self, rows: Iterable[PlannedRow]) -> None:
        """
        Removes what killed processes have left half done, and takes in what they had finished. Only for
        who holds the study's lock.
        """
        by_name = {row.name: row for row in rows}
        for left in self.path.glob(".*.[0-9]*.tmp"):
            if not left.is_dir():
                left.unlink(missing_ok=True)
        if self.runs.is_dir():  # cut off while one folder took the place of another
            for old in self.runs.glob(".*.old"):
                restore_folder(self.runs / old.name[1:].rsplit(".", 2)[0])
        # Behind a link there may be anybody's files.
        for place in () if self.unfinished.is_symlink() else self.unfinished.glob("*"):
            if not is_work_folder(place) or not is_given_up(place):
                continue
            for folder in place.iterdir():
                row = by_name.get(folder.name)
                if row is not None and _is_run(folder, row.digest):
                    self.take_in(folder, row)
            shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):  # somebody is at work, or nobody ever was
            self.unfinished.rmdir()

    def others(self, rows: Iterable[PlannedRow]) -> list[str]:
        """The names of the folders in `runs` that are not of this plan."""
        names = {row.name for row in rows}
        if not self.runs.is_dir():
            return []
        found = (path.name for path in self.runs.iterdir())
        return sorted(name for name in found if name not in names and not name.startswith("."))

    def write_failure(self, name: str, content: Mapping[str, Any]) -> None:
        self.failed.mkdir(exist_ok=True)
        write_json(self.failed / f"{name}.json", content)

    def forget_failure(self, name: str) -> None:
        (self.failed / f"{name}.json").unlink(missing_ok=True)
        with suppress(OSError):  # there are others, or there never was one
            self.failed.rmdir()

    def _content(self) -> dict[str, Any]:
        place = self.path / NAME
        try:
            content = json.loads(read_text(place))
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{self.path} is not a study: it has no {NAME}.") from error
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{place}: expected JSON; {error}.") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"{place}: expected the plan of a study in format {FORMAT}.")
        return content


def _is_file_name(name: str) -> bool:
    """Whether it is the name of one file in its folder, on any system."""
    is_one = name not in ("", ".", "..") and not set(name) & set("/\\\0")
    return is_one and len(name.encode()) <= MOST_BYTES


def _is_run(folder: Path, digest: str) -> bool:
    """Whether a finished run is there, and of this config; not if a power cut has left a file of it empty."""
    record, metrics = (_object(folder / name) for name in (RUN_RECORD, "metrics.json"))
    return metrics is not None and record is not None and record.get("config") == digest


def _object(path: Path) -> Optional[dict[str, Any]]:
    """The JSON object in a file, if there is one."""
    try:
        content = json.loads(read_text(path)) if path.is_file() else None
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
