"""
The lines of CoNLL-U: blocks of them, and the columns of one.

The ids and heads are read by the `conllu` package. Lines and columns are not: it gives no line
numbers, takes two spaces for a tab, and lets a line have fewer columns.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, Optional, Union

from conllu.exceptions import ParseException
from conllu.parser import parse_id_value, parse_int_value

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import MalformedLine, raw_lines
from linspector_allennlp.io.visible import is_invisible

COLUMNS = 10
WHITESPACE = re.compile(r"\s+")

Block = list[tuple[int, bytes]]


class ConlluRow(NamedTuple):
    """The id is a number, `(first, "-", last)` of a range, `(word, ".", i)` of an empty node."""

    id: Union[int, tuple[int, str, int], None]
    head: Optional[int]
    form: str
    columns: list[str]

    @property
    def is_range(self) -> bool:
        return isinstance(self.id, tuple) and self.id[1] == "-"

    @property
    def is_empty_node(self) -> bool:
        return isinstance(self.id, tuple) and self.id[1] == "."


def conllu_blocks(path: PathLike, closed: bool = False) -> Iterator[Block]:
    """
    The numbered lines between blank lines, none where these follow each other.

    # Parameters

    closed : `bool`, optional (default = `False`)
        Whether the last block, too, must be followed by a blank line.
    """
    block: Block = []
    for line in raw_lines(path, must_end=True):
        if line[1].strip(b" \r\n"):
            block.append(line)
        elif block:
            yield block
            block = []
    if block and closed:
        found = "the end of the file: it may have been cut off"
        raise MalformedLine(path, block[-1][0], "a blank line after the last sentence", found)
    if block:
        yield block


def check_visible(path: PathLike, line: int, form: str) -> None:
    """Refuses a form of which nothing can be seen: of spaces without width, marks of direction and the like."""
    if is_invisible(form):
        raise MalformedLine(path, line, "a form", f"what cannot be seen: {ascii(form)}")


def read_row(path: PathLike, line: int, text: str) -> ConlluRow:
    """
    The row on a line that is no comment. White space in its form has become an underscore; the
    forms of empty nodes, for which nobody asks, are not looked at.
    """
    columns = text.split("\t")
    if len(columns) != COLUMNS:
        found = f"{len(columns)}: {text!r}"
        raise MalformedLine(path, line, f"{COLUMNS} tab-separated columns", found)
    try:
        id_ = parse_id_value(columns[0])
        head = parse_int_value(columns[6]) if isinstance(id_, int) else None
    except (ParseException, ValueError) as error:  # or a number of thousands of digits
        raise MalformedLine(path, line, "numbers as id and head", str(error)) from error
    if isinstance(id_, tuple) and id_[1] == ".":
        return ConlluRow(id_, head, columns[1], columns)
    for character, name in (("\ufeff", "U+FEFF"), ("\0", "U+0000")):
        if character in text:
            raise MalformedLine(path, line, f"text without {name}", repr(columns[1]))
    form = columns[1].strip()
    if not form:
        raise MalformedLine(path, line, "a form", f"nothing there in {text!r}")
    check_visible(path, line, form)
    return ConlluRow(id_, head, WHITESPACE.sub("_", form), columns)
