"""
The on-disk contract: one instance a line, tab-separated UTF-8, no header, as the LINSPECTOR
data were released. The label column may be absent, for the whole file or not at all.

| kind             | columns                                                  |
|------------------|----------------------------------------------------------|
| single form      | form, label                                              |
| paired forms     | form1, form2, label                                      |
| token in context | sentence (tokens joined by one space), 0-based index, label |
| paired tokens    | sentence1, index1, sentence2, index2, label: two tokens in context |
| sentence         | sentence, label; read by `sentence_files`                |
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

from linspector_allennlp.io.files import PathLike, replacing_text, sha256
from linspector_allennlp.io.header_lines import check_no_header
from linspector_allennlp.io.lines import MalformedLine, numbered_lines, whole_number
from linspector_allennlp.io.regular import read_text
from linspector_allennlp.io.visible import is_invisible
from linspector_allennlp.languages import find_language
from linspector_allennlp.treebank_parts import treebank_part

# A byte-order mark would be taken for that of the file.
UNWRITABLE = set("\0\t\r\n\ufeff")

MANIFEST = "manifest.json"
SPLITS = ("train", "dev", "test")

COLUMNS = {
    "single_form": ("form", "label"),
    "paired_forms": ("form1", "form2", "label"),
    "token_in_context": ("sentence", "index", "label"),
    "paired_tokens": ("sentence1", "index1", "sentence2", "index2", "label"),
    "sentence": ("sentence", "label"),
    "sentence_with_topic": ("sentence", "topic", "label"),
}


class SingleForm(NamedTuple):
    line: int
    form: str
    label: Optional[str]


class PairedForms(NamedTuple):
    line: int
    form1: str
    form2: str
    label: Optional[str]


class TokenInContext(NamedTuple):
    """`sentence` is the number of the sentence among the different ones of the file, from 0."""

    line: int
    tokens: list[str]
    token_index: int
    label: Optional[str]
    sentence: int


class PairedTokens(NamedTuple):
    """`sentence1` and `sentence2` are numbers as those of `TokenInContext`, in one count."""

    line: int
    tokens1: list[str]
    index1: int
    tokens2: list[str]
    index2: int
    label: Optional[str]
    sentence1: int
    sentence2: int


def read_single_forms(path: PathLike) -> Iterator[SingleForm]:
    """The rows of a single-form file, one at a time."""
    for line, (form, label) in _labelled_columns(path, ["form"]):
        yield SingleForm(line, form, label)


def read_paired_forms(path: PathLike) -> Iterator[PairedForms]:
    """The rows of a file of pairs, one at a time."""
    for line, (form1, form2, label) in _labelled_columns(path, ["form1", "form2"]):
        yield PairedForms(line, form1, form2, label)


def read_tokens_in_context(path: PathLike) -> Iterator[TokenInContext]:
    """The rows of a token-in-context file, one at a time."""
    numbers: dict[str, int] = {}
    for line, (sentence, index, label) in _labelled_columns(path, ["sentence", "index"]):
        _check_index(path, line, sentence, index)
        number = numbers.setdefault(sentence, len(numbers))
        yield TokenInContext(line, sentence.split(" "), int(index), label, number)


def read_paired_tokens(path: PathLike) -> Iterator[PairedTokens]:
    """The rows of a file of pairs of tokens in context, one at a time."""
    numbers: dict[str, int] = {}
    names = COLUMNS["paired_tokens"][:-1]
    for line, (first, index1, second, index2, label) in _labelled_columns(path, names):
        _check_index(path, line, first, index1)
        _check_index(path, line, second, index2)
        one, other = (numbers.setdefault(text, len(numbers)) for text in (first, second))
        yield PairedTokens(
            line, first.split(" "), int(index1), second.split(" "), int(index2), label, one, other
        )


def write_rows(path: PathLike, kind: str, rows: Iterable[Sequence[str]]) -> None:
    """
    Writes the rows of a file, all of them or nothing; what could not be read again is refused.

    # Parameters

    kind : `str`
        One of `COLUMNS`.
    rows : `Iterable[Sequence[str]]`
        The columns of each row, the label last.
    """
    names = COLUMNS[kind]
    with replacing_text(path) as file:
        for line, row in enumerate(rows, start=1):
            if len(row) != len(names):
                raise MalformedLine(path, line, f"{len(names)} columns {names}", repr(row))
            for name, column in zip(names, row):
                if is_invisible(column) or column != column.strip(" ") or set(column) & UNWRITABLE:
                    expected = f"a {name} without NUL, tabs, line ends, U+FEFF or outer spaces"
                    raise MalformedLine(path, line, expected, repr(column))
            if kind in ("token_in_context", "paired_tokens"):
                for sentence, index in zip(row[:-1:2], row[1:-1:2]):
                    _check_index(path, line, sentence, index)
            file.write("\t".join(row) + "\n")


def changed_files(folder: PathLike, manifest: Mapping[str, Any]) -> list[str]:
    """The files of a task that are missing, or not those of which its manifest has the SHA-256."""
    files = manifest.get("files", {})
    if not isinstance(files, dict) or not all(
        isinstance(file, dict) and isinstance(file.get("rows", 0), int) for file in files.values()
    ):
        raise ValueError(
            f"{os.path.join(folder, MANIFEST)}: expected files by name, found {files!r:.80}."
        )
    return [
        name
        for name, file in files.items()
        if not os.path.exists(os.path.join(folder, name))
        or sha256(os.path.join(folder, name)) != file.get("sha256")
    ]


class NamedTask(NamedTuple):
    """A task by its name and its language; that of a treebank's files is in place of the name."""

    task: Optional[str]
    language: Optional[str]


def task_of(path: PathLike, is_treebank: bool = False) -> NamedTask:
    """
    The task of a data file. Tasks lie in folders TASK/LANGUAGE, and a manifest there may say more;
    the files of a treebank are called CODE_NAME-train.conllu and so on, and may be named together.
    """
    if is_treebank:
        part = treebank_part(path)
        names = dict.fromkeys(map(_treebank_name, part.names if part else [path]))
        found = {find_language(re.split("[_-]", name.removeprefix("UD_"))[0]) for name in names}
        language = found.pop() if len(found) == 1 else None
        return NamedTask("+".join(names), language.name if language else None)
    path = Path(os.path.abspath(path))
    senteval = re.fullmatch(r"(.+)\.txt#(tr|va|te)", path.name)
    if senteval and senteval[1] != "senteval":  # of others, who have a file a task
        return NamedTask(senteval[1], path.parent.name)
    task, language_name = ["", *path.parts][-3:-1]
    try:
        manifest = _manifest_of(path)
        return NamedTask(str(manifest["task"]), str(manifest["language"]))
    except (OSError, ValueError, KeyError, TypeError):  # there is none, or it is of another kind
        return NamedTask(task, language_name)


def _treebank_name(path: PathLike) -> str:
    """What the name of a file, or a pattern of names, says before the split; else that of the folder."""
    folder, name = os.path.split(os.path.abspath(path))
    name = re.sub(r"-(train|dev|test)?(\.conllu)?(\.gz)?$", "", re.split(r"[*?\[]", name)[0])
    return name or os.path.basename(folder)


def kept_apart(path: PathLike) -> Optional[str]:
    """What else than an instance the splits of the task keep apart, as its manifest says."""
    try:
        return _manifest_of(Path(path))["facts"].get("kept_apart")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _manifest_of(path: Path) -> Any:
    return json.loads(read_text(path.parent / MANIFEST))


def _check_index(path: PathLike, line: int, sentence: str, index: str) -> None:
    """Raises `MalformedLine` unless the index is that of a token of the sentence."""
    tokens = sentence.split(" ")
    if "" in tokens:
        raise MalformedLine(
            path, line, "tokens joined by one space", f"an empty token in {sentence!r}"
        )
    if not (index.isascii() and index.isdigit()):
        raise MalformedLine(path, line, "a token index (0, 1, 2, …)", repr(index))
    number = whole_number(index)
    if number is None or number >= len(tokens):
        raise MalformedLine(
            path, line, f"an index from 0 to {len(tokens) - 1} in {sentence!r}", index
        )


def _labelled_columns(path: PathLike, names: Sequence[str]) -> Iterator[tuple[int, list]]:
    """Yields line numbers and columns; the last column is the label, `None` where absent."""
    labelled: Optional[bool] = None
    # A line of nothing but tabs is not blank: it has empty columns.
    for line, text in numbered_lines(path, "an instance", blank=b" \r\n", must_end=True):
        columns: list[Optional[str]] = list(text.split("\t"))
        if labelled is None and len(columns) in (len(names), len(names) + 1):
            labelled = len(columns) > len(names)
            check_no_header(path, line, text.split("\t"))
        if len(columns) != len(names) + bool(labelled) or labelled is None:
            raise MalformedLine(
                path, line, _describe_columns(names, labelled), f"{len(columns)}: {text!r}"
            )
        for name, column in zip([*names, "label"], columns):
            if not column or column.isspace():
                raise MalformedLine(path, line, f"a {name}", f"nothing there in {text!r}")
            if column != column.strip(" "):
                raise MalformedLine(path, line, f"a {name} without spaces around it", repr(column))
            if is_invisible(column):
                raise MalformedLine(path, line, f"a {name} that can be seen", ascii(column))
        yield line, columns if labelled else [*columns, None]
    if labelled is None:
        raise ValueError(f"{path} is empty: expected lines with {_describe_columns(names, None)}.")


def _describe_columns(names: Sequence[str], labelled: Optional[bool]) -> str:
    with_label = f"{len(names) + 1} tab-separated columns ({', '.join(names)}, label)"
    without_label = f"{len(names)} tab-separated columns ({', '.join(names)})"
    if labelled is None:
        return f"{with_label}, or {len(names)} without the label"
    return f"{with_label if labelled else without_label} as in the lines before"
