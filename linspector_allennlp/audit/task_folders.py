"""Finding the tasks below a folder and reading them, whatever kind they are of."""

import json
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Optional

from linspector_allennlp.formats import (
    MANIFEST,
    SPLITS,
    read_paired_forms,
    read_single_forms,
    read_tokens_in_context,
)
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.metrics.baselines import Item, form_key

LEVELS = ("type-level", "token-level", "syneval")
SINGLE_FORM, PAIRED_FORMS, TOKEN_IN_CONTEXT = "single_form", "paired_forms", "token_in_context"


class TaskRow(NamedTuple):
    """
    One row, and by what it is recognised in another place.

    # Parameters

    item : `Item`
        The probed words and the label.
    input : `Hashable`
        All that a probe is given: the form; the pair, in either order; the sentence and the index.
    unit : `Hashable`
        What must not be both in train and in test: the form, the pair, or the sentence.
    """

    item: Item
    input: Hashable
    unit: Hashable


class TaskRows(NamedTuple):
    """
    The rows of a task.

    # Parameters

    kind : `str`
        `single_form`, `paired_forms` or `token_in_context`.
    splits : `dict[str, list[TaskRow]]`
        For "train", "dev" and "test", without those that could not be read. Empty where there is
        no file or nothing in it.
    malformed : `list[str]`
        For each file that could not be read the message.
    """

    kind: str
    splits: dict[str, list[TaskRow]]
    malformed: list[str]


def find_task_folders(data: PathLike) -> list[Path]:
    """
    The folders at or below `data` that have a `train.txt`, `dev.txt` or `test.txt`, sorted. Links
    are followed, but no folder is given twice.
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
        if any(f"{split}.txt" in files for split in SPLITS):
            found.append(Path(folder))
    if not found:
        raise ValueError(
            f"{data}: expected TASK/LANGUAGE folders with train.txt, dev.txt and test.txt at any "
            "depth, found none."
        )
    return sorted(found)


def task_and_language(folder: Path) -> tuple[str, str]:
    """The names that a folder `…/TASK/LANGUAGE` gives, also when it is called `.`."""
    path = Path(os.path.abspath(folder))
    return path.parent.name, path.name


def read_task(folder: Path, manifest: Mapping[str, Any]) -> TaskRows:
    """
    All rows of a task's folder. The files are of the kind that the manifest has; where it has none,
    of the kind of the first one that shows its kind. A file that is not as the format says is left
    out, and the others are read.
    """
    kind = manifest.get("kind")
    kinds: dict[str, Optional[str]] = dict.fromkeys(SPLITS, kind)
    if kind is None:
        kinds = {split: kind_of(folder / f"{split}.txt") for split in SPLITS}
        kind = next(filter(None, kinds.values()), SINGLE_FORM)
    elif not isinstance(kind, str) or kind not in ROWS:
        expected = ", ".join(ROWS)
        message = f"{folder / MANIFEST}: expected a kind ({expected}), found {kind!r}."
        return TaskRows(str(kind), {}, [message])
    splits, malformed = {}, []
    for split in SPLITS:
        path = folder / f"{split}.txt"
        try:
            if kinds[split] not in (None, kind):
                raise ValueError(
                    f"{path}: expected the kind of the other files ({kind}), found {kinds[split]}."
                )
            splits[split] = list(_labelled_rows(path, kind)) if has_text(path) else []
        except ValueError as error:
            malformed.append(str(error))
    return TaskRows(kind, splits, malformed)


def kind_of(path: Path) -> Optional[str]:
    """
    The kind of a file by its own look; `None` if most rows have neither two nor three columns.
    Pairs and tokens in context both have three; whether most second columns are whole numbers
    tells them apart. Most and not all, so that a wrong index is found and not taken for a word.
    """
    if not path.is_file():
        return None
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        rows = [line.split("\t") for line in file]
    widths = Counter(map(len, rows))
    width = widths.most_common(1)[0][0] if widths else 0
    if width == 3:
        second = [row[1] for row in rows if len(row) == 3]
        numbers = sum(text.isascii() and text.lstrip("-").isdigit() for text in second)
        return TOKEN_IN_CONTEXT if 2 * numbers > len(second) else PAIRED_FORMS
    return SINGLE_FORM if width == 2 else None


def has_text(path: Path) -> bool:
    """Whether the file is there and has more in it than blank lines."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return any(line.strip() for line in file)


def _labelled_rows(path: Path, kind: str) -> Iterator[TaskRow]:
    for words, label, input, unit in ROWS[kind](path):
        if label is None:
            raise ValueError(f"{path}, line 1: expected a label in the last column, found none.")
        yield TaskRow(Item(words, label), input, unit)


# The probed words, the label, the input and the unit of a row.
Row = tuple[tuple[str, ...], Optional[str], Hashable, Hashable]


def _single_forms(path: Path) -> Iterator[Row]:
    for row in read_single_forms(path):
        yield (row.form,), row.label, row.form, row.form


def _paired_forms(path: Path) -> Iterator[Row]:
    for row in read_paired_forms(path):
        forms = (row.form1, row.form2)
        yield forms, row.label, form_key(forms), form_key(forms)


def _tokens_in_context(path: Path) -> Iterator[Row]:
    for row in read_tokens_in_context(path):
        sentence = " ".join(row.tokens)
        yield (row.tokens[row.token_index],), row.label, (sentence, row.token_index), sentence


ROWS: dict[str, Callable[[Path], Iterator[Row]]] = {
    SINGLE_FORM: _single_forms,
    PAIRED_FORMS: _paired_forms,
    TOKEN_IN_CONTEXT: _tokens_in_context,
}
"""The kinds of tasks, each with the reader of its rows."""


def read_manifest(folder: Path) -> dict[str, Any]:
    """The `manifest.json` beside the splits; nothing if there is none."""
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: expected JSON, found {error}.") from error
    if not isinstance(manifest, dict):
        raise ValueError(f"{path}: expected a JSON object, found {type(manifest).__name__}.")
    return manifest


def level_of(folder: Path, manifest: dict[str, Any], kind: str) -> str:
    """By the manifest, or the nearest folder above that is named after a level, or the rows."""
    if isinstance(manifest.get("level"), str):
        return manifest["level"]
    for name in reversed(Path(os.path.abspath(folder)).parts):
        if name.replace("_", "-") in LEVELS:
            return name.replace("_", "-")
    return "token-level" if kind == TOKEN_IN_CONTEXT else "type-level"
