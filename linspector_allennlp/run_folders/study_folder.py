"""
The on-disk contract of a study, which is what `probe-suite` makes:

| name | what it is |
|---|---|
| `suite.json` | the suite as it was evaluated, and its plan: a row for each run |
| `runs/NAME/` | the run folders; one is there when the run is finished, and not before |
| `failed/NAME.json` | the error of a run that failed, until it is run again |
| `results.parquet`, `results.csv` | the table of all finished runs of the plan |
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from linspector_allennlp.io.files import PathLike, write_json
from linspector_allennlp.run_folders.run_record import NAME as RUN_RECORD

NAME = "suite.json"
FORMAT = 1


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

    @staticmethod
    def is_study(path: PathLike) -> bool:
        return Path(path, NAME).is_file()

    def write_plan(self, suite: Mapping[str, Any], rows: Iterable[PlannedRow]) -> None:
        runs = [{**row._asdict(), "columns": dict(row.columns)} for row in rows]
        content = {"format": FORMAT, "suite": dict(suite), "runs": runs}
        self.path.mkdir(parents=True, exist_ok=True)
        write_json(self.path / NAME, content)

    def suite(self) -> dict[str, Any]:
        return dict(self._content()["suite"])

    def plan(self) -> list[PlannedRow]:
        try:
            return [PlannedRow(**row) for row in self._content()["runs"]]
        except (KeyError, TypeError) as error:
            raise ValueError(
                f"{self.path / NAME}: expected the plan of a study; {error}."
            ) from error

    def run_path(self, name: str) -> Path:
        return self.runs / name

    def is_finished(self, row: PlannedRow) -> bool:
        """Whether the run is there, and of this config."""
        try:
            content = json.loads((self.runs / row.name / RUN_RECORD).read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return False
        except ValueError as error:
            raise ValueError(
                f"{self.runs / row.name / RUN_RECORD}: expected JSON; {error}."
            ) from error
        return isinstance(content, dict) and content.get("config") == row.digest

    def _content(self) -> dict[str, Any]:
        place = self.path / NAME
        try:
            content = json.loads(place.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{self.path} is not a study: it has no {NAME}.") from error
        except ValueError as error:
            raise ValueError(f"{place}: expected JSON; {error}.") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"{place}: expected the plan of a study in format {FORMAT}.")
        return content
