"""
Measures each sentence encoder on Turkish sentences with 300-dimensional vectors from a file that it
makes: seconds of the processor for all sentences, with looking the vectors up, their ratio to `average`,
and how the peak memory grows with the batch. Every measurement runs in a process of its own, on one
thread. The recurrent ones see fewer sentences, and their seconds are for as many as the others have.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
MOST_RATIO = 5
# By encoder its share of the sentences; those that may be slower than MOST_RATIO are marked.
ENCODERS = {
    "average": 1.0,
    "max": 1.0,
    "sentence_vector": 1.0,
    "hierarchical_pooling": 1.0,
    "power_means": 1.0,
    "sif": 1.0,
    "borep": 1.0,
    "gem": 1.0,
    "random_esn": 0.1,
    "random_bilstm": 0.01,
}
MAY_BE_SLOW = ("gem", "random_esn", "random_bilstm")


def turkish_sentences(data: Path, number: int) -> list[tuple[str, ...]]:
    """Of the treebank and of the released tasks, in an order that does not depend on their length."""
    sys.path.insert(0, str(ROOT))
    from linspector_allennlp.sentence_files import read_labelled_sentences
    from linspector_allennlp.treebanks import read_treebank

    sentences = [
        tuple(word.form for word in sentence.words)
        for sentence in read_treebank(sorted(data.glob("ud/tr_imst-ud-*.conllu")))
    ]
    for name in ("bigram_shift", "sv_agree", "voice", "word_content"):
        rows = read_labelled_sentences(data / f"sentence_released/tr/{name}.txt", skip_empty=True)
        sentences += [tuple(row.sentence.split()) for row in rows]
    distinct = list(dict.fromkeys(sentences))
    order = np.random.default_rng(0).permutation(len(distinct))
    return [distinct[i] for i in order[:number]]


def make_vectors(path: Path, words: list[str], dimension: int = 300) -> None:
    rng = np.random.default_rng(0)
    with open(path, "wb") as file:
        file.write(b"%d %d\n" % (len(words), dimension))
        for word in words:
            file.write(word.encode() + b" " + rng.normal(size=dimension).astype("<f4").tobytes())


def measure(name: str, folder: Path, number: int, batch_size: int) -> dict[str, float]:
    """Runs in a process of its own: seconds of fitting and of encoding, and peak megabytes."""
    import resource

    import torch

    sys.path.insert(0, str(ROOT))
    from linspector_allennlp.encoders import SentenceEncoder, WordRows
    from linspector_allennlp.representations import WordVectorsEmbedder

    torch.set_num_threads(1)
    sentences = [tuple(words) for words in json.loads((folder / "sentences.json").read_text())]
    sentences = sentences[:number]
    embedder = WordVectorsEmbedder(str(folder / "words.bin"))
    encoder = SentenceEncoder.by_name(name)(word_dim=300)

    def rows_of(first: int) -> WordRows:
        some = sentences[first : first + batch_size]
        vectors = embedder.embed_words(some, [range(len(words)) for words in some])
        return WordRows(vectors, torch.tensor([len(words) for words in some]), some)

    firsts = range(0, len(sentences), batch_size)

    class Batches:
        """They can be gone through again and again, and are never in memory together."""

        def __iter__(self) -> Iterator[WordRows]:
            return map(rows_of, firsts)

    with torch.inference_mode():
        for _ in Batches():  # the file's pages are read once, before anything is measured
            pass
        start = time.process_time()
        if encoder.needs_fitting:
            encoder.fit(Batches())
        fitted = time.process_time() - start
        encoder(rows_of(0))  # random weights are drawn
        unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
        start = time.process_time()
        for rows in Batches():
            encoder(rows)
        encoded = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    return {"fitted": fitted, "encoded": encoded, "peak": peak}


def measured(name: str, folder: Path, number: int, batch_size: int) -> dict[str, float]:
    settings = [name, str(folder), str(number), str(batch_size)]
    command = [sys.executable, "-W", "ignore", __file__, "--measure", *settings]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output.splitlines()[-1])


def run(folder: Path, data: Path, number: int, batch_sizes: list[int], names: list[str]) -> bool:
    sentences = turkish_sentences(data, number)
    (folder / "sentences.json").write_text(json.dumps(sentences))
    words = sorted({word for sentence in sentences for word in sentence})
    make_vectors(folder / "words.bin", words)
    tokens = sum(map(len, sentences))
    print(f"{len(sentences):,} sentences, {tokens:,} words, {len(words):,} different ones, x 300")
    measured("average", folder, 100, 100)  # the store beside the file is made
    passed = True
    average = None
    print(f"{'':>21} {'fitted s':>9} {'encoded s':>10} {'ratio':>7}", end="")
    print("".join(f"{f'MB at {size}':>13}" for size in batch_sizes))
    for name in names:
        few = max(batch_sizes[-1], round(len(sentences) * ENCODERS[name]))
        found = [measured(name, folder, few, size) for size in batch_sizes]
        share = few / len(sentences)
        seconds = found[0]["encoded"] / share
        average = seconds if average is None else average
        ratio = seconds / average
        note = f"  (from {few} sentences)" * (share < 1)
        print(f"{name:>21} {found[0]['fitted']:9.2f} {seconds:10.2f} {ratio:7.2f}", end="")
        print("".join(f"{each['peak']:13.0f}" for each in found) + note, flush=True)
        if name not in MAY_BE_SLOW and ratio > MOST_RATIO:
            print(f"FAIL {name} takes more than {MOST_RATIO} x average")
            passed = False
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "data", nargs="?", type=Path, help="the folder with ud and sentence_released"
    )
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--batch-sizes", type=int, nargs="+", default=[64, 256])
    parser.add_argument("--encoders", nargs="+", choices=ENCODERS, default=list(ENCODERS))
    parser.add_argument("--measure", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        name, folder, number, size = arguments.measure
        print(json.dumps(measure(name, Path(folder), int(number), int(size))))
        return 0
    if arguments.data is None:
        parser.error("expected the folder of real data (LINSPECTOR_DATA)")
    names = list(dict.fromkeys(["average", *arguments.encoders]))
    with tempfile.TemporaryDirectory() as temporary:
        settings = arguments.sentences, arguments.batch_sizes, names
        return 0 if run(Path(temporary), arguments.data, *settings) else 1


if __name__ == "__main__":
    sys.exit(main())
