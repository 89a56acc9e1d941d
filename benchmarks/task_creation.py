"""
How making type-level tasks grows with the resource: time and peak memory a row, on synthetic
UniMorph files with regular paradigms, all tasks together, paired ones included.

    python benchmarks/task_creation.py [--rows 250000 500000 1000000 2500000]

A second table has as many rows each time, but ever more kinds of tag bundles, and no frequency
list, so that no pair is left out as rare. Each line is a process of its own: reading, frequency
list, every task, writing. Memory is the peak above what the interpreter has with its imports.
"""

import argparse
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROWS = (250_000, 500_000, 1_000_000, 2_500_000)
BUNDLES = (50, 200, 500, 1000)
ROWS_OF_BUNDLES = 200_000

CASES = [("NOM", ""), ("GEN", "n"), ("PRT", "ta"), ("IN+ESS", "ssa"), ("IN+ABL", "sta"),
         ("IN+ALL", "hin"), ("AT+ESS", "lla"), ("AT+ABL", "lta"), ("AT+ALL", "lle"),
         ("FRML", "na"), ("TRANS", "ksi"), ("PRIV", "tta")]  # fmt: skip
NUMBERS = [("SG", ""), ("PL", "i")]
POSSESSORS = [("", ""), ("PSS1S", "ni"), ("PSS2S", "si"), ("PSS1P", "mme")]
TENSES = [("PRS", ""), ("PST", "i")]
MOODS = [("IND", ""), ("COND", "isi"), ("POT", "ne")]
PERSONS = [("1;SG", "n"), ("2;SG", "t"), ("3;SG", "a"), ("1;PL", "mme"), ("2;PL", "tte"),
           ("3;PL", "vat")]  # fmt: skip
VOICES = [("ACT", ""), ("PASS", "ta")]
POLARITIES = [("POS", ""), ("NEG", "k")]


def paradigm(parts: list, part_of_speech: str) -> list[tuple[str, str]]:
    """Endings and tags of a regular paradigm: every combination of the parts."""
    cells = []
    for combination in itertools.product(*parts):
        tags = ";".join(filter(None, [part_of_speech, *(tag for tag, _ in combination)]))
        cells.append(("".join(ending for _, ending in combination), tags))
    return cells


ASPECTS = [("", ""), ("PFV", "po"), ("IPFV", "pu"), ("PROG", "pe"), ("HAB", "pi"), ("ITER", "pa")]
EVIDENCE = [("", ""), ("FH", "su")]
RICH = paradigm([NUMBERS, CASES, POSSESSORS, ASPECTS, EVIDENCE], "N")
NOUN = paradigm([NUMBERS, CASES, POSSESSORS], "N")
VERB = paradigm([MOODS, TENSES, VOICES, POLARITIES, PERSONS], "V")


def stems() -> Iterator[str]:
    """Pronounceable stems, as many as wanted, the short ones first."""
    syllables = [c + v for c in "hjklmnprstv" for v in "aeiouyäö"]
    for length in itertools.count(2):
        yield from map("".join, itertools.product(syllables, repeat=length))


def write_resource(rows: int, folder: Path, bundles: int = 0) -> None:
    """
    A UniMorph file of that many rows, and a frequency list with every hundredth form. With
    `bundles`, one part of speech with so many kinds of tags.
    """
    written = 0
    with open(folder / "syn.tsv", "w") as paradigms, open(folder / "list.txt", "w") as frequent:
        for number, stem in enumerate(stems()):
            for ending, tags in RICH[:bundles] if bundles else NOUN if number % 3 else VERB:
                paradigms.write(f"{stem}\t{stem}{ending}\t{tags}\n")
                if written % 100 == 0:
                    frequent.write(f"{stem}{ending}\n")
                written += 1
                if written == rows:
                    return


def measure(rows: int, bundles: int) -> None:
    """One size, in this process; prints what it took as JSON."""
    from linspector_allennlp.tasks.make_type_level import make_type_level_tasks

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_resource(rows, folder, bundles)
        before = peak()
        started = time.perf_counter()
        make_type_level_tasks(
            folder / "tasks",
            "synthetic",
            unimorph=[f"{folder}/syn.tsv"],
            frequencies=None if bundles else f"{folder}/list.txt",
        )
        seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "bytes": peak() - before}))


def peak() -> int:
    """The most memory this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--measure", type=int, nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        measure(*args.measure)
        return
    print("     rows  seconds   µs a row   kB a row", flush=True)
    seconds = {rows: run(rows, 0) for rows in args.rows}
    low, high = min(seconds), max(seconds)
    ratio = (seconds[high] / high) / (seconds[low] / low)
    print(f"Time a row, {high:,} rows ÷ {low:,} rows: {ratio:.2f}\n")
    print("  bundles  seconds   µs a row   kB a row", flush=True)
    for bundles in BUNDLES:
        run(ROWS_OF_BUNDLES, bundles)


def run(rows: int, bundles: int) -> float:
    """Measures in a process of its own, and prints a line; gives the seconds."""
    command = [sys.executable, __file__, "--measure", str(rows), str(bundles)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr[-3000:])
    result = json.loads(done.stdout.splitlines()[-1])
    print(
        f"{bundles or rows:9,}  {result['seconds']:7.1f}  {1e6 * result['seconds'] / rows:9.2f}"
        f"  {result['bytes'] / rows / 1000:9.3f}",
        flush=True,
    )
    return result["seconds"]


if __name__ == "__main__":
    main()
