"""
Task files of sentences, a part of the on-disk contract (`formats`): one sentence a line, in one of two
layouts, which the first line tells apart.

| layout   | columns                                                     |
|----------|-------------------------------------------------------------|
| ours     | sentence, label; with a topic: sentence, topic, label       |
| SentEval | split (tr, va or te), label, sentence; with a topic: split, label, topic, sentence |

SentEval's files have all splits in one: `FILE#tr` names the training part of it, `FILE` alone all of it.
"""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Optional

from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.io.header_lines import check_no_header
from linspector_allennlp.io.lines import MalformedLine, numbered_lines
from linspector_allennlp.io.visible import is_invisible

SENTEVAL_SPLITS = {"train": "tr", "dev": "va", "test": "te"}
SENTEVAL_FILE = "senteval.txt"


class LabelledSentence(NamedTuple):
    line: int
    sentence: str
    label: Optional[str]
    topic: Optional[str]


class SentenceCounts:
    """Filled while reading."""

    def __init__(self) -> None:
        self.empty = 0
        """Lines without a sentence."""


def part_of(path: PathLike) -> tuple[str, Optional[str]]:
    """`FILE#tr` as the file and the split; there is no split if the path is that of a file."""
    file, mark, split = os.fspath(path).rpartition("#")
    if mark and split in SENTEVAL_SPLITS.values():
        return file, split
    return os.fspath(path), None


def read_labelled_sentences(
    path: PathLike,
    split: Optional[str] = None,
    with_topic: bool = False,
    skip_empty: bool = False,
    counts: Optional[SentenceCounts] = None,
) -> Iterator[LabelledSentence]:
    """
    The sentences of a file, one at a time.

    # Parameters

    split : `str`, optional (default = `None`)
        Of a file of SentEval's only the lines of this split: `tr`, `va` or `te`.
    with_topic : `bool`, optional (default = `False`)
        Whether there is a column with the topic of each sentence.
    skip_empty : `bool`, optional (default = `False`)
        Whether lines without a sentence are left out, and counted in `counts`; the default is to refuse
        a file with such lines. SentEval's own reader takes the label for the sentence there.
    """
    counts = SentenceCounts() if counts is None else counts
    layout: Optional[_Layout] = None
    first_empty, lines = 0, 0
    for line, text in numbered_lines(path, "a sentence and its label", blank=b" \r\n"):
        columns = text.split("\t")
        if layout is None:
            layout = _layout_of(path, line, columns, with_topic, split)
            check_no_header(path, line, columns)
        lines += 1
        row = layout.row(path, line, columns)
        if split is not None and columns[0] != split:
            continue
        if is_invisible(row.sentence):
            counts.empty += 1
            first_empty = first_empty or line
            continue
        yield row
    if layout is None:
        raise ValueError(f"{path} is empty: expected lines with {_described(with_topic)}.")
    if counts.empty and not skip_empty:
        raise ValueError(
            f"{path}: {counts.empty:,} of {lines:,} lines have no sentence, the first is line "
            f"{first_empty}. Remove them, or say `skip_empty: true` in the dataset_reader."
        )


def write_senteval(path: PathLike, splits: dict[str, Sequence[tuple[str, ...]]]) -> None:
    """
    Writes all splits into one file of SentEval's layout, all of it or nothing.

    # Parameters

    splits : `dict[str, Sequence[tuple[str, ...]]]`
        For "train", "dev" and "test" the rows: sentence, (topic,) label.
    """
    with replacing_text(path) as file:
        line = 0
        for name, rows in splits.items():
            for sentence, *topic, label in rows:
                line += 1
                for column in (label, *topic, sentence):
                    if (
                        is_invisible(column)
                        or column != column.strip(" ")
                        or set(column) & set("\0\t\r\n\ufeff")
                    ):
                        expected = "columns without NUL, tabs, line ends, U+FEFF or outer spaces"
                        raise MalformedLine(path, line, expected, repr(column))
                file.write("\t".join([SENTEVAL_SPLITS[name], label, *topic, sentence]) + "\n")


class _Layout(NamedTuple):
    """The places of the columns; the label may be absent from a file of ours."""

    is_senteval: bool
    with_topic: bool
    labelled: bool

    @property
    def width(self) -> int:
        return 1 + self.with_topic + (2 if self.is_senteval else self.labelled)

    def row(self, path: PathLike, line: int, columns: Sequence[str]) -> LabelledSentence:
        if len(columns) != self.width or (
            self.is_senteval and columns[0] not in SENTEVAL_SPLITS.values()
        ):
            expected = f"{_described(self.with_topic, self)} as in the first line"
            raise MalformedLine(path, line, expected, f"{len(columns)}: {' | '.join(columns)!r}")
        topic: Optional[str] = None
        label: Optional[str] = None
        if self.is_senteval:
            _, label, *rest = columns
            *topics, sentence = rest
        else:
            sentence, *rest = columns
            topics = rest[: self.with_topic]
            label = rest[-1] if self.labelled else None
        if self.with_topic:
            (topic,) = topics
        for name, column in (("label", label), ("topic", topic)):
            if column is not None and column.strip() and column != column.strip(" "):
                raise MalformedLine(path, line, f"a {name} without spaces around it", repr(column))
            if column is not None and not column.strip():
                raise MalformedLine(
                    path, line, f"a {name}", f"nothing there in {' | '.join(columns)!r}"
                )
            if column is not None and is_invisible(column):
                raise MalformedLine(path, line, f"a {name} that can be seen", ascii(column))
        return LabelledSentence(line, sentence.strip(" "), label, topic)


def _layout_of(
    path: PathLike, line: int, columns: Sequence[str], with_topic: bool, split: Optional[str]
) -> _Layout:
    """The layout that the first line of a file shows."""
    is_senteval = len(columns) == 3 + with_topic and columns[0] in SENTEVAL_SPLITS.values()
    if split is not None and columns[0] in SENTEVAL_SPLITS.values() and not is_senteval:
        expected = _described(with_topic, _Layout(True, with_topic, True))
        raise MalformedLine(path, line, expected, f"{len(columns)}: {' | '.join(columns)!r}")
    if split is not None and not is_senteval:
        raise MalformedLine(
            path,
            line,
            f"a split (tr, va or te) in the first column, to read the part {split!r}",
            repr(columns[0]),
        )
    labelled = is_senteval or len(columns) == 2 + with_topic
    if not labelled and len(columns) != 1 + with_topic:
        raise MalformedLine(
            path, line, _described(with_topic), f"{len(columns)}: {' | '.join(columns)!r}"
        )
    return _Layout(is_senteval, with_topic, labelled)


def _described(with_topic: bool, layout: Optional[_Layout] = None) -> str:
    topic = ["topic"] if with_topic else []
    ours, unlabelled = ["sentence", *topic, "label"], ["sentence", *topic]
    senteval = ["split", "label", *topic, "sentence"]
    if layout is None:
        return (
            f"{len(ours)} tab-separated columns ({', '.join(ours)}), or {len(senteval)} of SentEval's "
            f"({', '.join(senteval)})"
        )
    names = senteval if layout.is_senteval else ours if layout.labelled else unlabelled
    return f"{len(names)} tab-separated columns ({', '.join(names)})"
