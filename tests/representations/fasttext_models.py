"""Small fastText models: one trained by gensim, and one written byte by byte."""

import struct
from pathlib import Path

import numpy

MAGIC = 793712314


def finnish_sentences(fixtures: Path) -> list[list[str]]:
    sentences = []
    for path in sorted((fixtures / "raw").glob("*.conllu")):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            rows = [line.split("\t") for line in block.splitlines() if "\t" in line]
            sentences.append([row[1] for row in rows if row[0].isdigit()])
    return [sentence for sentence in sentences if sentence]


def train_fasttext(path: Path, fixtures: Path, **settings: int) -> str:
    from gensim.models.fasttext import FastText, save_facebook_model

    defaults = {"vector_size": 8, "min_count": 2, "bucket": 500, "min_n": 3, "max_n": 6}
    model = FastText(
        finnish_sentences(fixtures), epochs=1, workers=1, seed=1, **{**defaults, **settings}
    )
    save_facebook_model(model, str(path))
    return str(path)


def fasttext_bytes(
    entries: list[tuple[bytes, int]],
    matrix: list[list[float]],
    *,
    version: int | None = 12,
    model: int = 2,
    buckets: int = 1,
    lengths: tuple[int, int] = (3, 3),
    pruned: int = -1,
    quantised: bool = False,
    num_words: int | None = None,
) -> bytes:
    """The file of a model with these entries (word, type) and rows; version `None` is before 2017."""
    rows = numpy.array(matrix, dtype="<f4")
    words = sum(kind == 0 for _, kind in entries) if num_words is None else num_words
    is_new = version is not None
    settings = [rows.shape[1], 5, 5, 1, 5, 1, 2, model, buckets, *lengths, 100]
    output = numpy.zeros((2, rows.shape[1]), dtype="<f4")
    return b"".join(
        [
            struct.pack("<ii", MAGIC, version) if is_new else b"",
            struct.pack("<12id", *settings, 1e-4),
            struct.pack("<3iq", len(entries), words, len(entries) - words, 100),
            struct.pack("<q", pruned) if is_new else b"",
            *(word + b"\0" + struct.pack("<qb", 7, kind) for word, kind in entries),
            bytes(8 * max(0, pruned)),
            struct.pack("<?", quantised) if is_new else b"",
            struct.pack("<2q", *rows.shape) + rows.tobytes(),
            b"\0" if is_new else b"",
            struct.pack("<2q", *output.shape) + output.tobytes(),
        ]
    )
