"""The content of a run folder as pandas tables; pandas is imported when one is asked for."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from linspector_allennlp.run_folders.table_columns import RESULT_COLUMNS, Columns

if TYPE_CHECKING:
    import pandas


def scores_frame(rows: Iterable[dict[str, Any]]) -> "pandas.DataFrame":
    """Rows of `score_rows` as a table with the columns and types of that of a study."""
    return typed_frame(rows, RESULT_COLUMNS)


def typed_frame(rows: Iterable[dict[str, Any]], columns: Columns) -> "pandas.DataFrame":
    """
    A table with these columns, and others that a row has, as text. What is missing stays missing and is
    no text; whole numbers stay whole.
    """
    pandas, rows = _pandas(), list(rows)
    others = dict.fromkeys((key for row in rows for key in row if key not in columns), str)
    types = frame_types()
    return pandas.DataFrame(
        {
            name: pandas.Series([row.get(name) for row in rows], dtype=types[of_type])
            for name, of_type in {**columns, **others}.items()
        }
    )


def frame_types() -> dict[type, Any]:
    """By the type of a column, that of pandas: whole numbers and text that may be missing."""
    pandas = _pandas()
    return {
        str: pandas.StringDtype(),
        int: pandas.Int64Dtype(),
        float: pandas.Series(dtype="float64").dtype,
        bool: pandas.BooleanDtype(),
    }


def records_frame(records: Iterator[dict[str, Any]]) -> "pandas.DataFrame":
    """Records as rows; text stays text, the label `None` too."""
    return _pandas().DataFrame(list(records))


def report_frame(rows: list[dict[str, str]]) -> "pandas.DataFrame":
    """The rows of a label report, by label, with numbers in them."""
    frame = _pandas().DataFrame(rows, columns=list(rows[0]) if rows else ["label"])
    return frame.set_index("label").astype(float)


def confusion_frame(rows: list[dict[str, str]]) -> "pandas.DataFrame":
    """How often which label (a row) was taken for which (a column)."""
    gold = [next(iter(row.values())) for row in rows]
    counts = [list(map(int, list(row.values())[1:])) for row in rows]
    columns = list(rows[0])[1:] if rows else []
    pandas = _pandas()
    return pandas.DataFrame(
        counts,
        index=pandas.Index(gold, name="gold"),
        columns=pandas.Index(columns, name="predicted"),
    )


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "Tables need a package: pip install 'pandas>=2' (or linspector_allennlp[tables])"
        ) from error
    return pandas
