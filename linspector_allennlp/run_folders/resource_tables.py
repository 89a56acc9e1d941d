"""
The table of raw resources (LINSPECTOR, Table 5) that `probe-data describe` writes and a page shows: a row for
each language, with shares in percent.
"""

import csv
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linspector_allennlp.io.files import PathLike, replacing_text
from linspector_allennlp.io.regular import open_text
from linspector_allennlp.run_folders.results_file import of_text_cell, write_csv_row
from linspector_allennlp.run_folders.table_columns import read_cell

if TYPE_CHECKING:
    import pandas

OF_UNIMORPH: Mapping[str, type] = {
    "paradigms": int,
    "rows": int,
    "forms": int,
    "word_classes": int,
    "ambiguity": float,
}
OF_TREEBANK: Mapping[str, type] = {
    "sentences": int,
    "tokens": int,
    "vocabulary": int,
    "ambiguity_of_sets": float,
    "ambiguity_as_printed": float,
}
COLUMNS: Mapping[str, type] = {"language": str, **OF_UNIMORPH, **OF_TREEBANK}


def write_resource_table(rows: Sequence[Mapping[str, Any]], path: PathLike) -> None:
    """What a row does not have is empty."""
    with replacing_text(path) as file:
        write_csv_row(file, list(COLUMNS))
        for row in rows:
            write_csv_row(file, [row.get(name) for name in COLUMNS])


def read_resource_table(path: PathLike) -> "pandas.DataFrame":
    """The table, with shares as fractions; an error has the number of its line."""
    import pandas

    rows = []
    with open_text(path, "utf-8-sig", newline="") as file:
        lines = csv.DictReader(file, strict=True)
        try:
            header = lines.fieldnames or ()
        except (csv.Error, UnicodeDecodeError) as error:
            raise ValueError(f"{path}, line 1: expected CSV; {error}.") from error
        missing = [name for name in COLUMNS if name not in header]
        if missing:
            raise ValueError(
                f"{path}: expected a table of probe-data describe --unimorph or --treebank with --csv; there is "
                f"no {', '.join(missing)}. Found: {', '.join(header) or 'nothing'}."
            )
        try:
            for row in lines:
                rows.append({name: _cell(name, row[name]) for name in COLUMNS})
        except (csv.Error, ValueError) as error:
            raise ValueError(f"{path}, line {lines.line_num}: {error}") from error
    return pandas.DataFrame(rows, columns=list(COLUMNS))


def _cell(name: str, text: Any) -> Any:
    if text in ("", None):
        return None
    of_type = COLUMNS[name]
    if of_type is str:
        return of_text_cell(text)
    try:
        number = read_cell(name, text, of_type)
    except ValueError as error:
        raise ValueError(f"{name}: expected a number, found {text!r:.80}.") from error
    if not math.isfinite(number):
        raise ValueError(f"{name}: expected a number, found {text!r:.80}.")
    return number / 100 if of_type is float else number
