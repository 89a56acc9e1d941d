"""
What is a study worth whose processes are killed? Forty small runs by `linspector probe-suite`, the whole process
group killed at random moments and the command typed again, against the same study undisturbed, run by run.

    python benchmarks/chaos.py FOLDER [--kills 10] [--seed 1] [--executor processes|dask]
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "fixtures/type_level"

SUITE = {
    "data": str(DATA),
    "tasks": ["Number", "Person"],
    "representations": {"chars": "char_ngrams:dimension=50", "random": "random_vectors"},
    "seeds": 10,
}


def command(suite, study, executor):
    line = [sys.executable, "-m", "linspector", "probe-suite", str(suite), "-s", str(study)]
    return [*line, "--workers", "2", "--executor", executor]


def start(*arguments):
    return subprocess.Popen(
        command(*arguments),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def finished(study):
    return {path.parent.name for path in study.glob("runs/*/run.json")}


def outcome(run):
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    metrics.pop("training_duration")
    return metrics, (run / "test_predictions.jsonl").read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--executor", default="processes")
    args = parser.parse_args()
    args.folder.mkdir(parents=True)
    suite, killed, whole = (args.folder / name for name in ("suite.json", "killed", "whole"))
    suite.write_text(json.dumps(SUITE), encoding="utf-8")
    began = time.monotonic()
    if start(suite, whole, args.executor).wait():
        raise SystemExit("the undisturbed study failed")
    seconds = time.monotonic() - began
    print(f"undisturbed: {len(finished(whole))} runs in {seconds:.0f} s", flush=True)
    rng = random.Random(args.seed)
    before = set()
    for number in range(args.kills):
        process = start(suite, killed, args.executor)
        moment = rng.uniform(0, seconds)
        try:
            process.wait(moment)
            print(f"start {number + 1}: at its end before {moment:.1f} s", flush=True)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        now = finished(killed)
        if before - now:
            raise SystemExit(f"lost: {before - now}")
        print(f"kill {number + 1} after {moment:.1f} s: {len(now)} runs are finished", flush=True)
        before = now
    if start(suite, killed, args.executor).wait():
        raise SystemExit("the last start failed")
    if finished(killed) != finished(whole):
        raise SystemExit("not the same runs")
    pairs = [
        (outcome(killed / "runs" / name), outcome(whole / "runs" / name))
        for name in before | finished(whole)
    ]
    same_bytes = sum(one[1] == two[1] for one, two in pairs)
    worst = max(
        abs(one[0][key] - two[0][key])
        for one, two in pairs
        for key in one[0]
        if isinstance(one[0][key], float)
    )
    print(
        f"{len(pairs)} runs; predictions of {same_bytes} are the same to the byte; the greatest difference "
        f"of a metric is {worst:.2g}"
    )


if __name__ == "__main__":
    main()
