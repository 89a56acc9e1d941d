"""The tables of a study: `results.csv`, `results.parquet` and `predictions.parquet`."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.analysis.chosen_settings import ChosenSettings
from linspector_allennlp.io.files import replacing, replacing_text
from linspector_allennlp.run_folders.found_runs import readable_rows, study_runs
from linspector_allennlp.run_folders.results_file import (
    CSV,
    PARQUET,
    PREDICTIONS,
    parquet_types,
    pyarrow_parquet,
    read_predictions,
    read_results,
    write_csv_row,
)
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.run_folders.table_columns import (
    PREDICTION_COLUMNS,
    RESULT_COLUMNS,
    Columns,
)
from linspector_allennlp.run_folders.table_rows import prediction_rows, score_rows

__all__ = ["check_packages", "read_predictions", "read_results", "write_results"]

logger = logging.getLogger(__name__)

ROWS_IN_MEMORY = 20_000

Row = Mapping[str, Any]
AddRows = Callable[[Iterable[Row]], None]


def check_packages() -> None:
    """Says before anything is trained what the tables need."""
    try:
        import pandas  # noqa: F401

        pyarrow_parquet()
    except ImportError as error:
        raise ConfigurationError(
            "The tables of a study need packages: pip install 'pandas>=2' 'pyarrow>=15' (or "
            "linspector_allennlp[suite])"
        ) from error


def write_results(study: StudyFolder) -> None:
    """
    Writes the tables of the finished runs of the plan, one run after another, each file whole or not at all.
    What cannot be read is logged and left out. `results.csv` needs no package; without pyarrow it is written, and
    then an error says what the other two need.
    """
    # Two walks, so that never more than a run is in memory. A search is decided by all of its runs.
    searched = any(row.columns.get("search") is not None for row in study.plan())
    chosen = ChosenSettings(study_runs(study, lambda sentence: None) if searched else ())
    for note in chosen.notes:
        logger.warning(note)
    tables = {CSV: (_csv_table, RESULT_COLUMNS)}
    try:
        check_packages()
        missing = None
        tables |= {
            PARQUET: (_parquet_table, RESULT_COLUMNS),
            PREDICTIONS: (_parquet_table, PREDICTION_COLUMNS),
        }
    except ConfigurationError as error:
        missing = error
    with ExitStack() as files:
        add = {
            name: files.enter_context(open_table(study.path / name, columns))
            for name, (open_table, columns) in tables.items()
        }
        for found in study_runs(study, logger.warning):
            scores = score_rows(found.run, found.columns, found.name, chosen.has(found))
            rows = readable_rows(found, "scores", scores, logger.warning)
            for name in add.keys() & {CSV, PARQUET}:
                add[name](rows)
            if PREDICTIONS in add:
                answers = prediction_rows(found.run, found.name)
                add[PREDICTIONS](readable_rows(found, "predictions", answers, logger.warning))
    if missing is not None:
        for name in (PARQUET, PREDICTIONS):  # older than the CSV file
            (study.path / name).unlink(missing_ok=True)
        raise missing


@contextmanager
def _csv_table(path: Path, columns: Columns) -> Iterator[AddRows]:
    """The function that adds rows to a file."""
    with replacing_text(path) as file:
        write_csv_row(file, list(columns))

        def add(rows: Iterable[Row]) -> None:
            for row in rows:
                write_csv_row(file, [row.get(name) for name in columns])

        yield add


@contextmanager
def _parquet_table(path: Path, columns: Columns) -> Iterator[AddRows]:
    """The function that adds rows to a file; it is written in parts of `ROWS_IN_MEMORY` rows."""
    import pyarrow

    types = parquet_types()
    schema = pyarrow.schema([(name, types[of_type]) for name, of_type in columns.items()])
    waiting: list[Row] = []
    with (
        replacing(path) as temporary,
        pyarrow_parquet().ParquetWriter(temporary, schema, compression="zstd") as writer,
    ):

        def write() -> None:
            cells = {name: [row.get(name) for row in waiting] for name in columns}
            writer.write_table(pyarrow.table(cells, schema=schema))
            waiting.clear()

        def add(rows: Iterable[Row]) -> None:
            waiting.extend(rows)
            if len(waiting) >= ROWS_IN_MEMORY:
                write()

        yield add
        write()
