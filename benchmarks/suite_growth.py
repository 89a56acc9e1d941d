"""
How does the cost of a study grow? Suites of 10, 100 and 1,000 runs of the released Finnish Case (static vectors,
one epoch, so that there is little but overhead), each in CPU-seconds a run beyond training, and how much memory a
process has when a tenth of the runs are done, and when all are:

    python benchmarks/suite_growth.py DATA VECTORS FOLDER [--runs 10 100 1000] [--workers 2]

VECTORS is the folder of train_vectors.py. FOLDER gets the studies, one after the other; each is removed when it
has been measured.
"""

import argparse
import json
import shutil
import sys
import threading
from collections import Counter
from pathlib import Path

import psutil
from suite import measured

from linspector_allennlp.run_folders.run_folder import RunFolder


def suite_of(data, vectors, runs):
    return {
        "data": str(data / "linspector_released" / "type_level"),
        "tasks": ["Case"],
        "languages": ["finnish"],
        "representations": {"fasttext": str(vectors / "fi.vec")},
        "seeds": runs,
        "config": {"trainer": {"num_epochs": 1}},
    }


class Memory(threading.Thread):
    """The largest process of a study, by the number of runs that are done."""

    def __init__(self, study):
        super().__init__(daemon=True)
        self.study, self.seen, self.ended = study, {}, threading.Event()

    def run(self):
        while not self.ended.wait(0.5):
            sizes = []
            for process in psutil.Process().children(recursive=True):
                try:
                    sizes.append(process.memory_info().rss / 1e6)
                except psutil.NoSuchProcess:
                    continue
            done = len(list((self.study / "runs").glob("*")))
            self.seen[done] = max([self.seen.get(done, 0.0), *sizes])

    def at(self, share, runs):
        """In MB, when at least such a share of the runs was done."""
        there = [done for done in sorted(self.seen) if done >= share * runs]
        return self.seen[there[0]] if there else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    for name in ("data", "vectors", "folder"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--runs", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    args.folder.mkdir(parents=True)
    for runs in args.runs:
        suite, study = args.folder / f"{runs}.json", args.folder / f"study{runs}"
        suite.write_text(json.dumps(suite_of(args.data, args.vectors, runs)), encoding="utf-8")
        memory = Memory(study)
        memory.start()
        command = [sys.executable, "-m", "linspector", "probe-suite", str(suite), "-s", str(study)]
        cpu, wall = measured([*command, "--workers", str(args.workers)])
        memory.ended.set()
        phases = Counter()
        for path in (study / "runs").glob("*"):
            phases.update(RunFolder.read(path).record.seconds)
        beyond = cpu - phases["training"]
        print(
            f"{runs} runs: {wall:.0f} s; {cpu:.0f} CPU-s, of which training {phases['training']:.0f}; beyond "
            f"training {beyond / runs:.2f} a run; the largest process {memory.at(0.1, runs):.0f} MB after a "
            f"tenth of the runs, {memory.at(1, runs):.0f} MB at the end",
            flush=True,
        )
        shutil.rmtree(study)


if __name__ == "__main__":
    main()
