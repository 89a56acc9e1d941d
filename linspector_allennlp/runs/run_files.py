"""The files of a run folder, but for the metrics: predictions, tables, and the closing record."""

import json
import os
from collections.abc import Iterable
from typing import Any, Union

import allennlp.commands.train
from allennlp.models.archival import archive_model

from linspector_allennlp.io.files import replacing, replacing_text
from linspector_allennlp.run_folders.run_record import NAME, RunRecord
from linspector_allennlp.run_folders.tab_tables import write_tab_table
from linspector_allennlp.runs.provenance import read_config
from linspector_allennlp.training.evaluation import Outcome

Path = Union[str, "os.PathLike[str]"]

ARCHIVE = "model.tar.gz"

_archived: set[str] = set()
"""The folders that AllenNLP need not archive any more."""


def write_outcome(folder: str, name: str, outcome: Outcome) -> None:
    """Writes `NAME_predictions.jsonl` and the tables of the probe, `NAME_….tsv`, into the run folder."""
    write_predictions(folder, name, outcome.predictions)
    for table, rows in outcome.scores.tables().items():
        write_tab_table(os.path.join(folder, f"{name}_{table}.tsv"), rows)


def write_predictions(folder: str, name: str, predictions: Iterable[dict[str, Any]]) -> None:
    """Writes the records that `run_folders.predictions` describes, and numbers them."""
    as_json = json.JSONEncoder(ensure_ascii=False).encode
    with replacing_text(os.path.join(folder, f"{name}_predictions.jsonl")) as file:
        for number, prediction in enumerate(predictions):
            record = {"item": number, **prediction}
            record["item"] = number  # whatever another model calls by this name
            file.write(as_json(record) + "\n")


def begin(folder: str) -> dict[str, float]:
    """
    A run that is taken up again is not finished until it says so anew; gives the seconds that it took
    before, if it was.
    """
    path = os.path.join(folder, NAME)
    if not os.path.exists(path):
        return {}
    seconds = RunRecord.read(folder).seconds
    os.unlink(path)
    return seconds


def write_archive(folder: Path) -> None:
    """Writes `model.tar.gz`, all of it or nothing, from the other files of a run."""
    include = read_config(folder).get("include_in_archive")
    with replacing(os.path.join(folder, ARCHIVE)) as temporary:
        archive_model(folder, archive_path=temporary, include_in_archive=include)


def archive(folder: str) -> None:
    """
    `write_archive` for `allennlp train`. AllenNLP would do it after a run is over, without a hook
    for what comes then, and not in one piece; but a run may only be called finished when its archive is
    whole. So the run does it itself, and AllenNLP's own archiving of this folder is left out, once.
    """
    write_archive(folder)
    _archived.add(os.path.realpath(folder))
    allennlp.commands.train.archive_model = _archive_others


def _archive_others(serialization_dir: Path, *args: Any, **settings: Any) -> str:
    """AllenNLP's `archive_model`, but for a folder that was archived just before."""
    if os.path.realpath(serialization_dir) in _archived:
        _archived.remove(os.path.realpath(serialization_dir))
        return os.path.join(serialization_dir, ARCHIVE)
    return archive_model(serialization_dir, *args, **settings)
