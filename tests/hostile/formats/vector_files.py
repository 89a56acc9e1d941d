"""Files of word vectors of all kinds: damaged, and such as ask for more memory than they have bytes."""

import json
import random
import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import h5py
import numpy as np

from linspector_allennlp.representations.vector_files.fasttext_model import FastTextModel
from linspector_allennlp.representations.vector_files.vector_store import VectorStore
from tests.hostile.case import Case
from tests.hostile.mutations import damages, long_line_gzip
from tests.representations.fasttext_models import fasttext_bytes

WORDS = [f"sana{i}ä" for i in range(9)]


def matrix(rng: random.Random) -> np.ndarray:
    return np.random.default_rng(rng.getrandbits(32)).normal(size=(9, 12)).astype("<f4")


def good_files(rng: random.Random, folder: Path) -> Iterator[tuple[str, bytes]]:
    """By ending, and `#words` for the word list beside it."""
    numbers = matrix(rng)
    rows = [f"{word} {' '.join(f'{x:.5f}' for x in row)}" for word, row in zip(WORDS, numbers)]
    yield "vec", "\n".join(["9 12", *rows, ""]).encode()
    yield "glove.txt", "\n".join([*rows, ""]).encode()
    pairs = [word.encode() + b" " + row.tobytes() for word, row in zip(WORDS, numbers)]
    yield "bin", b"9 12\n" + b"\n".join(pairs)
    np.save(folder / "good.npy", numbers)
    yield "npy", (folder / "good.npy").read_bytes()
    with h5py.File(folder / "good.h5", "w") as file:
        for word, row in zip(WORDS, numbers):
            file[word] = row
    yield "h5", (folder / "good.h5").read_bytes()
    head = {"m": {"dtype": "F32", "shape": [9, 12], "data_offsets": [0, numbers.nbytes]}}
    head["__metadata__"] = {"words": json.dumps(WORDS)}  # type: ignore[dict-item]
    text = json.dumps(head).encode()
    yield "safetensors", struct.pack("<Q", len(text)) + text + numbers.tobytes()


def bombs(rng: random.Random, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Small files that ask for much memory, or for what is not theirs."""
    yield "kv", b"999999999"
    yield "kv", b"\x80\x04\x95\xff\xff\xff\x7f\x00\x00"
    yield "kv", b"99999999 99999999\n"[:9]
    yield "vec", b"3 2000000000\nsana 0.1 0.2\n"
    yield "vec", b"2000000000 2000000\nsana 0.1 0.2\n"
    yield "vec", b"9" * 5000 + b" 3\nsana 0.1 0.2 0.3\n"
    yield "vec", b"3 " + b"9" * 5000 + b"\nsana 0.1 0.2 0.3\n"
    yield "vec", b"2 1\n" + bytes(20 << 20)
    yield "vec.gz", long_line_gzip()
    yield "vec.gz", long_line_gzip(b"2 2\nsana 0.1 0.2\n")
    yield "bin", b"1 999999999999\nsana " + bytes(100)
    yield "bin.gz", long_line_gzip(b"1 15000000\nsana ")
    yield "safetensors", struct.pack("<Q", 99_999_999) + b"{}"
    yield "safetensors", struct.pack("<Q", 1 << 62) + b"{}"
    shape = str({"descr": "<f4", "fortran_order": False, "shape": (10**9, 10**6)})
    header = shape.ljust(118).encode() + b"\n"
    yield "npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    for name in ("matrix", "words", "fixed", "chunked", "external", "virtual", "linked"):
        yield f"{name}.h5", hdf5_bomb(folder, name)


def hdf5_bomb(folder: Path, name: str) -> bytes:
    path, other = folder / "bomb.h5", folder / "other.h5"
    with h5py.File(other, "w") as file:
        file["m"] = np.ones((9, 12), "f4")
    other.with_suffix(".raw").write_bytes(bytes(9 * 12 * 4))
    text = h5py.string_dtype()
    with h5py.File(path, "w") as file:
        if name == "words":  # a vector that the file has, and one that it has not
            file["sana"] = np.ones(12, "f4")
            file.create_dataset("sanat", (12, 10**9), "f4")
        elif name == "fixed":
            file.create_dataset("w", (9,), f"S{1 << 30}")
            file["m"] = np.ones((9, 12), "f4")
        elif name == "chunked":
            rows = np.zeros((1, 12), "f4")
            file.create_dataset("m", (10**9, 12), "f4", chunks=(1 << 14, 12), compression="gzip")
            file["m"][:1] = rows
        elif name == "external":
            file.create_dataset(
                "m", (9, 12), "f4", external=[(str(other.with_suffix(".raw")), 0, 432)]
            )
        elif name == "virtual":
            layout = h5py.VirtualLayout((9, 12), "f4")
            layout[:] = h5py.VirtualSource(str(other), "m", (9, 12))
            file.create_virtual_dataset("m", layout)
        elif name == "linked":
            file["m"] = h5py.ExternalLink(str(other), "m")
        else:
            file.create_dataset("m", (10**7, 200), "f4")
        if name != "fixed":
            file.create_dataset("w", data=np.array(WORDS, object), dtype=text)
    content = path.read_bytes()
    path.unlink()
    return content


def read(path: Path) -> tuple[list[str], np.ndarray]:
    store = VectorStore.open(path)
    words = list(store.words())
    rows = store.rows(words)
    return words, store.vectors(rows[rows >= 0])  # a word that is not UTF-8 has no row


def read_fasttext(path: Path) -> np.ndarray:
    return FastTextModel(path).vectors([*WORDS, "muu"])


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    for ending, good in good_files(rng, folder):
        for number, (what, content) in enumerate(damages(rng, good)):
            path = folder / f"{ending.replace('.', '-')}-{number}.{ending}"
            path.write_bytes(content)
            if ending == "npy":
                path.with_suffix(".words").write_text("\n".join(WORDS), encoding="utf-8")
            yield Case(f"{ending}: {what}", path, partial(read, path), "either")
    for number, (ending, content) in enumerate(bombs(rng, folder)):
        path = folder / f"bomb-{number}.{ending}"
        path.write_bytes(content)
        if ending == "npy":
            path.with_suffix(".words").write_text("a\n", encoding="utf-8")
        yield Case(f"bomb {ending} {content[:20]!r}", path, partial(read, path), "refuse")
    rows = [*matrix(rng), np.ones(12)]  # the last is that of the n-grams
    good = fasttext_bytes([(word.encode(), 0) for word in WORDS], [list(row) for row in rows])
    for number, (what, content) in enumerate(damages(rng, good)):
        path = folder / f"fasttext-{number}.bin"
        path.write_bytes(content)
        yield Case(f"fastText: {what}", path, partial(read_fasttext, path), "either")
