"""The commands that are attacked, on the small data, each in a folder of its own; see `attack`."""

import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Optional, Union

from attack_marker import Marker, Moment

from linspector_allennlp.representations.vector_files.vector_store import VectorStore
from linspector_allennlp.suite import local_processes
from tests.hostile.guarded_child import command
from tests.suite.processes import ended, forked

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
CONFIG = FIXTURES.parent / "training_configs/single_form.jsonnet"

LONGEST = 120  # seconds of an undisturbed command

Work = Union[Sequence[object], Callable[[], object]]
"""The words of a command, or a function."""


def of_probe_data(place: Path) -> Work:
    raw = FIXTURES / "raw"
    options = ["--language", "finnish", "--unimorph", raw / "finnish.tsv", "--size", 200]
    return ["probe-data", "type-level", *options, "--output", place / "out"]


def of_token_data(place: Path) -> Work:
    files = sorted((FIXTURES / "raw").glob("*.conllu"))
    options = ["--language", "finnish", "--treebank", *files, "--size", 100]
    return ["probe-data", "token-level", *options, "--output", place / "out"]


def of_train(place: Path) -> Work:
    return ["train", CONFIG, "-s", place / "out", "-o", json.dumps({"trainer.num_epochs": 4})]


def of_suite(place: Path) -> Work:
    file = place / "suite.json"
    file.write_text(json.dumps({"data": str(FIXTURES / "type_level"), **SUITE}))
    return ["probe-suite", file, "-s", place / "out", "--workers", 2]


def of_predict(place: Path) -> Work:
    (place / "out").mkdir(exist_ok=True)
    items = FIXTURES / "type_level/Case/finnish/test.txt"
    options = ["--use-dataset-reader", "--silent", "--output-file", place / "out/predictions.jsonl"]
    return ["predict", place.parent / "train_undisturbed/out/model.tar.gz", items, *options]


def of_report(place: Path) -> Work:
    study = FIXTURES / "study"
    options = ["--csv", study / "results.csv", "-o", place / "out/report.html"]
    (place / "out").mkdir(exist_ok=True)
    return ["probe-report", *options]


def of_vector_store(place: Path) -> Work:
    """The first opening of a file of vectors."""
    path = place / "out/words.vec"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(many_vectors())
    return lambda: VectorStore.open(path)


@cache
def many_vectors() -> str:
    rng = random.Random(18)
    rows = (" ".join(f"{rng.gauss(0, 1):.4f}" for _ in range(20)) for _ in range(5000))
    return "5000 20\n" + "".join(f"sana{i} {row}\n" for i, row in enumerate(rows))


SUITE = {
    "tasks": ["Number"],
    "representations": {"chars": "char_ngrams:dimension=8", "random": "random_vectors:dimension=8"},
    "seeds": 3,
}

# What another one needs comes before it.
COMMANDS: dict[str, Callable[[Path], Work]] = {
    "probe-data": of_probe_data,
    "token data": of_token_data,
    "train": of_train,
    "probe-suite": of_suite,
    "predict": of_predict,
    "probe-report": of_report,
    "vector store": of_vector_store,
}
RESUMED = {"train": ["--recover"]}


def run(name: str, place: Path, resumed: bool = False, limit: Optional[int] = None) -> int:
    """The exit code of a command; 124 if it had to be ended."""
    child = start(name, place, RESUMED.get(name, ()) if resumed else (), limit=limit)
    code = ended(child, LONGEST)
    if code is None:
        kill(child)
        return 124
    return code


def run_again(name: str, place: Path) -> int:
    """The exit code of a command that is typed again after a mishap, first as one that goes on."""
    code = run(name, place, resumed=True)
    return run(name, place) if code and name in RESUMED else code


def start(name: str, place: Path, more: Sequence[object] = (), **others) -> int:
    work = COMMANDS[name](place)
    return start_work(work if callable(work) else [*work, *more], place, **others)


def start_work(
    work: Work,
    place: Path,
    log: str = "log",
    limit: Optional[int] = None,
    marker: Optional[Marker] = None,
    moment: Optional[Moment] = None,
) -> int:
    """Begins it in a process of its own; gives its number."""
    # The log is written by another process, for which there is always room.
    with open(place / log, "wb") as file:
        writer = subprocess.Popen(
            ["cat"], stdin=subprocess.PIPE, stdout=file, start_new_session=True
        )
    if not callable(work):
        work = command(*work, log=writer.stdin.fileno())

    def begun() -> None:
        os.environ.update(
            LINSPECTOR_CACHE=str(place / "cache"),
            DATA_DIR=str(FIXTURES / "type_level"),
            TASK="Case",
            LANGUAGE="finnish",
            VECTORS=str(FIXTURES / "vectors/finnish.vec"),
            TMPDIR=str(place / "tmp"),
        )
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        context = multiprocessing.get_context("fork")
        local_processes.start_server = lambda: context  # all is imported already
        if marker is not None:
            marker.watch(moment)
        work()

    child = forked(begun)
    writer.stdin.close()
    return child


def kill(child: int) -> None:
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)


def new_place(folder: Path, name: str) -> Path:
    place = folder / name.replace(" ", "_")
    (place / "tmp").mkdir(parents=True)
    return place


def remove(place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)


def said(place: Path, log: str = "log") -> str:
    """The last that a command said."""
    time.sleep(0.1)  # its log may still be on its way
    with suppress(OSError):
        return " / ".join((place / log).read_text(errors="replace").split("\n")[-8:])[-700:]
    return ""


def is_raw(text: str) -> bool:
    return "Traceback" in text or "linspector: error" not in text
