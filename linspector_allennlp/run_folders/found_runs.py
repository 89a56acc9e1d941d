"""The finished runs in studies and run folders, one at a time, and what to say of the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.run_folders.run_folder import RunFolder
from linspector_allennlp.run_folders.study_folder import StudyFolder

Say = Callable[[str], None]


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
            run = RunFolder.read(path)
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
            run = RunFolder.read(path)
        except (ValueError, OSError) as error:
            say(f"Left out: {error}")
            continue
        if run.record.config == row.digest:
            yield FoundRun(row.name, row.columns, run, str(study.path))
        else:
            say(
                f"Left out: {path} is a run of another config than the plan's. The study is unfinished."
            )


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
