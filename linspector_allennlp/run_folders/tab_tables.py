"""
The tables beside a run, `…_report.tsv` and the like: cells between tabs, a row a line. Labels may be a
stranger's: what nobody sees, a tab or the end of a line among it, stands there as `\\u0009`, and text that a
spreadsheet would calculate, or take for the beginning of a quotation, has a `'` before it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.io.lines import MalformedLine, numbered_lines
from linspector_allennlp.io.visible import UNSEEN
from linspector_allennlp.run_folders.results_file import as_text_cell, of_text_cell

_CODE = r"\\u([0-9a-f]{4})"
# Also a backslash that would be read as the beginning of a code.
_CODED = re.compile(rf"{UNSEEN.pattern}|\\(?=u[0-9a-f]{{4}})")
_QUOTATION = re.compile("'*\"")


def write_tab_table(path: PathLike, rows: Iterable[Sequence[Any]]) -> None:
    with replacing_text(path) as file:
        for row in rows:
            file.write("\t".join(map(as_tab_cell, row)) + "\n")


def read_tab_table(path: PathLike, columns: Sequence[str] = ()) -> Iterator[dict[str, str]]:
    """
    The rows as they were written, by the names of their columns, of which the first line must have these; an
    error has the number of its line.
    """
    lines = numbered_lines(path)
    number, line = next(lines, (1, ""))
    header = [of_tab_cell(cell) for cell in line.split("\t")]
    if missing := [name for name in columns if name not in header]:
        raise MalformedLine(path, number, f"a column {missing[0]!r}", repr(line))
    if len(set(header)) < len(header):
        raise MalformedLine(path, number, "each column once", repr(line))
    for number, line in lines:
        cells = line.split("\t")
        if len(cells) != len(header):
            raise MalformedLine(path, number, f"{len(header)} cells", f"{len(cells)}: {line!r}")
        yield dict(zip(header, map(of_tab_cell, cells)))


def as_tab_cell(value: Any) -> str:
    """What stands in a file for a number, or for text; `of_tab_cell` gives that back."""
    if not isinstance(value, str):
        return str(value)
    text = _CODED.sub(lambda found: f"\\u{ord(found[0]):04x}", value)
    return f"'{text}" if _QUOTATION.match(text) else as_text_cell(text)


def of_tab_cell(cell: str) -> str:
    is_quotation = cell.startswith("'") and _QUOTATION.match(cell[1:])
    text = cell[1:] if is_quotation else of_text_cell(cell)
    return re.sub(_CODE, lambda found: chr(int(found[1], 16)), text)
