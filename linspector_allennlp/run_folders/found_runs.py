"""The finished runs in studies and run folders, one at a time, and what to say of the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.run_folders.table_columns import fits, plan_cells

Say = Callable[[str], None]

UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)
"""What files of others may lead to."""


class FoundRun(NamedTuple):
    """
    # Parameters

    name : `str`
        That of its folder in a study, or the path of a folder that is in none.
    columns : `Mapping[str, Any]`
        What it is called, by `PLAN_COLUMNS`.
    run : `RunFolder`
    study : `str`, optional (default = `""`)
        The path of the study.
    """

    name: str
    columns: Mapping[str, Any]
    run: RunFolder
    study: str = ""

    def called(self, name: str) -> Any:
        """What is in a column, which may be one of the settings that the suite varies."""
        if name in ("study", "name"):
            return getattr(self, name)
        return {**(self.columns.get("settings") or {}), **self.columns}.get(name)


def find_runs(paths: Iterable[PathLike], say: Say) -> Iterator[FoundRun]:
    """
    The finished runs in these folders, each once. A run folder that is unfinished, and what is missing in
    a study, is said.
    """
    for path in dict.fromkeys(str(Path(path)) for path in paths):
        if StudyFolder.is_study(path):
            study = StudyFolder(path)
            yield from study_runs(study, say)
            say_progress(study, say)
            continue
        try:
            run = read_run(path)
        except FileNotFoundError as error:
            say(str(error))
        else:
            yield FoundRun(path, run.columns, run)


def study_runs(study: StudyFolder, say: Say) -> Iterator[FoundRun]:
    """The finished runs of a study's plan, in its order. Those that cannot be read are said and left out."""
    for row in study.plan():
        path = study.run_path(row.name)
        if not path.exists():
            continue
        try:
            run = read_run(path)
            _check_columns(path, row.columns)
        except (ValueError, OSError) as error:
            say(f"Left out: {error}")
            continue
        if run.record.config == row.digest:
            yield FoundRun(row.name, row.columns, run, str(study.path))
        else:
            say(
                f"Left out: {path} is a run of another config than the plan's. The study is unfinished."
            )


def readable_rows(
    found: FoundRun, what: str, rows: Iterable[dict[str, Any]], say: Say
) -> list[dict[str, Any]]:
    """The rows of a run; none where its file is not there, is damaged, or has what no table can have."""
    try:
        return list(rows)
    except FileNotFoundError:
        return []
    except UNREADABLE as error:
        say(f"Left out: the {what} of {found.run.path}; {error!r}.")
        return []


def read_run(path: PathLike) -> RunFolder:
    """A run whose scores can be shown, and compared with those of others."""
    run = RunFolder.read(path)
    _check_numbers(run, [key for key in run.metrics if key.startswith("best_validation_")])
    warnings = run.provenance.get("warnings", [])
    if not isinstance(warnings, list) or not all(isinstance(text, str) for text in warnings):
        raise ValueError(
            f"{run.path / 'provenance.json'}: expected warnings as a list of text, found {warnings!r:.80}"
        )
    for key in ("data", "versions"):
        if not isinstance(found := run.provenance.get(key, {}), dict):
            raise ValueError(
                f"{run.path / 'provenance.json'}: expected {key} by name, found {found!r:.80}"
            )
    return run


def _check_numbers(run: RunFolder, keys: Iterable[str]) -> None:
    for key in keys:
        value = run.metrics.get(key)
        if value is not None and not fits(value, float):
            raise ValueError(
                f"{run.path / 'metrics.json'}: expected a number, found {key}: {value!r:.80}"
            )


def _check_columns(path: Path, columns: Mapping[str, Any]) -> None:
    """Refuses what the plan calls a run, where that can be in no table."""
    try:
        plan_cells(columns)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}, as the plan calls it: {error}") from error


def say_progress(study: StudyFolder, say: Say) -> None:
    """How many runs of the plan are not there."""
    missing = [row.name for row in study.plan() if not study.run_path(row.name).exists()]
    failed = sum((study.failed / f"{name}.json").exists() for name in missing)
    counts = [f"{failed} failed (see {study.failed})"] if failed else []
    if len(missing) > failed:
        counts.append(f"{len(missing) - failed} still to be trained")
    if counts:
        total = len(study.plan())
        say(f"{study.path}: {total - len(missing)} of {total} runs are there; {', '.join(counts)}.")
