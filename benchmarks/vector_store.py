"""
Measures the vector store on a made word2vec file: the time of the first and of the second opening,
and the peak memory of opening and looking up a task's words, over that of the imports alone.
Every measurement runs in a process of its own; `--gensim` adds gensim's loader as a baseline, and
`--binary` makes a binary file instead of a text. Then bits of the vectors are flipped, and those looked up.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PEAK_MEGABYTES = 400
SECOND_SHARE = 0.01
FLIPPED = 40


def make_vectors(path: Path, words: int, dimension: int, binary: bool, seed: int = 0) -> None:
    """Numbers of four decimals, as fastText writes them; texts are taken from a table of them."""
    rng = np.random.default_rng(seed)
    numbers = np.arange(-9999, 10000) / 10000
    texts = np.array([f"{number:.4f} ".encode() for number in numbers], dtype=object)
    with open(path, "wb") as file:
        file.write(b"%d %d\n" % (words, dimension))
        for i in range(words):
            drawn = rng.integers(0, len(numbers), dimension)
            if binary:
                vector = numbers[drawn].astype("<f4").tobytes()
            else:
                vector = b"".join(texts[drawn].tolist())
            file.write(b"word%d " % i + vector + b"\n")


def make_task(path: Path, forms: int, words: int, seed: int = 1) -> None:
    """The words of a task: nine in ten have a vector."""
    numbers = np.random.default_rng(seed).integers(0, max(1, words * 10 // 9), forms)
    path.write_text("".join(f"word{number}\n" for number in numbers), encoding="utf-8")


def measure(kind: str, vectors: Path, task: Path) -> dict[str, float]:
    """Runs in a process of its own: seconds of opening and of looking up, and peak megabytes."""
    import resource

    sys.path.insert(0, str(ROOT))
    from linspector_allennlp.representations.vector_files.vector_store import VectorStore

    if kind == "gensim":
        from gensim.models import KeyedVectors
    forms = task.read_text(encoding="utf-8").split()
    known, opened, start = 0, 0.0, time.perf_counter()
    if kind == "store":
        store = VectorStore.open(vectors)
        opened = time.perf_counter() - start
        rows = store.rows(forms)
        known = len(store.vectors(rows[rows >= 0]))
    elif kind == "gensim":
        loaded = KeyedVectors.load_word2vec_format(str(vectors), binary=vectors.suffix == ".bin")
        opened = time.perf_counter() - start
        known = len(np.stack([loaded[form] for form in forms if form in loaded]))
    looked_up = time.perf_counter() - start - opened
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    return {"opened": opened, "looked_up": looked_up, "peak": peak, "known": known}


def flipped(store: Path, words: int, dimension: int) -> tuple[int, float]:
    """How many of `FLIPPED` flipped bits are noticed when their vectors are read; seconds of one look-up."""
    sys.path.insert(0, str(ROOT))
    from linspector_allennlp.representations.vector_files.store_content import (
        DamagedStore,
        StoreContent,
    )
    from linspector_allennlp.representations.vector_files.vector_store_layout import StoreFiles

    rng, noticed, seconds = np.random.default_rng(2), 0, 0.0
    files = StoreFiles(store.with_suffix(""))
    for row in rng.integers(0, words, FLIPPED).tolist():
        byte, bit = 4096 + 4 * dimension * row + int(rng.integers(4 * dimension)), rng.integers(8)
        flip(store, byte, int(bit))
        start = time.perf_counter()
        try:
            StoreContent(files, store).vectors(np.array([row]))
        except DamagedStore:
            noticed += 1
        seconds += time.perf_counter() - start
        flip(store, byte, int(bit))
    return noticed, seconds / FLIPPED


def flip(path: Path, byte: int, bit: int) -> None:
    with open(path, "r+b") as file:
        file.seek(byte)
        value = file.read(1)[0]
        file.seek(byte)
        file.write(bytes([value ^ 1 << bit]))


def measured(kind: str, vectors: Path, task: Path) -> dict[str, float]:
    command = [sys.executable, "-W", "ignore", __file__, "--measure", kind, str(vectors), str(task)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output.splitlines()[-1])


def run(folder: Path, words: int, dimension: int, forms: int, binary: bool, gensim: bool) -> bool:
    ending, task = "bin" if binary else "vec", folder / "task.txt"
    vectors = folder / f"made_{words}x{dimension}.{ending}"
    if not vectors.exists():
        make_vectors(vectors, words, dimension, binary)
    vectors.with_name(f"{vectors.name}.store").unlink(missing_ok=True)
    make_task(task, forms, words)
    print(f"{words} words x {dimension}, {vectors.stat().st_size / 1e6:.0f} MB")
    own = measured("imports", vectors, task)["peak"]
    results = {
        "first": measured("store", vectors, task),
        "second": measured("store", vectors, task),
    }
    if gensim:
        results["gensim"] = measured("gensim", vectors, task)
    print(f"the interpreter with its imports: {own:.0f} MB")
    for name, result in results.items():
        print(
            f"{name:>6}: opened in {result['opened']:.4f} s, {result['known']} of {forms} words looked up "
            f"in {result['looked_up']:.4f} s, peak {result['peak'] - own:.0f} MB over the imports"
        )
    noticed, seconds = flipped(vectors.with_name(f"{vectors.name}.store"), words, dimension)
    print(
        f"flipped bits noticed: {noticed} of {FLIPPED}, opening and reading one in {seconds:.4f} s"
    )
    share = results["second"]["opened"] / results["first"]["opened"]
    peak = max(results["first"]["peak"], results["second"]["peak"]) - own
    if gensim:
        print(
            f"gensim takes {results['gensim']['opened'] / results['first']['opened']:.1f} x the first opening"
        )
    checks = {
        f"peak {peak:.0f} MB <= {PEAK_MEGABYTES} MB": peak <= PEAK_MEGABYTES,
        f"{noticed} of {FLIPPED} flipped bits noticed": noticed == FLIPPED,
        f"second opening {share:.3%} <= {SECOND_SHARE:.0%} of the first": share <= SECOND_SHARE,
    }
    for check, passed in checks.items():
        print("pass" if passed else "FAIL", check)
    return all(checks.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", "--words", type=int, default=500_000, help="of the vector file")
    parser.add_argument("--dimension", type=int, default=300, help="of the vectors")
    parser.add_argument("--forms", type=int, default=10_000, help="words that the task looks up")
    parser.add_argument(
        "--folder", type=Path, help="keep the files here (default: a temporary folder)"
    )
    parser.add_argument("--binary", action="store_true", help="word2vec's binary format")
    parser.add_argument("--gensim", action="store_true", help="measure gensim's loader, too")
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        kind, vectors, task = arguments.measure
        print(json.dumps(measure(kind, Path(vectors), Path(task))))
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        sizes = arguments.rows, arguments.dimension, arguments.forms
        return 0 if run(folder, *sizes, arguments.binary, arguments.gensim) else 1


if __name__ == "__main__":
    sys.exit(main())
