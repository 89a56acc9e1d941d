"""
How long does one run take, and where? `linspector train` on the released Finnish Case with text
vectors, in a process of its own, several times; the median seconds of each phase, as `run.json` has
them, and of the whole process:

    python benchmarks/phases.py DATA VECTORS [--rounds 5]

DATA is the folder of real data, VECTORS that of train_vectors.py. The store of the vectors is there
already from the second round on, as it is for every run but the first.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from linspector_allennlp.run_folders.run_folder import RunFolder

CONFIG = Path(__file__).resolve().parents[1] / "training_configs/single_form.jsonnet"


def run(data, vectors, folder):
    """The seconds of each phase of a run, and of all of it."""
    environment = {
        **os.environ,
        "DATA_DIR": str(data / "linspector_released/type_level"),
        "TASK": "Case",
        "LANGUAGE": "finnish",
        "VECTORS": str(vectors / "fi.vec"),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "linspector", "train", str(CONFIG), "-s", str(folder)]
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    seconds = time.perf_counter() - started
    return {**RunFolder.read(folder).record.seconds, "whole process": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rounds = [
            run(args.data, args.vectors, Path(folder, str(number))) for number in range(args.rounds)
        ]
    for name in rounds[0]:
        print(f"{name:15} {median(each[name] for each in rounds):6.2f} s")


if __name__ == "__main__":
    main()
