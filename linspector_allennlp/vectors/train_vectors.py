"""Training word vectors on text, with a provenance beside them."""

import os
import platform
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike, replacing, sha256, write_json
from linspector_allennlp.vectors.gensim_model import import_gensim, save_model, train_model
from linspector_allennlp.vectors.sentence_stream import CorpusCounts, SentenceStream
from linspector_allennlp.vectors.vector_settings import FASTTEXT, VectorSettings

TEXT_FILE, FASTTEXT_FILE = ".vec", ".bin"


def provenance_of(output: PathLike) -> Path:
    """Where the provenance of these vectors is."""
    return Path(f"{os.fspath(output)}.json")


def train_vectors(
    output: PathLike,
    text: Sequence[PathLike] = (),
    treebank: Sequence[str] = (),
    settings: Optional[VectorSettings] = None,
    tokenized: bool = False,
    lowercase: bool = False,
    skip_bad_lines: bool = False,
    force: bool = False,
) -> dict[str, Any]:
    """
    Trains word vectors with gensim. Both files, the vectors and `OUTPUT.json`, are written when all is done.
    With one worker, the same input and settings give the same vectors, byte by byte, on the same machine with
    the same versions.

    # Parameters

    output : `PathLike`
        `FILE.vec` is text, for `word_vectors`; `FILE.bin` fastText's own format, for `fasttext_vectors`,
        with the vectors of n-grams.
    text, treebank, tokenized, lowercase, skip_bad_lines
        See `SentenceStream`.
    settings : `VectorSettings`, optional
    force : `bool`, optional (default = `False`)
        Whether to replace a file that is there.

    # Returns

    `dict[str, Any]`
        The provenance.
    """
    started = time.monotonic()
    settings = (settings or VectorSettings()).checked()
    output = Path(output)
    _check_output(output, settings.algorithm, force)
    if not text and not treebank:
        raise ConfigurationError("vectors needs --text FILE or --treebank FILE.")
    import_gensim()
    stream = SentenceStream(text, treebank, tokenized, lowercase, skip_bad_lines)
    inputs = stream.inputs()
    counts = stream.count()
    frequent = _frequent(counts, settings.min_count)
    model = train_model(stream, counts.sentences, counts.words, settings)
    if stream.inputs() != inputs:
        raise ValueError(
            "the input has changed while it was read: no vectors were written. Start again."
        )
    output.parent.mkdir(parents=True, exist_ok=True)
    with replacing(output) as vectors, replacing(provenance_of(output)) as provenance:
        save_model(model, vectors, as_fasttext=output.suffix == FASTTEXT_FILE)
        record = {
            "vectors": {"file": output.name, "sha256": sha256(vectors)},
            "inputs": inputs,
            "settings": {
                **settings.as_recorded(),
                "tokenized": tokenized,
                "lowercase": lowercase,
            },
            "sentences": counts.sentences,
            "tokens": counts.words.total(),
            "types": len(counts.words),
            "vocabulary": len(frequent),
            "tokens_in_vocabulary": sum(frequent),
            "bad_lines": counts.bad_lines,
            "seconds": round(time.monotonic() - started, 1),
            "versions": {
                "python": platform.python_version(),
                **{name: version(name) for name in ("linspector_allennlp", "gensim", "numpy")},
            },
        }
        write_json(provenance, record)
    return record


def _frequent(counts: CorpusCounts, min_count: int) -> list[int]:
    """How often each word of the vocabulary occurs."""
    frequent = [number for number in counts.words.values() if number >= min_count]
    if not frequent:
        raise ValueError(
            f"no word occurs {min_count} times in {counts.sentences:,} sentences of "
            f"{counts.words.total():,} tokens; the most frequent occurs "
            f"{max(counts.words.values(), default=0)} times. "
            "Vectors need more text, or a smaller --min-count."
        )
    return frequent


def _check_output(output: Path, algorithm: str, force: bool) -> None:
    """Before hours of training: whether the files can be written, and which format they have."""
    endings = [TEXT_FILE, FASTTEXT_FILE] if algorithm == FASTTEXT else [TEXT_FILE]
    if output.suffix not in endings:
        raise ConfigurationError(
            f"--output {output}: expected a name that ends in {' or '.join(endings)} for {algorithm}."
        )
    for path in (output, provenance_of(output)):
        if path.is_dir():
            raise ConfigurationError(f"--output: {path} is a folder: expected the name of a file.")
        if path.exists() and not force:
            raise ConfigurationError(
                f"{path} exists. --force replaces it; another --output keeps both."
            )
    folder = next(each for each in output.absolute().parents if each.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise ConfigurationError(f"--output {output}: nothing can be written into {folder}.")
