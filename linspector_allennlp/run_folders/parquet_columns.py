"""A table in Parquet, which may be somebody else's, with the types of our columns."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from linspector_allennlp.run_folders.data_frames import frame_types
from linspector_allennlp.run_folders.table_columns import (
    EXPECTED,
    Columns,
    checked_cell,
    read_cell,
)

if TYPE_CHECKING:
    import pandas


def typed_columns(
    path: Path, table: Any, columns: Columns, required: Sequence[str]
) -> "pandas.DataFrame":
    """
    # Parameters

    path : `Path`
        Its name in errors.
    table : `pyarrow.Table`
    columns : `Columns`
        Those that are known: a column with values of another type is cast, if all of them can be. One that is not
        there is empty. Others stay as they are; of lists and the like, as text.
    required : `Sequence[str]`
        Those that must be there.
    """
    import pandas

    names = table.column_names
    missing = [name for name in required if name not in names]
    if missing:
        raise ValueError(
            f"{path}: expected a table with the columns {', '.join(required)}; there is no "
            f"{', '.join(missing)}. Found: {', '.join(names) or 'nothing'}."
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{path}: the column {', '.join(twice)} is there more than once.")
    found = {
        name: _known(path, name, table[name], columns[name])
        if name in columns
        else _other(table[name])
        for name in names
    }
    rest = {name: _empty(table.num_rows, columns[name]) for name in columns if name not in names}
    return pandas.DataFrame({**found, **rest}, index=pandas.RangeIndex(table.num_rows))


def check_settings(path: Path, frame: "pandas.DataFrame") -> None:
    """Refuses a table whose `settings` are no JSON objects."""
    if "settings" not in frame:
        return
    for text in frame["settings"].dropna().unique():
        try:
            is_object = isinstance(json.loads(text), dict)
        except (ValueError, RecursionError):
            is_object = False
        if not is_object:
            raise ValueError(
                f"{path}: column settings: expected a JSON object, found {text!r:.80}."
            )


def _known(path: Path, name: str, cells: Any, of_type: type) -> "pandas.Series":
    import pandas
    import pyarrow

    types = pyarrow.types
    if types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)
    dtype = frame_types()[of_type]
    is_ours = {
        str: types.is_string(cells.type) or types.is_large_string(cells.type),
        int: types.is_signed_integer(cells.type),
        float: types.is_floating(cells.type) and not types.is_float16(cells.type),
        bool: types.is_boolean(cells.type),
    }
    if is_ours[of_type]:
        if of_type is float:
            return cells.to_pandas().astype(dtype)
        kind = {str: pyarrow.string(), int: pyarrow.int64(), bool: pyarrow.bool_()}[of_type]
        return cells.cast(kind).to_pandas(types_mapper={kind: dtype}.get)
    try:
        values = cells.to_pylist()
    except (ValueError, OverflowError) as error:  # as bytes that are no text, or a date of year 0
        raise ValueError(
            f"{path}: column {name}: expected {EXPECTED[of_type]}, found {cells.type}; {error}."
        ) from error
    made = [_cast(path, name, row, value, of_type) for row, value in enumerate(values, start=1)]
    return pandas.Series(made, dtype=dtype)


def _cast(path: Path, name: str, row: int, value: Any, of_type: type) -> Any:
    """A number may be text, a label a number, a truth value 0 or 1."""
    if value is None or value != value:
        return None
    try:
        if of_type is str and isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        if of_type is int and isinstance(value, float) and value.is_integer():
            return checked_cell(name, int(value), int)
        if of_type is bool and type(value) is int:
            return read_cell(name, str(value), bool)
        if isinstance(value, str) and of_type is not str:
            return read_cell(name, value, of_type) if value else None
        return checked_cell(name, value, of_type)
    except (ValueError, KeyError) as error:
        raise ValueError(
            f"{path}, row {row}: column {name}: expected {EXPECTED[of_type]}, found {value!r:.80}."
        ) from error


def _other(cells: Any) -> "pandas.Series":
    import pandas
    import pyarrow

    types = pyarrow.types
    if types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)
    if types.is_string(cells.type) or types.is_large_string(cells.type):
        return cells.to_pandas().astype(frame_types()[str])
    plain = types.is_integer, types.is_floating, types.is_boolean
    if any(is_plain(cells.type) for is_plain in plain):
        return cells.to_pandas()
    texts = [None if cell is None else str(cell) for cell in cells.to_pylist()]
    return pandas.Series(texts, dtype=frame_types()[str])


def _empty(size: int, of_type: type) -> "pandas.Series":
    import pandas

    nothing: list[Optional[Any]] = [None] * size
    return pandas.Series(nothing, dtype=frame_types()[of_type])
