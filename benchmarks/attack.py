"""
What becomes of hostile files, kills, crowds and full disks? Cases of every format that is read, each read in a
process with 2 GB and 20 s; then long commands that are killed, that run several at a time, and that get no room.

    python benchmarks/attack.py --minutes 5 [--kills 200 --jobs 2] [--crowds 3] [--full 10] [--dask 3] [--seed 1]
        [--formats archives …]

A verdict is `right`, `refused` (with file and place) or `finding`. The exit code is 1 if there is a finding.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import chain
from pathlib import Path

import torch

import linspector_allennlp  # noqa: F401  (imported once, before processes are forked)

sys.path.append(str(Path(__file__).resolve().parents[1]))  # for the tests

from attack_commands import COMMANDS, new_place
from attack_crowds import crowd, full_disk, two_seeds
from attack_dask import attack_dask
from attack_kills import killed_and_again, undisturbed

from tests.hostile.guarded_child import judged_cases
from tests.hostile.hostile_test import FORMATS


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=5, help="for the cases of the formats")
    parser.add_argument("--cases", type=int, help="so many cases, if the minutes suffice")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="kills at the same time")
    parser.add_argument("--crowds", type=int, default=0, help="several processes at once, so often")
    parser.add_argument("--full", type=int, default=0, help="runs with too little room, so many")
    parser.add_argument("--dask", type=int, default=0, help="studies in which a worker dies")
    parser.add_argument("--commands", nargs="+", default=list(COMMANDS), choices=COMMANDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", nargs="+", default=FORMATS, choices=FORMATS)
    args = parser.parse_args()
    torch.set_num_threads(1)
    # Standard output is that of this process: AllenNLP's log would be in it.
    counts, findings = Counter(), 0
    with tempfile.TemporaryDirectory(prefix="attack") as folder:
        os.environ["LINSPECTOR_CACHE"] = f"{folder}/cache"
        files = attack_files(args, Path(folder))
        commands = attack_commands(args, Path(folder))
        try:
            for part, verdict, detail in chain(files, commands):
                counts[part, verdict] += 1
                if verdict == "finding":
                    findings += 1
                    print(f"FINDING  {part}: {detail}", flush=True)
        finally:
            show(counts)
    sys.exit(findings > 0)


def attack_files(args, folder):
    """The cases of all formats in turn, each time with another seed."""
    until = time.monotonic() + 60 * args.minutes
    seed, number, said = args.seed, 0, set()
    while time.monotonic() < until:
        for name in args.formats:
            place = folder / f"{name}{seed}"
            place.mkdir()
            for judged in judged_cases(name, seed, place):
                number += 1
                detail = f"{judged.case} (seed {seed}): {judged.detail}"
                # The same finding again is counted, and said once.
                is_new = (name, judged.case) not in said
                said.add((name, judged.case))
                yield (
                    name,
                    judged.verdict if is_new or judged.verdict != "finding" else "again",
                    detail,
                )
            shutil.rmtree(place, ignore_errors=True)
            if time.monotonic() > until or (args.cases and number >= args.cases):
                return
        seed += 1


def attack_commands(args, folder):
    """The kills, some at a time, and then what has the machine to itself."""
    if not (args.kills or args.crowds or args.full or args.dask):
        return
    expected = {}
    for name in (name for name in COMMANDS if name in {*args.commands, "train"}):
        expected[name] = undisturbed(name, new_place(folder, f"{name} undisturbed"))
        found = expected[name]
        print(
            f"{name}: undisturbed {found.seconds:.1f} s, {found.changes} changes of files, {found.writes} of "
            "them while one is written",
            flush=True,
        )
    names = args.commands
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(args.jobs, mp_context=context) as lanes:
        begun = []
        for number in range(args.kills):
            name = names[number % len(names)]
            arguments = (name, folder, number, args.seed, expected[name])
            begun.append(lanes.submit(killed_and_again, *arguments))
        try:
            for done, future in enumerate(as_completed(begun), start=1):
                yield future.result()
                if done % 20 == 0:
                    print(f"{done} kills", flush=True)
        except BaseException:  # after Ctrl-C those that have not begun are left out
            lanes.shutdown(cancel_futures=True)
            raise
    rng = random.Random(args.seed)
    for number in range(args.crowds):
        for name in names:
            place = new_place(folder, f"{name} crowd {number}")
            yield from crowd(name, place, expected[name].outcome)
        yield from two_seeds(new_place(folder, f"two seeds {number}"))
    for number in range(args.full):
        name, place = names[number % len(names)], new_place(folder, f"full {number}")
        yield from full_disk(name, place, expected[name].outcome, rng)
    if args.dask:
        yield from attack_dask(args.dask, folder, args.seed)


def show(counts):
    by_part = defaultdict(Counter)
    for (part, verdict), number in counts.items():
        by_part[part][verdict] += number
    if not counts:
        return
    verdicts = sorted({verdict for _, verdict in counts})
    width = max(map(len, [*by_part, "all"]))
    print("  ".join([" " * width, *(f"{verdict:>8}" for verdict in verdicts)]))
    total = sum(by_part.values(), Counter())
    for part, numbers in [*by_part.items(), ("all", total)]:
        print("  ".join([f"{part:{width}}", *(f"{numbers[verdict]:8}" for verdict in verdicts)]))
    kills = {
        part: sum(numbers.values()) for part, numbers in by_part.items() if part.startswith("kill ")
    }
    if kills:
        writing = sum(number for part, number in kills.items() if part.endswith(", writing"))
        print(f"{sum(kills.values())} kills, {writing} of them in a write")


if __name__ == "__main__":
    main()
