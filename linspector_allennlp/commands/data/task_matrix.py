"""`linspector probe-data describe --matrix`: which tasks there are of which languages, the study's Table 6."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Optional

from linspector_allennlp.audit.task_folders import level_of, read_manifest, task_and_language
from linspector_allennlp.audit.task_kinds import kind_of
from linspector_allennlp.audit.task_rows import files_of
from linspector_allennlp.commands.tables import table
from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.io.regular import open_regular
from linspector_allennlp.languages import find_language
from linspector_allennlp.run_folders.results_file import write_csv_row
from linspector_allennlp.sentence_files import part_of

MARK = "×"

WIDEST = 100
"""A table that would be wider has the codes of languages in place of their names."""


class TaskFolder(NamedTuple):
    """A task of a language, and how many items its files have."""

    level: str
    task: str
    language: str
    items: int


def read_task_folder(folder: Path) -> TaskFolder:
    """Counts the lines of the files, without a look at what is in them but for the first."""
    manifest = read_manifest(folder)
    files = files_of(folder)
    kind = manifest.get("kind") or kind_of(Path(part_of(files["train"])[0]))
    level = level_of(folder, manifest, str(kind))
    return TaskFolder(level, *task_and_language(folder), sum(map(_items, files.values())))


def describe_matrix(tasks: Sequence[TaskFolder], with_counts: bool = False) -> str:
    """
    A table for each level: a row for each task, a column for each language.

    # Parameters

    with_counts : `bool`, optional (default = `False`)
        Whether the cells have the numbers of items, in place of a mark.
    """
    parts = []
    for level in dict.fromkeys(task.level for task in tasks):
        of_level = [task for task in tasks if task.level == level]
        names, languages, items = _matrix(of_level)
        title = f"{level} (tasks: {len(names)}, languages: {len(languages)}, both: {len(items)})"
        shown = [
            [name, *(_cell(items.get((name, language)), with_counts) for language in languages)]
            for name in names
        ]
        total = ["tasks", *(str(sum(lang == of for _, of in items)) for lang in languages)]
        cells = [["task", *languages], *shown, total]
        text = table(cells)
        if max(map(len, text.splitlines())) > WIDEST:
            codes = [_code(language) for language in languages]
            text = table([["task", *codes], *cells[1:]])
            title += "\n" + ", ".join(
                f"{code} {language}" for code, language in zip(codes, languages) if code != language
            )
        parts += [title, text]
    return "\n\n".join(parts)


def write_matrix(tasks: Sequence[TaskFolder], path: PathLike) -> None:
    """The same as a CSV file: level, task, and for each language the number of items, empty if none."""
    languages = sorted({task.language for task in tasks})
    with replacing_text(path) as file:
        write_csv_row(file, ["level", "task", *languages])
        for level in dict.fromkeys(task.level for task in tasks):
            names, _, items = _matrix([task for task in tasks if task.level == level])
            for name in names:
                cells = (items.get((name, language)) for language in languages)
                write_csv_row(file, [level, name, *cells])


def _matrix(
    tasks: Sequence[TaskFolder],
) -> tuple[list[str], list[str], dict[tuple[str, str], int]]:
    """The tasks, the languages, and the items of both; folders of the same names are added up."""
    items: dict[tuple[str, str], int] = {}
    for _, name, language, number in tasks:
        items[name, language] = items.get((name, language), 0) + number
    names, languages = (sorted({pair[place] for pair in items}) for place in (0, 1))
    return names, languages, items


def _cell(items: Optional[int], with_counts: bool) -> str:
    if items is None:
        return ""
    return f"{items:,}" if with_counts else MARK


def _code(name: str) -> str:
    language = find_language(name)
    return language.code if language else name


def _items(path: PathLike) -> int:
    """The lines of a file, or of a part of one of SentEval's, that are not blank."""
    file, part = part_of(path)
    if not Path(file).is_file():
        return 0
    begin = b"" if part is None else f"{part}\t".encode()
    with open_regular(file) as lines:
        return sum(line.startswith(begin) and bool(line.strip()) for line in lines)
