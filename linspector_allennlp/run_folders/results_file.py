"""
The files of a study's tables. `results.csv` is CSV as the standard library and any spreadsheet read it: an empty
cell is a missing value, and every other text is itself, `None` and `nan` too. Text that a spreadsheet would
take for a formula has a `'` before it in the file.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.regular import open_text, regular
from linspector_allennlp.run_folders.data_frames import typed_frame
from linspector_allennlp.run_folders.parquet_columns import check_settings, typed_columns
from linspector_allennlp.run_folders.table_columns import (
    BASELINES,
    EXPECTED,
    PREDICTION_COLUMNS,
    RESULT_COLUMNS,
    SHARES,
    Columns,
    read_cell,
)

if TYPE_CHECKING:
    import pandas

CSV, PARQUET, PREDICTIONS = "results.csv", "results.parquet", "predictions.parquet"

REQUIRED = ("language", "task", "representation", "metric", "value")
OF_PREDICTIONS = ("run", "split", "item", "gold", "correct")
"""What must be in a table of predictions."""

# What is meant where a table of somebody else's has no such column, or nothing in it.
DEFAULTS = {"control": False, "chosen": True, "split": "test"}

MOST_LETTERS = 2**31 - 1
"""Of a cell: the standard library would stop at 2**17, and labels and settings may be longer."""

FORMULA = re.compile("'*[=+\\-@\t\r\uff0b\uff0d\uff1d\uff20]")
"""The beginning of text that a spreadsheet would calculate, and of what stands for such text in a file."""

NUMBER = re.compile(r"'*[+-]?\d+(\.\d+)?")

SEPARATORS = {";": "semicolons", "\t": "tabs"}


def read_results(path: PathLike) -> "pandas.DataFrame":
    """
    The table of a study, or any table in its columns.

    # Parameters

    path : `PathLike`
        The folder of a study, a `.parquet` file, or a CSV file. A CSV file needs `REQUIRED` columns only; other
        columns than ours are text.
    """
    path = Path(path)
    is_ours = path.is_dir()
    if is_ours:
        path = next((path / name for name in (PARQUET, CSV) if (path / name).exists()), path / CSV)
    if path.suffix == ".parquet":
        frame = _parquet_frame(path, RESULT_COLUMNS, REQUIRED)
        given = frame.assign(
            **{name: frame[name].fillna(value) for name, value in DEFAULTS.items()}
        )
        frame = given[list(frame.columns)]
    else:
        frame = typed_frame(csv_rows(path), RESULT_COLUMNS)
    check_settings(path, frame)
    # Tables of others may be in percent.
    _check_shares(path, frame, 1 if is_ours else 100)
    return frame


def _check_shares(path: Path, table: "pandas.DataFrame", whole: float) -> None:
    """Refuses a table with an accuracy, or another share, that can be none."""
    name_of = table["metric"].astype(str)
    rows = table[name_of.str.contains("|".join(SHARES)) & ~name_of.str.contains("selectivity")]
    for column in ("value", "low", "high", *BASELINES):
        if column not in rows:
            continue
        if rows[column].dtype != float:
            raise ValueError(
                f"{path}: {column}: expected numbers, found values of type {rows[column].dtype}."
            )
        found = rows[column].dropna()
        bad = found[~found.between(-1e-6 * whole, (1 + 1e-6) * whole)]
        if len(bad):
            place = table.index.get_loc(bad.index[0])
            raise ValueError(
                f"{path}, row {place + 1}: {column}: expected {name_of.iloc[place]} from 0 to {whole}, "
                f"found {bad.iloc[0]}."
            )


def read_predictions(path: PathLike) -> "pandas.DataFrame":
    """The predictions of all runs of a study: `predictions.parquet`, or the study's folder."""
    path = Path(path)
    path = path / PREDICTIONS if path.is_dir() else path
    frame = _parquet_frame(path, PREDICTION_COLUMNS, OF_PREDICTIONS)
    _check_items(path, frame)
    return frame


def csv_rows(path: PathLike) -> Iterator[dict[str, Any]]:
    """The rows of a table in CSV, with typed values; an error has the number of its line."""
    for _, row in numbered_csv_rows(path):
        yield row


def numbered_csv_rows(path: PathLike) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same with the number of the line on which each row ends."""
    csv.field_size_limit(MOST_LETTERS)
    with open_text(path, "utf-8-sig", newline="") as file:
        lines = csv.reader(file, strict=True)
        try:
            header = [of_text_cell(name) for name in next(lines, [])]
            _check_header(path, header)
            for cells in lines:
                if cells:
                    row = _typed(f"{path}, line {lines.line_num}", header, cells)
                    yield lines.line_num, row
        except (csv.Error, UnicodeDecodeError) as error:
            raise ValueError(f"{path}, line {lines.line_num}: expected CSV; {error}.") from error


def write_csv_row(file: TextIO, cells: list[Any]) -> None:
    """A row: Python's writer would leave a carriage return without quotes, and no reader could read it."""
    file.write(",".join(map(_csv_cell, cells)) + "\n")


def as_text_cell(text: str) -> str:
    """Text as it is in a CSV file: no formula for a spreadsheet. `of_text_cell` gives it back."""
    return f"'{text}" if _is_formula(text) else text


def of_text_cell(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def _is_formula(text: str) -> bool:
    """Also text that would be read back as another one."""
    return bool(FORMULA.match(text)) and not NUMBER.fullmatch(text)


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = as_text_cell(value) if isinstance(value, str) else str(value)
    return '"' + text.replace('"', '""') + '"' if re.search('[",\r\n]', text) else text


def _check_header(path: PathLike, header: list[str]) -> None:
    missing = [name for name in REQUIRED if name not in header]
    twice = sorted({name for name in header if header.count(name) > 1})
    other = next((name for name in SEPARATORS if len(header) == 1 and name in header[0]), None)
    if missing and other:
        raise ValueError(
            f"{path}: expected cells between commas, found {SEPARATORS[other]}, as a spreadsheet writes them "
            "where the comma is that of decimals: save it as CSV with commas, and numbers as 81.5."
        )
    if missing:
        raise ValueError(
            f"{path}: expected a table of scores with the columns {', '.join(REQUIRED)}; there is no "
            f"{', '.join(missing)}. Found: {', '.join(header) or 'nothing'}."
        )
    if twice:
        raise ValueError(f"{path}: the column {', '.join(twice)} is there more than once.")


def _typed(place: str, header: list[str], cells: list[str]) -> dict[str, Any]:
    if len(cells) != len(header):
        raise ValueError(f"{place}: expected {len(header)} cells, found {len(cells)}.")
    row: dict[str, Any] = dict(DEFAULTS)
    for name, cell in zip(header, cells):
        if cell:
            of_type = RESULT_COLUMNS.get(name, str)
            text = of_text_cell(cell) if of_type is str else cell
            row[name] = _value(place, name, text, of_type)
    return row


def _value(place: str, name: str, cell: str, of_type: type) -> Any:
    try:
        return read_cell(name, cell, of_type)
    except (ValueError, KeyError) as error:
        raise ValueError(
            f"{place}: {name}: expected {EXPECTED[of_type]}, found {cell!r:.80}."
        ) from error


def _check_items(path: Path, frame: "pandas.DataFrame") -> None:
    """An item that is there twice would count twice. Of a tree, an item has edges, and no label."""
    bare = frame[frame["correct"].isna()]
    if len(bare):
        raise ValueError(
            f"{path}, row {bare.index[0] + 1}: column correct: expected true or false, found nothing."
        )
    keys = ["run", "split", "item"]
    items = frame[keys].assign(edge=frame["gold"].where(frame["label"].isna()))
    twice = items[items.duplicated() & items["item"].notna()]
    if len(twice):
        run, split, item, _ = twice.iloc[0]
        raise ValueError(
            f"{path}, row {twice.index[0] + 1}: the item {item} of {split} of the run {run} is there before: "
            "expected each once."
        )


def _parquet_frame(path: Path, columns: Columns, required: Sequence[str]) -> "pandas.DataFrame":
    parquet = pyarrow_parquet()
    regular(path)
    try:
        table = parquet.read_table(path)
    except FileNotFoundError:
        raise
    except (ValueError, OSError) as error:  # pyarrow's have no path
        raise ValueError(f"{path}: expected Parquet; {error}.") from error
    return typed_columns(path, table, columns, required)


def pyarrow_parquet() -> Any:
    """The module that reads and writes Parquet."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(
            "Parquet files need a package: pip install 'pyarrow>=15' (or linspector_allennlp[suite])"
        ) from error
    return pyarrow.parquet


def parquet_types() -> dict[type, Any]:
    """By the type of a column, that of pyarrow."""
    pyarrow_parquet()
    import pyarrow

    return {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
    }
