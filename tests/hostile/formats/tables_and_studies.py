"""Suites, the plans of studies, and tables of results."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.run_folders.results_file import PREDICTIONS, read_predictions, read_results
from linspector_allennlp.run_folders.study_folder import StudyFolder
from linspector_allennlp.suite import planned_runs, read_suite
from tests.hostile.case import Case
from tests.hostile.damage import damaged_bytes, damaged_json, damaged_text, written
from tests.run_folders.made_runs import accuracy, made_study

DATA = Path(__file__).resolve().parents[3] / "fixtures/type_level"

SUITE: dict[str, Any] = {
    "data": str(DATA),
    "tasks": ["Number"],
    "representations": {"chars": "char_ngrams:dimension=5", "random": "random_vectors"},
    "probes": ["linear"],
    "seeds": [1, 2],
    "control": True,
}

TABLE = """language,task,representation,metric,value,low,high,seed,layer
fin,Case,a,accuracy,0.5,0.4,0.6,1,3
fin,Case,b,accuracy,0.25,0.2,0.3,1,
fin,Number,"a, b",accuracy,0.75,,,2,1
"""


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    yield from _suites(rng, folder)
    yield from _plans(rng, folder)
    yield from _tables(rng, folder)


def _suites(rng: random.Random, folder: Path) -> Iterator[Case]:
    (folder / "suites").mkdir()
    for number, (name, content) in enumerate(damaged_json(rng, SUITE, 4)):
        path = written(folder / "suites", number, content, "json")
        yield Case(
            f"suite: {name}", path, _of(path, lambda p: len(planned_runs(read_suite(p)))), "either"
        )


def _of(path: Path, read: Callable[[Path], Any]) -> Callable[[], Any]:
    """As a command says it that was given one file: what is wrong is a setting in that."""

    def open_it() -> Any:
        try:
            return read(path)
        except ConfigurationError as error:
            raise ConfigurationError(f"{path}: {error.message}") from error
        except (RuntimeError, OSError) as error:  # jsonnet's, and those of the files that it names
            raise ValueError(f"{path}: {error!s:.300}") from error

    return open_it


def _plans(rng: random.Random, folder: Path) -> Iterator[Case]:
    good = made_study(folder / "study", [({}, accuracy(0.5)), ({"seed": 1}, None)])
    plan = json.loads((good.path / "suite.json").read_text())
    for number, (name, content) in enumerate(damaged_json(rng, plan, 10)):
        study = folder / f"study{number}"
        study.mkdir()
        (study / "suite.json").write_bytes(content)
        yield Case(
            f"plan: {name}",
            study / "suite.json",
            lambda s=study: StudyFolder(s).plan(),
            "either",
            _inside,
        )


def _inside(rows: list[Any]) -> bool:
    """No run of a plan leads out of its study."""
    return all("/" not in row.name and row.name not in ("", ".", "..") for row in rows)


def _tables(rng: random.Random, folder: Path) -> Iterator[Case]:
    (folder / "tables").mkdir()
    number = 0
    for name, content in damaged_text(rng, TABLE.replace(",", "\t")):
        number += 1
        content = content if content[:2] == b"\x1f\x8b" else content.replace(b"\t", b",")
        path = written(folder / "tables", number, content, "csv")
        yield Case(f"table: {name}", path, lambda p=path: read_results(p), "either", _are_shares)
    for value in ("nan", "7", "-3", "1e400", "-inf", "9" * 5000, "٣", "0x10", "1_000", "=1+1"):
        number += 1
        content = TABLE.replace("0.25", value).encode()
        path = written(folder / "tables", number, content, "csv")
        yield Case(
            f"table: value {value:.10}", path, lambda p=path: read_results(p), "either", _are_shares
        )
    table = read_results(written(folder / "tables", 0, TABLE.encode(), "csv"))
    good = folder / "good.parquet"
    table.to_parquet(good)
    for name, content in damaged_bytes(rng, good.read_bytes()):
        number += 1
        path = written(folder / "tables", number, content, "parquet")
        yield Case(f"parquet: {name}", path, lambda p=path: read_results(p), "either", _are_shares)
        path = written(folder / "tables", number, content, PREDICTIONS)
        yield Case(f"predictions: {name}", path, lambda p=path: read_predictions(p), "either")


def _are_shares(table: Any) -> bool:
    """Of tables of others scores may be in percent; what is none is missing."""
    return bool(table["value"].dropna().between(0, 100).all())
