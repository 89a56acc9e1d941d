"""A table of scores that somebody else has written: what is wrong with it is said by its lines."""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeGuard

import pandas

from linspector_allennlp.analysis.tidy_scores import KEYS
from linspector_allennlp.analysis.wording import some
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.report.page.cells import is_share
from linspector_allennlp.run_folders.data_frames import typed_frame
from linspector_allennlp.run_folders.results_file import numbered_csv_rows, read_results
from linspector_allennlp.run_folders.table_columns import BASELINES, RESULT_COLUMNS

IN_UNIT = ("value", "low", "high", *BASELINES)
"""The columns in the unit of the scores."""

APART = (*KEYS, "seed", "control", "split", "metric")
Row = Mapping[str, Any]
Numbered = tuple[int, Row]


def foreign_table(path: PathLike) -> tuple[pandas.DataFrame, list[str]]:
    """
    The table in fractions, and what a reader must know of it.

    Rows that repeat another one, scores that no share can have, and fractions among percents are errors that
    name their lines. A file is in percent if a score that is a share is above 1.
    """
    path = Path(path)
    if path.is_dir() or path.suffix == ".parquet":
        table = read_results(path)
        records = table.astype(object).where(table.notna(), None).to_dict("records")
        rows: list[Numbered] = [
            (number, {str(name): cell for name, cell in row.items() if cell is not None})
            for number, row in enumerate(records, start=1)
        ]
    else:
        rows = list(numbered_csv_rows(path))
        table = typed_frame([dict(row) for _, row in rows], RESULT_COLUMNS)
    _check_repeats(path, rows)
    notes = _not_numbers(rows)
    shares = [(line, row) for line, row in rows if is_share(row.get("metric"))]
    _check_range(path, shares)
    values = [(line, row["value"]) for line, row in shares if _is_number(row.get("value"))]
    above = [line for line, value in values if value > 1]
    if not above:
        return table, notes
    small = [line for line, value in values if 0 < value <= 1]
    if len(small) > len(above):
        raise ValueError(
            f"{path}, line {_lines(above)}: value: expected a fraction as in the other lines, found a number "
            "above 1; write all scores as fractions, or all as percents."
        )
    notes.append("Scores above 1 are there: all are taken as percent.")
    for name in ("value", *BASELINES):
        lines = [line for line, row in shares if name in row and 0 < row[name] <= 1]
        if lines:
            notes.append(
                f"Line {_lines(lines)}: {name} is 1 % or less beside percents. If it is a fraction, all scores of "
                "this line are wrong here: write percents everywhere."
            )
    is_of_share = table["metric"].map(is_share).astype(bool)
    there = [name for name in IN_UNIT if name in table]
    scaled = {name: table[name].where(~is_of_share, table[name] / 100) for name in there}
    return table.assign(**scaled), notes


def _check_repeats(path: Path, rows: Iterable[Numbered]) -> None:
    """No two rows may be the same score."""
    whole: dict[Any, int] = {}
    scores: dict[Any, Numbered] = {}
    for line, row in rows:
        first = whole.setdefault(tuple(sorted(row.items(), key=str)), line)
        if first != line:
            raise ValueError(f"{path}: line {line} repeats line {first}; remove one of them.")
        if row.get("is_main") is False or row.get("chosen") is False:
            continue
        own = [name for name in row if name not in RESULT_COLUMNS]
        key = tuple((name, row.get(name)) for name in (*APART, *sorted(own)))
        before, other = scores.setdefault(key, (line, row))
        if before != line:
            place = ", ".join(
                str(row[name]) for name in ("language", "task", "representation", "metric")
            )
            raise ValueError(
                f"{path}: lines {before} and {line} are scores of the same ({place}): {_cell(other)} and "
                f"{_cell(row)}. Expected a column that tells them apart, as seed, probe, layer, train_share, or "
                "one of your own; or one of the lines is too many."
            )


def _check_range(path: Path, shares: Iterable[Numbered]) -> None:
    for line, row in shares:
        for name in ("value", *BASELINES):
            cell = row.get(name)
            if _is_number(cell) and not 0 <= cell <= 100:
                raise ValueError(
                    f"{path}, line {line}: {name}: expected {row['metric']} as a fraction from 0 to 1 or percent "
                    f"from 0 to 100, found {cell:g}."
                )


def _not_numbers(rows: Iterable[Numbered]) -> list[str]:
    lines = [line for line, row in rows if "value" in row and not _is_number(row["value"])]
    return [f"Line {_lines(lines)}: the value is no number; it has no part in a mean."] * bool(
        lines
    )


def _is_number(cell: Any) -> TypeGuard[float]:
    return cell is not None and math.isfinite(cell)


def _cell(row: Row) -> str:
    return f"{row['value']:g}" if "value" in row else "nothing"


def _lines(lines: list[int]) -> str:
    return some(map(str, lines), ", ")
