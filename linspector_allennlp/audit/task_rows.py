"""The rows of a task, whatever kind it is of."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Optional

from linspector_allennlp.audit.task_kinds import (
    KINDS,
    LOOK_ALIKE,
    SENTENCE,
    SENTENCE_KINDS,
    SINGLE_FORM,
    Row,
    kind_of,
    rows_of,
)
from linspector_allennlp.formats import MANIFEST, SPLITS
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.regular import open_regular
from linspector_allennlp.metrics.baselines import Item
from linspector_allennlp.sentence_files import (
    SENTEVAL_FILE,
    SENTEVAL_SPLITS,
    SentenceCounts,
    part_of,
)
from linspector_allennlp.tokenizing import words_and_punctuation


class TaskRow(NamedTuple):
    """
    One row, and by what it is recognised in another place.

    # Parameters

    item : `Item`
        The probed words and the label.
    input, units
        All that a probe is given, and what must not be both in train and in test; see `task_kinds.Row`.
    """

    item: Item
    input: Hashable
    units: tuple[Hashable, ...]


class TaskRows(NamedTuple):
    """
    The rows of a task.

    # Parameters

    kind : `str`
        One of `KINDS`.
    splits : `dict[str, list[TaskRow]]`
        For "train", "dev" and "test", without those that could not be read. Empty where there is
        no file or nothing in it.
    malformed : `list[str]`
        For each file that could not be read the message.
    files : `dict[str, PathLike]`
        Where each split is: a file, or `FILE#tr` for a part of one of SentEval's.
    empty : `int`
        The lines without a sentence, which are in no split.
    """

    kind: str
    splits: dict[str, list[TaskRow]]
    malformed: list[str]
    files: dict[str, PathLike]
    empty: int = 0


def read_task(folder: Path, manifest: Mapping[str, Any]) -> TaskRows:
    """
    All rows of a task's folder, or of a file of SentEval's. The files are of the kind that the manifest has;
    where it has none, of the kind of the first one that shows its kind. A file that is not as the format says
    is left out, and the others are read.

    The sentences of a task with a manifest have spaces between their tokens, as `probe-data` writes them;
    others are raw text, cut into words and punctuation marks.
    """
    files = files_of(folder)
    kind = manifest.get("kind")
    kinds: dict[str, Optional[str]] = dict.fromkeys(SPLITS, kind)
    tokens_of: Callable[[str], list[str]] = tokens_between_spaces
    if kind is None:
        tokens_of = words_and_punctuation
        kinds = _kinds_of(files)
        kind = next(filter(None, kinds.values()), SINGLE_FORM)
    elif not isinstance(kind, str) or kind not in KINDS:
        expected = ", ".join(KINDS)
        message = f"{folder / MANIFEST}: expected a kind ({expected}), found {kind!r}."
        return TaskRows(str(kind), {}, [message], files)
    counts = SentenceCounts()
    splits: dict[str, list[TaskRow]] = {}
    malformed = []
    for split, path in files.items():
        look = kinds[split]
        try:
            if look not in (None, kind) and {look, kind} not in LOOK_ALIKE:
                raise ValueError(
                    f"{path}: expected the kind of the other files ({kind}), found {look}."
                )
            rows = rows_of(path, kind, tokens_of, counts) if has_text(path) else ()
            splits[split] = list(_labelled_rows(path, rows))
        except ValueError as error:
            malformed.append(str(error))
            if part_of(path)[1] is not None:
                break  # The other parts are in the same file.
    return TaskRows(kind, splits, malformed, files, counts.empty)


def files_of(folder: Path) -> dict[str, PathLike]:
    """Where the splits of a task are: its three files, or else the parts of SentEval's one."""
    files: dict[str, PathLike] = {split: folder / f"{split}.txt" for split in SPLITS}
    one = folder if folder.is_file() else folder / SENTEVAL_FILE
    if one.is_file() and not any(Path(file).is_file() for file in files.values()):
        return {split: f"{one}#{part}" for split, part in SENTEVAL_SPLITS.items()}
    return files


def _kinds_of(files: Mapping[str, PathLike]) -> dict[str, Optional[str]]:
    """The kind of each split by the look of its file; one of SentEval's can only have sentences."""
    file, part = part_of(files["train"])
    if part is None:
        return {split: kind_of(Path(path)) for split, path in files.items()}
    kind = kind_of(Path(file))
    return dict.fromkeys(files, kind if kind in SENTENCE_KINDS else SENTENCE)


def has_text(path: PathLike) -> bool:
    """Whether the file is there and has more in it than blank lines."""
    file = Path(part_of(path)[0])
    if not file.is_file():
        return False
    with open_regular(file) as lines:
        return any(line.strip() for line in lines)


def tokens_between_spaces(sentence: str) -> list[str]:
    """The tokens of a sentence that is cut already, as the reader of sentences takes them."""
    return [token for token in sentence.split(" ") if token.strip()]


def _labelled_rows(path: PathLike, rows: Iterable[Row]) -> Iterator[TaskRow]:
    for words, label, input, units in rows:
        if label is None:
            raise ValueError(f"{path}, line 1: expected a label in the last column, found none.")
        yield TaskRow(Item(words, label), input, units)
