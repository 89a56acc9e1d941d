"""Pipes, devices, sockets and folders in the place of files, for whatever reads a file by its path."""

import os
import random
import socket
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch

from linspector_allennlp.audit.task_folders import read_manifest
from linspector_allennlp.io.arrays import open_arrays, open_hdf5, open_npy, open_safetensors
from linspector_allennlp.io.cache import file_digest
from linspector_allennlp.io.files import sha256, write_json
from linspector_allennlp.representations.archives.unpack import unpack_archive
from linspector_allennlp.representations.elmo.options import read_options
from linspector_allennlp.representations.named_files import find_file
from linspector_allennlp.representations.vector_files.fasttext_model import FastTextModel
from linspector_allennlp.representations.vector_files.vector_store import VectorStore
from linspector_allennlp.run_folders.resource_tables import read_resource_table
from linspector_allennlp.run_folders.results_file import csv_rows
from linspector_allennlp.suite.job import Job
from linspector_allennlp.training.head_training import Checkpoint
from tests.hostile.case import Case
from tests.hostile.formats.tables import TABLES

READERS: dict[str, Callable[[Path], Any]] = {
    **{name: read for name, (_, read) in TABLES.items()},
    "vectors": VectorStore.open,
    "word list": lambda path: VectorStore.open(path, path),
    "fastText": FastTextModel,
    "arrays": open_arrays,
    "HDF5": open_hdf5,
    "NumPy": open_npy,
    "safetensors": open_safetensors,
    "archive": lambda path: unpack_archive(path),
    "digest": file_digest,
    "hash": sha256,
    "options": lambda path: read_options(path, {}),
    "a file that a setting names": lambda path: open(find_file(str(path)), "rb").close(),
    "raw resources": read_resource_table,
    "results": lambda path: list(csv_rows(path)),
    "config": lambda path: Job(path, path.with_name("run")).settings(),
    "checkpoint": lambda path: Checkpoint(str(path)).restore(torch.device("cpu")),
    "target": lambda path: write_json(path, {}),
}
FOLDERS_TOO = {"archive", "a file that a setting names"}


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    for name, read in READERS.items():
        place = folder / name.replace(" ", "-")
        place.mkdir()
        os.mkfifo(place / "pipe")
        yield Case(f"{name}: a pipe", place / "pipe", partial(read, place / "pipe"), "refuse")
        (place / "link").symlink_to("pipe")
        yield Case(
            f"{name}: a link to a pipe", place / "link", partial(read, place / "link"), "refuse"
        )
        for device in ("/dev/zero", "/dev/null"):
            yield Case(f"{name}: {device}", Path(device), partial(read, Path(device)), "refuse")
        if name not in FOLDERS_TOO:
            (place / "folder").mkdir()
            yield Case(
                f"{name}: a folder", place / "folder", partial(read, place / "folder"), "refuse"
            )
        # The path of a socket is short.
        short = Path(tempfile.mkdtemp(prefix="s", dir="/tmp"), "socket")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(short))
            yield Case(f"{name}: a socket", short, partial(read, short), "refuse")
        short.unlink()
        short.parent.rmdir()
    os.mkfifo(folder / "manifest.json")
    yield Case("a manifest", folder / "manifest.json", partial(read_manifest, folder), "either")
