"""The files of a run folder, but for the metrics: predictions, tables, and the closing record."""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Optional, Union

import allennlp.commands.train
from allennlp.models.archival import archive_model

from linspector_allennlp.io.files import replacing, replacing_text
from linspector_allennlp.run_folders.run_record import NAME
from linspector_allennlp.training.evaluation import Outcome

Path = Union[str, "os.PathLike[str]"]

_finishing: dict[str, Callable[[Callable[[], None]], None]] = {}
"""By folder what is to be done around the archiving of a run."""


def write_outcome(folder: str, name: str, outcome: Outcome) -> None:
    """Writes `NAME_predictions.jsonl` and the tables of the probe, `NAME_….tsv`, into the run folder."""
    write_predictions(folder, name, outcome.predictions)
    for table, rows in outcome.scores.tables().items():
        write_tsv(os.path.join(folder, f"{name}_{table}.tsv"), rows)


def write_predictions(folder: str, name: str, predictions: Iterable[dict[str, Any]]) -> None:
    with replacing_text(os.path.join(folder, f"{name}_predictions.jsonl")) as file:
        for prediction in predictions:
            file.write(json.dumps(prediction, ensure_ascii=False) + "\n")


def write_tsv(path: str, rows: Iterable[Sequence[Any]]) -> None:
    with replacing_text(path) as file:
        for row in rows:
            file.write("\t".join(map(str, row)) + "\n")


def begin(folder: str) -> None:
    """A run that is taken up again is not finished until it says so anew."""
    path = os.path.join(folder, NAME)
    if os.path.exists(path):
        os.unlink(path)


def finish_after_archiving(folder: str, finish: Callable[[Callable[[], None]], None]) -> None:
    """
    Has `finish` called in place of AllenNLP's archiving of this folder, with the archiving as its
    argument. AllenNLP archives a model after the run is over, and has no hook for what comes then; but
    a run folder may only be called finished when its archive is whole.
    """
    _finishing[os.path.realpath(folder)] = finish
    allennlp.commands.train.archive_model = _archive


def _archive(
    serialization_dir: Path,
    weights: str = "best.th",
    archive_path: Optional[Path] = None,
    include_in_archive: Optional[list[str]] = None,
) -> str:
    """AllenNLP's `archive_model`, which leaves no half of an archive behind."""
    target = os.path.join(serialization_dir, "model.tar.gz")

    def archive() -> None:
        with replacing(archive_path or target) as temporary:
            archive_model(serialization_dir, weights, temporary, include_in_archive)

    finish = _finishing.pop(os.path.realpath(serialization_dir), None)
    if finish is None:
        archive()
    else:
        finish(archive)
    return str(archive_path or target)
