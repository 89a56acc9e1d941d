"""
How long does a command take to start? Each is timed as `linspector` starts it and, as the baseline, with
everything imported as `allennlp` does it, in turns; the medians in seconds, and their ratio:

    python benchmarks/start.py [--rounds 5]

`train` is the whole of `training_configs/case_fin.jsonnet` with one epoch, nearly all of it start.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
CONFIG = str(ROOT / "training_configs/case_fin.jsonnet")
SHORT = ["-o", '{"trainer.num_epochs": 1}', "-f"]
BASELINE = "import linspector_allennlp\nfrom allennlp.commands import main\nmain(prog='linspector')"


def seconds(start, command):
    began = time.perf_counter()
    subprocess.run([sys.executable, *start, *command], cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = str(Path(folder, "run"))
        commands = {
            "train case_fin": ["train", CONFIG, "-s", run, *SHORT],
            "probe-summary": ["probe-summary", run],
            "probe-compare": ["probe-compare", run, run],
            "probe-cache": ["probe-cache", "list"],
            "--help": ["--help"],
        }
        print(f"{'':15} allennlp  linspector  ratio")
        for name, command in commands.items():
            pairs = [
                (seconds(["-c", BASELINE], command), seconds(["-m", "linspector"], command))
                for _ in range(args.rounds)
            ]
            before, after = (median(each) for each in zip(*pairs))
            print(f"{name:15} {before:8.2f}  {after:10.2f}  {after / before:5.2f}")


if __name__ == "__main__":
    main()
