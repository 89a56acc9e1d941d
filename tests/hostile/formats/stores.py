"""Our own binary files, each vector of which has a sum: whatever is damaged, the vectors are right."""

import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from linspector_allennlp.io.cache import cache_folder
from linspector_allennlp.representations.vector_files.vector_store import VectorStore
from tests.hostile.case import Case
from tests.hostile.mutations import damages
from tests.representations.hashed_layers import HashedLayersEmbedder

SENTENCES = [("a", "b"), ("c",), ("d", "e", "f"), ("g",), ("h", "i")]


def vectors(path: Path) -> np.ndarray:
    store = VectorStore.open(path)
    return store.vectors(store.rows([f"w{i}" for i in range(20)]))


def features(name: str) -> np.ndarray:
    embedder = HashedLayersEmbedder([0, 1, 2], name=name)
    embedder.prepare(SENTENCES)
    return embedder.words_of(SENTENCES)


def cases(rng: random.Random, folder: Path) -> Iterator[Case]:
    numbers = np.random.default_rng(rng.getrandbits(32)).normal(size=(20, 30)).astype("<f4")
    words = [b"w%d" % i for i in range(20)]
    source = folder / "source.bin"
    source.write_bytes(
        b"20 30\n" + b"".join(word + b" " + row.tobytes() for word, row in zip(words, numbers))
    )
    right = partial(np.array_equal, vectors(source))
    good = source.with_name("source.bin.store").read_bytes()
    for number, (what, content) in enumerate(damages(rng, good, 8)):
        path = folder / f"v{number}.bin"
        path.write_bytes(source.read_bytes())
        vectors(path)
        # The stamp of this source is in the header; all else is that of the others.
        store = path.with_name(f"{path.name}.store")
        store.write_bytes(_with_header(store.read_bytes(), content, rng))
        yield Case(f"vector store: {what}", path, partial(vectors, path), "read", right)
    for number, (what, _) in enumerate(damages(rng, good, 4)):
        name = f"model {number} {folder}"
        expected = features(name)
        segments = sorted((cache_folder() / "features").glob("*/*.features"), key=_age)
        content = dict(damages(rng, segments[-1].read_bytes(), 4))[what]
        segments[-1].write_bytes(content)
        same = partial(np.array_equal, expected)
        yield Case(f"features: {what}", segments[-1], partial(features, name), "read", same)


def _with_header(own: bytes, damaged: bytes, rng: random.Random) -> bytes:
    return damaged if rng.random() < 0.5 else own[:4096] + damaged[4096:]


def _age(path: Path) -> int:
    return path.stat().st_mtime_ns
