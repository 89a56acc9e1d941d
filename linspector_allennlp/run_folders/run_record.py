"""
The on-disk contract between training and analysis: what a run says of itself, in the file `run.json`
of its folder. It is written last: a folder without it is not that of a finished run.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, Optional

from linspector_allennlp.io.files import PathLike, write_json
from linspector_allennlp.io.missing_files import listed
from linspector_allennlp.io.regular import read_text

NAME = "run.json"

FORMAT = 2
"""2: predictions are as `predictions` describes them, with 0-based numbers."""

# Of the fields, where a file may have come from anywhere.
TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("kind", "main_metric", "config", "tested_on"), (str,)),
    **dict.fromkeys(("task", "language", "target", "level", "probe", "head"), (str, type(None))),
    **dict.fromkeys(("control", "encoder", "folds", "transfer"), (dict, type(None))),
    **dict.fromkeys(("predictions", "settings", "sizes", "seconds", "versions"), (dict,)),
    **dict.fromkeys(("representation", "columns", "baselines"), (list,)),
    "seed": (int,),
}


def config_digest(config: Mapping[str, Any]) -> str:
    """The SHA-256 of a config, whatever the order of its keys."""
    canonical = json.dumps(config, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


FORMS = ("percent", "interval", "number")


class Column(NamedTuple):
    """A column of a table of runs: its title, a key of `metrics.json`, and how it is printed."""

    title: str
    metric: str
    form: str = "percent"
    """`percent`; `interval`, with `_low` and `_high` behind the key, in percent; `number`, with three
    decimals."""


@dataclass(frozen=True)
class RunRecord:
    """
    # Parameters

    kind : `str`
        `probe`, or `model` for any other model.
    level : `str`, optional
        `type`, `token` or `sentence`.
    task, language, target : `str`, optional
        The name of the task and its language, as the folder of the data has them; of a treebank the
        name of its files, and the target: a column, a feature, or trees. Nothing for the data of a
        reader that is not ours.
    control : `Dict[str, Any]`, optional
        The `seed` of a control task, and how many `behaviours` a word has to choose its head.
    probe, head : `str`, optional
        The registered name of the model, and that of its head, where there are several.
    settings : `Dict[str, Any]`
        The settings of the model in the config, but for the representation.
    representation : `List[Dict[str, Any]]`
        The provenance of each, with its `type` and, where it has any, its `layer`.
    encoder : `Dict[str, Any]`, optional
        The provenance of the sentence encoder, with its `type`.
    folds : `Dict[str, Any]`, optional
        The way in which the data were divided into folds, with its `type` and their `number`; then the
        test data are all that were tested in some fold.
    transfer : `Dict[str, Any]`, optional
        The `task` and the `language` of the test data, where they are not those of the training data, and
        their `representation`, where they have one of their own.
    main_metric : `str`
        The metric by which a run is judged, without the prefix of a split.
    columns : `List[Column]`
        The columns of a table of such runs; some runs have nothing in one of them.
    baselines : `List[str]`
        The keys of `metrics.json` with the scores that the main metric is to be compared with.
    predictions : `Dict[str, str]`
        `kind`: how predictions are scored item by item (`label`, `tags`, `arcs`, `edges`, `root`). `cluster`: the
        key by which some belong together, `sentence` or `line`.
    seed : `int`
    sizes : `Dict[str, Dict[str, int]]`
        The items of each split, and its sentences, where an instance is one with several items.
    tested_on : `str`
        `test`; or `validation`, where the test scores are those of the validation file.
    seconds : `Dict[str, float]`
        By phase: start, reading, representing, training, evaluating, archiving; those of the process
        that finished the run, where it was interrupted and recovered.
    versions : `Dict[str, str]`
    config : `str`
        The SHA-256 of the config, as canonical JSON.
    """

    kind: str
    task: Optional[str]
    main_metric: str
    seed: int
    config: str
    level: Optional[str] = None
    language: Optional[str] = None
    target: Optional[str] = None
    control: Optional[dict[str, Any]] = None
    probe: Optional[str] = None
    head: Optional[str] = None
    settings: dict[str, Any] = field(default_factory=dict)
    representation: list[dict[str, Any]] = field(default_factory=list)
    encoder: Optional[dict[str, Any]] = None
    folds: Optional[dict[str, Any]] = None
    transfer: Optional[dict[str, Any]] = None
    columns: list[Column] = field(default_factory=list)
    baselines: list[str] = field(default_factory=list)
    predictions: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, dict[str, int]] = field(default_factory=dict)
    tested_on: str = "test"
    seconds: dict[str, float] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def write(self, folder: PathLike) -> None:
        content = {"format": FORMAT, **asdict(self)}
        content["columns"] = [column._asdict() for column in self.columns]
        write_json(Path(folder, NAME), content)

    @classmethod
    def read(cls, folder: PathLike) -> "RunRecord":
        path = Path(folder, NAME)
        try:
            content = json.loads(read_text(path))
        except FileNotFoundError as error:
            raise FileNotFoundError(_no_run(Path(folder))) from error
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}: expected JSON; {error}.") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            found = content.get("format") if isinstance(content, dict) else content
            raise ValueError(
                f"{path}: expected the record of a run in format {FORMAT}, found {found!r:.200}. Runs of "
                "another version cannot be read: train it again."
            )
        known = {each.name for each in fields(cls)}
        for name, types in TYPES.items():
            if not isinstance(content.get(name, types[0]()), types):
                raise ValueError(
                    f"{path}: expected the record of a run, found {name}: {content[name]!r:.200}."
                )
        _check_parts(path, content)
        try:
            record = cls(**{name: value for name, value in content.items() if name in known})
            columns = [Column(**column) for column in record.columns]  # type: ignore[arg-type]
        except TypeError as error:
            raise ValueError(f"{path}: expected the record of a run; {error}.") from error
        object.__setattr__(record, "columns", columns)
        return record

    @property
    def tested_in(self) -> Optional[str]:
        """What the test data are, where they are not of the task: their language, or task and language."""
        if self.transfer is None:
            return None
        task, language = self.transfer.get("task"), self.transfer.get("language")
        if self.target is not None:  # of a treebank, whose name is that of its files
            return task
        return language if task == self.task else f"{task}/{language}"

    @property
    def name(self) -> str:
        """As `Case/finnish`, or `upos/fi_tdt-ud` of a treebank."""
        parts = [self.task, self.language] if self.target is None else [self.target, self.task]
        name = "/".join(part for part in parts if part)
        if self.tested_in:
            name += f" → {self.tested_in}"
        return f"{name}, control" if self.control else name or "–"


def _check_parts(path: Path, content: Mapping[str, Any]) -> None:
    """Refuses a record with something else in its lists and objects than belongs there."""
    transfer = content.get("transfer") or {}
    checks = {
        "representation": _have_types(content.get("representation", [])),
        "transfer": _have_types(transfer.get("representation") or [])
        and all(isinstance(transfer.get(key), (str, type(None))) for key in ("task", "language")),
        "encoder": content.get("encoder") is None or _have_types([content["encoder"]]),
        "baselines": _are(str, content.get("baselines", [])),
        "predictions": _are(str, content.get("predictions", {}).values()),
        "columns": all(
            isinstance(column, dict)
            and _are(str, column.values())
            and column.get("form", FORMS[0]) in FORMS
            for column in content.get("columns", [])
        ),
        "sizes": all(
            isinstance(sizes, dict) and _are(int, sizes.values())
            for sizes in content.get("sizes", {}).values()
        ),
        "seconds": all(
            _are((int, float), [value]) and 0 <= value < math.inf
            for value in content.get("seconds", {}).values()
        ),
    }
    for name, is_right in checks.items():
        if not is_right:
            raise ValueError(
                f"{path}: expected the record of a run, found {name}: {content[name]!r:.200}."
            )


def _have_types(values: Iterable[Any]) -> bool:
    return all(isinstance(value, dict) and isinstance(value.get("type"), str) for value in values)


def _are(of_type: Any, values: Iterable[Any]) -> bool:
    return all(isinstance(value, of_type) and not isinstance(value, bool) for value in values)


def _no_run(folder: Path) -> str:
    if not folder.exists():
        return f"{folder}: there is no such folder."
    inside = [path.parent.name for path in folder.glob(f"*/{NAME}")] if folder.is_dir() else []
    found = f" There are runs in it: {listed(inside)}." if inside else ""
    return f"{folder} is not the folder of a finished run: it has no {NAME}.{found}"
