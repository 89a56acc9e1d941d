"""The only reader of run folders."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.json_objects import read_json_object
from linspector_allennlp.io.regular import open_regular
from linspector_allennlp.run_folders import data_frames
from linspector_allennlp.run_folders.run_record import Column, RunRecord
from linspector_allennlp.run_folders.tab_tables import read_tab_table
from linspector_allennlp.run_folders.table_columns import fits, is_share
from linspector_allennlp.run_folders.table_rows import score_rows

if TYPE_CHECKING:
    import pandas


SENTENCE_POOLS = ("cls", "sentence_mean", "sentence_max")

REPORT_COLUMNS = ("label", "precision", "recall", "f1", "support")


class RunFolder(NamedTuple):
    """The files of a finished run."""

    path: Path
    record: RunRecord
    metrics: dict[str, Any]
    provenance: dict[str, Any]

    @classmethod
    def read(cls, path: PathLike) -> "RunFolder":
        path = Path(path)
        record = RunRecord.read(path)
        metrics = _read_json(path / "metrics.json")
        _check_metrics(path / "metrics.json", metrics)
        provenance = _read_json(path / "provenance.json")
        _check_provenance(path / "provenance.json", provenance)
        run = cls(path, record, metrics, provenance)
        run.check_scores([*record.columns, *_of_main(record)])
        return run

    def check_scores(self, columns: Iterable[Column]) -> None:
        """Refuses a run with something else than a number, or than a share, where these columns show one."""
        for column in columns:
            ends = ("_low", "_high") if column.form == "interval" else ("",)
            for name in (f"{column.metric}{end}" for end in ends):
                value = self.metrics.get(name)
                if value is None:
                    continue
                is_number = fits(value, float)
                if not is_number or (column.form != "number" and not is_share(value)):
                    expected = "a share from 0 to 1" if is_number else "a number"
                    raise ValueError(
                        f"{self.path / 'metrics.json'}: expected {expected}, found {name}: {value!r:.80}"
                    )

    @property
    def task(self) -> str:
        return self.record.name

    @property
    def representation(self) -> str:
        """The name of what was probed, in a few words."""
        both = [self.record.representation, *([self._of_test] if self._of_test else [])]
        name = " → ".join(" + ".join(map(_name, parts)) for parts in both) or "–"
        return name if self.encoder is None else f"{self.encoder} of {name}"

    @property
    def encoder(self) -> Optional[str]:
        """The name of the sentence encoder, where it is not the representation that encodes."""
        encoder = self.record.encoder
        if encoder is None or encoder["type"] == "sentence_vector":
            return None
        # The size of a random encoder is a choice; that of others follows from the vectors.
        size = f" {encoder['dimension']}" if "seed" in encoder else ""
        return f"{encoder['type']}{size}"

    @property
    def _of_test(self) -> list[dict[str, Any]]:
        """The representation of the test data, where they have one of their own."""
        return (self.record.transfer or {}).get("representation") or []

    @property
    def classifier(self) -> str:
        """The name of the head, or that of its classifier."""
        head = self.record.settings.get("head")
        named = head.get("classifier") if isinstance(head, dict) else None
        return str(named or self.record.head or "–")

    @property
    def columns(self) -> dict[str, Any]:
        """What it is called in a table of runs (`PLAN_COLUMNS`), where no suite says it."""
        record, layer = self.record, None
        names = record.representation
        if len(names) == 1 and isinstance(names[0].get("layer"), int):
            layer = names[0]["layer"]
            names = [{key: value for key, value in names[0].items() if key != "layer"}]
        return {
            "level": record.level,
            # Of a treebank, the name of its files is all that is known of its language.
            "language": record.language if record.target is None else record.task,
            "task": record.task if record.target is None else record.target,
            "representation": " → ".join(
                " + ".join(map(_name, parts)) for parts in (names, self._of_test) if parts
            )
            or None,
            "layer": layer,
            "encoder": self.encoder,
            "probe": record.probe if self.classifier == "–" else self.classifier,
            "test": record.tested_in,
            "control": record.control is not None,
            "seed": record.seed,
        }

    def label_report(self, split: str) -> list[dict[str, str]]:
        """A row for each label: label, precision, recall, f1, support; nothing without labels."""
        rows = list(self._rows(f"{split}_report.tsv", REPORT_COLUMNS))
        for line, row in enumerate(rows, start=2):
            for name in ("precision", "recall", "f1"):
                cell = row[name]
                if not re.fullmatch(r"[01](\.\d+)?(e-\d+)?", cell) or not is_share(float(cell)):
                    raise ValueError(
                        f"{self.path / f'{split}_report.tsv'}, line {line}: {name}: expected a share from "
                        f"0 to 1, found {cell!r:.80}."
                    )
            self._check_count(f"{split}_report.tsv", line, "support", row["support"])
        return rows

    def confusions(self, split: str) -> list[tuple[int, str, str]]:
        """How often which label was taken for which other one, the most frequent first."""
        confusions = [
            (int(count), gold, predicted)
            for (_, gold), *cells in (row.items() for row in self._confusion_rows(split))
            for predicted, count in cells
            if predicted != gold and int(count)
        ]
        return sorted(confusions, key=lambda confusion: (-confusion[0], confusion[1:]))

    def _confusion_rows(self, split: str) -> Iterator[dict[str, str]]:
        """A row for each gold label, which is in its first cell."""
        name = f"{split}_confusion.tsv"
        for line, row in enumerate(self._rows(name), start=2):
            for predicted, count in list(row.items())[1:]:
                self._check_count(name, line, predicted, count)
            yield row

    def _check_count(self, file: str, line: int, name: str, cell: Any) -> None:
        if not re.fullmatch(r"\d{1,15}", str(cell)):
            raise ValueError(
                f"{self.path / file}, line {line}: {name!s:.80}: expected a number of items, found "
                f"{cell!r:.80}."
            )

    def predictions(self, split: str) -> Iterator[dict[str, Any]]:
        """The predictions for the items, in the order of the data file, one at a time."""
        path = self.path / f"{split}_predictions.jsonl"
        if not path.exists():
            there = sorted(file.name for file in self.path.glob("*_predictions.jsonl"))
            raise FileNotFoundError(
                f"{self.path} has no {path.name}: the run was not evaluated on {split} data. "
                f"There is: {', '.join(there) or 'no file of predictions'}."
            )
        return _read_json_lines(path)

    def scores(self) -> "pandas.DataFrame":
        """The scores, a row for each metric; docs/formats.md says what the columns are."""
        return data_frames.scores_frame(score_rows(self, self.columns, self.path.name))

    def predictions_table(self, split: str) -> "pandas.DataFrame":
        """The predictions, a row for each item; `predictions.py` says what the columns are."""
        return data_frames.records_frame(self.predictions(split))

    def label_report_table(self, split: str) -> "pandas.DataFrame":
        """Precision, recall, F1 and support of each label."""
        return data_frames.report_frame(self.label_report(split))

    def confusion_table(self, split: str) -> "pandas.DataFrame":
        """How often which label (a row) was taken for which (a column)."""
        return data_frames.confusion_frame(list(self._confusion_rows(split)))

    def _rows(self, name: str, columns: Sequence[str] = ()) -> Iterator[dict[str, str]]:
        path = self.path / name
        return read_tab_table(path, columns) if path.exists() else iter(())


def _check_metrics(path: Path, metrics: dict[str, Any]) -> None:
    """JSON has no number that is infinite or none, but Python reads them."""
    for name, value in metrics.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{path}: expected a number, found {name}: {value}.")


def _check_provenance(path: Path, provenance: dict[str, Any]) -> None:
    """Refuses data that are not by split, with the path and the numbers of items of each."""
    data = provenance.get("data", {})
    if not isinstance(data, dict) or not all(isinstance(part, dict) for part in data.values()):
        raise ValueError(f"{path}: expected data by split, found data: {data!r:.80}.")
    for name, part in data.items():
        for key, of_type in (("path", str), ("items", int), ("sentences", int), ("files", list)):
            if not isinstance(part.get(key), (of_type, type(None))):
                raise ValueError(f"{path}: data: {name}: found {key}: {part[key]!r:.80}.")


def _of_main(record: RunRecord) -> list[Column]:
    """The scores by which a run is judged, as the table of its kind shows them."""
    main = [column for column in record.columns if column.metric == f"test_{record.main_metric}"]
    form = main[0].form if main else "number"
    keys = [f"best_validation_{record.main_metric}", *record.baselines]
    return [Column(key, key, form) for key in keys]


def _name(representation: dict[str, Any]) -> str:
    """As `transformer_layer minilm, layer 4`."""
    source = representation.get("path") or representation.get("model") or ""
    name = f"{representation['type']} {Path(source).name}".strip()
    details = [
        f"{key} {representation[key]}" for key in ("layer", "module") if key in representation
    ]
    if representation.get("pool") in SENTENCE_POOLS:
        details.append(representation["pool"])
    if str(representation.get("weights")).startswith("random"):
        details.append("random weights")
    if representation.get("alone"):
        details.append("alone")
    if "base" in representation:
        details.append(f"over {_name(representation['base'])}")
    return ", ".join([name, *details])


def _read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with open_regular(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                content = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{path}, line {number}: expected JSON; {error}.") from error
            if not isinstance(content, dict):
                raise ValueError(
                    f"{path}, line {number}: expected a JSON object, found {content!r:.200}."
                )
            yield content


def _read_json(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise FileNotFoundError(
            f"{path.parent} is not the folder of a finished run: it has no {path.name}."
        )
    return read_json_object(path)
