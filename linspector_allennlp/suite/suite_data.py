"""The data of a grid: task folders, files of SentEval's, treebanks."""

import glob
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Optional, Union

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.analysis.selectivity import LEAST_OVERLAP
from linspector_allennlp.audit.task_folders import TASK_FILES, read_manifest, task_and_language
from linspector_allennlp.audit.task_kinds import SENTENCE_KINDS, kind_of
from linspector_allennlp.audit.task_rows import files_of, read_task
from linspector_allennlp.formats import task_of
from linspector_allennlp.io.missing_files import missing_file
from linspector_allennlp.languages import find_language
from linspector_allennlp.metrics.baselines import seen_forms
from linspector_allennlp.sentence_files import SENTEVAL_FILE, part_of
from linspector_allennlp.suite.downstream import (
    FOLDER_KEYS,
    LEVEL,
    OF_FOLDERS,
    is_downstream,
    task_of_kind,
)
from linspector_allennlp.suite.grid_values import check_keys, is_text

TREEBANK = "treebank"

TREEBANK_KEYS = ("treebank", "targets", "probes", "language")

TREES = "trees"
"""What the probes of trees and heads are called as a task, as in their records."""


@dataclass(frozen=True)
class SuiteData:
    """
    The data of a task in a language.

    # Parameters

    kind : `str`
        One of `audit.task_kinds.KINDS`, `treebank`, or that of a downstream task.
    task, language : `str`
        A treebank has no task until a probe is chosen.
    data : `Union[str, Mapping[str, Any]]`
        As a config has it.
    targets : `Sequence[Any]`
        Of a treebank: the tags to tell.
    probes : `Any`
        Of a treebank: its own, in place of those of the grid.
    """

    kind: str
    task: str
    language: str
    data: Union[str, Mapping[str, Any]]
    targets: Sequence[Any] = ()
    probes: Any = None

    @cached_property
    def control_can_be_learned(self) -> bool:
        """
        Whether the test data have words of the training data, as `analysis.selectivity` asks of a finished
        run. Those of a treebank do.
        """
        if self.kind == TREEBANK or is_downstream(self.kind):
            return True
        folder = Path(str(self.data))
        folder = folder.parent if folder.name == SENTEVAL_FILE else folder
        splits = read_task(folder, read_manifest(folder)).splits
        train, test = ([row.item for row in splits.get(name, [])] for name in ("train", "test"))
        seen = seen_forms(train, test)
        return sum(seen) >= LEAST_OVERLAP * len(seen)


def find_data(data: Sequence[str], tasks: Sequence[Any], notes: list[str]) -> list[SuiteData]:
    """
    All that is there of the tasks of a grid, in all languages, none twice. A task that is not there is noted;
    it is refused if it is the only one.

    # Parameters

    data : `Sequence[str]`
        Folders with `TASK/LANGUAGE`.
    tasks : `Sequence[Any]`
        Names of tasks and patterns, below these folders; and treebanks, as `{"treebank": …}`.
    """
    found: list[SuiteData] = []
    for task in tasks:
        if isinstance(task, str):
            of_name = _of_name(data, task)
            if not of_name:
                missing = _missing_task(data, task)
                if len(tasks) == 1:
                    raise ConfigurationError(missing)
                notes.append(f"{task} is left out. {missing}")
            found += of_name
        elif isinstance(task, Mapping):
            found += _downstream(task) if LEVEL in task else _treebanks(task)
        else:
            raise ConfigurationError(f"tasks: expected names or treebanks, found {task!r}.")
    return [each for i, each in enumerate(found) if each not in found[:i]]


def _of_name(data: Sequence[str], name: str) -> list[SuiteData]:
    if not data:
        raise ConfigurationError(f"data: expected the folder in which the task {name} is.")
    found: list[SuiteData] = []
    for folder in data:
        pattern = os.path.join(folder, name)
        paths = glob.glob(pattern) + glob.glob(os.path.join(pattern, "*"))
        found += [_of_folder(path) for path in sorted(filter(_is_task, paths), key=_by_name)]
    return found


def _missing_task(data: Sequence[str], name: str) -> str:
    wanted = [os.path.join(folder, name, "LANGUAGE", "train.txt") for folder in data]
    return (
        f"There is no {' nor '.join(wanted)}." if glob.has_magic(name) else missing_file(wanted[0])
    )


def _by_name(path: str) -> tuple[str, str]:
    return task_and_language(Path(path))


def _is_task(path: str) -> bool:
    if os.path.isfile(path):
        return path.endswith(".txt") and os.path.basename(path) not in TASK_FILES
    return any(os.path.isfile(os.path.join(path, name)) for name in TASK_FILES)


def _of_folder(path: str) -> SuiteData:
    folder = Path(_in_utf8(path))
    task, language = task_and_language(folder)
    kind = read_manifest(folder).get("kind") if folder.is_dir() else None
    files = list(dict.fromkeys(part_of(file)[0] for file in files_of(folder).values()))
    kind = kind or next(filter(None, map(kind_of, map(Path, files))), None)
    if kind is None:
        raise ConfigurationError(
            f"{path}: expected task files, as docs/formats.md describes them; found no such rows."
        )
    is_one_file = len(files) == 1
    if is_one_file and kind not in SENTENCE_KINDS:
        raise ConfigurationError(f"{path}: expected a file of sentences in SentEval's layout.")
    return SuiteData(kind, task, language, files[0] if is_one_file else path)


def _treebanks(entry: Mapping[str, Any]) -> list[SuiteData]:
    check_keys("a treebank of tasks", entry, TREEBANK_KEYS)
    if "treebank" not in entry:
        raise ConfigurationError(f"tasks: expected a treebank in {dict(entry)}.")
    data, targets = entry["treebank"], entry.get("targets", [])
    targets = targets if isinstance(targets, list) else [targets]
    for target in targets:
        together = target if isinstance(target, list) else [target]
        if not together or not all(map(is_text, together)):
            raise ConfigurationError(
                f"targets: expected of each its name, or a list of names to tell together, found {target!r}."
            )
    if isinstance(data, str) and glob.has_magic(data):
        ending = "-train.conllu"
        names = [_in_utf8(path.removesuffix(ending)) for path in sorted(glob.glob(data + ending))]
        if not names:
            raise ConfigurationError(f"tasks: there is no treebank {data}{ending}.")
    else:
        names = [data]
    return [
        SuiteData(TREEBANK, "", _language(name, entry), name, targets, entry.get("probes"))
        for name in names
    ]


def _downstream(entry: Mapping[str, Any]) -> list[SuiteData]:
    """The folders of a downstream task, one for each language."""
    check_keys("a downstream task of tasks", entry, FOLDER_KEYS)
    name, data = entry[LEVEL], entry.get("data")
    check_keys("tasks: downstream", {f"{LEVEL}.{name}": None}, OF_FOLDERS)
    if not isinstance(data, str):
        raise ConfigurationError(f"tasks: expected the data of {name}: a folder, found {data!r}.")
    folders = sorted(glob.glob(data)) if glob.has_magic(data) else [data]
    folders = [_in_utf8(path) for path in folders if os.path.isdir(path)]
    if not folders:
        raise ConfigurationError(f"tasks: there is no folder {data} with the data of {name}.")
    kind = f"{LEVEL}.{name}"
    languages = [str(entry.get("language", os.path.basename(path))) for path in folders]
    return [
        SuiteData(kind, task_of_kind(kind), language, path)
        for language, path in zip(languages, folders)
    ]


def _language(data: Any, entry: Mapping[str, Any]) -> str:
    if "language" in entry:
        return str(entry["language"])
    files = data.get("files", []) if isinstance(data, Mapping) else f"{data}-train.conllu"
    name = files if isinstance(files, str) else ",".join(map(str, files))
    named = task_of(f"{name}#train/1:1:1" if isinstance(data, Mapping) else name, is_treebank=True)
    if named.language is None:
        raise ConfigurationError(
            f"tasks: of which language the treebank {name} is cannot be told by its name: say so, as "
            "{ treebank: …, language: 'finnish' }."
        )
    return named.language


def _in_utf8(path: str) -> str:
    """The path, if a config can say it."""
    try:
        path.encode()
        return path
    except UnicodeEncodeError as error:
        readable = os.fsencode(path).decode(errors="backslashreplace")
        raise ConfigurationError(f"{readable}: expected a name in UTF-8.") from error


def same_language(one: Optional[str], other: str) -> bool:
    """Whether two names or codes are of one language."""
    known, known_other = find_language(one or ""), find_language(other)
    return one == other or (known is not None and known == known_other)
