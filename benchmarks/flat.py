"""
Does a process grow with the runs that it trains? Some 200 small runs in one process, and what it has after some
of them: memory, open files, threads, handlers and filters of the log, temporary files. The exit code is 1 if any
grows after the first quarter.

    python benchmarks/flat.py [--runs 200] [--ways series jobs studies] [--most-mb 20]

`series` trains them as the workers of a suite do, `jobs` one by one as `linspector train` does, `studies` each as
a study of its own, with plan and tables.
"""

import argparse
import gc
import logging
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import psutil
import torch

import linspector_allennlp  # noqa: F401

sys.path.append(str(Path(__file__).resolve().parents[1]))  # for the tests

from linspector_allennlp.runs.run_series import RunSeries, RunToTrain
from linspector_allennlp.suite.job import Job
from tests.suite.small_studies import small_runs, trained

WARM = 0.25  # of the runs: until then, what is made once is made


class Size(NamedTuple):
    memory_mb: float
    open_files: int
    threads: int
    log_handlers: int
    temporary_files: int


def size(folders: list[Path]) -> Size:
    process = psutil.Process()
    gc.collect()  # what waits for the collector has not leaked
    loggers = [logging.getLogger(), *logging.Logger.manager.loggerDict.values()]
    real = [each for each in loggers if isinstance(each, logging.Logger)]
    return Size(
        process.memory_info().rss / 1e6,
        process.num_fds(),
        threading.active_count(),
        sum(len(each.handlers) + len(each.filters) for each in real),
        sum(1 for folder in folders for _ in folder.rglob("*")),
    )


def in_series(folder: Path) -> Callable[..., None]:
    series = RunSeries()

    def train(run, name):
        (end,) = series.train([RunToTrain(run.settings, str(folder / name))])
        if end.error is not None:
            raise RuntimeError(end.traceback)

    return train


def as_jobs(folder: Path) -> Callable[..., None]:
    return lambda run, name: Job(run.settings, folder / name).run()


def as_studies(folder: Path) -> Callable[..., None]:
    def train(run, name):
        progress = trained(folder / name, [run], observe=lambda progress: None)
        if progress.failed:
            raise RuntimeError(f"{folder / name}: a run failed")

    return train


WAYS = {"series": in_series, "jobs": as_jobs, "studies": as_studies}


def sizes_by_run(way: str, runs: int, folder: Path) -> dict[int, Size]:
    """After the first run, and after every quarter of them."""
    temporary = folder / "tmp"
    temporary.mkdir(parents=True)
    tempfile.tempdir = os.environ["TMPDIR"] = str(temporary)
    # Whatever begins with a dot beside runs was meant to go; the runs themselves stay.
    train, found = WAYS[way](folder / "runs"), {}
    shown = {1, *(round(runs * quarter / 4) for quarter in (1, 2, 3, 4))}
    for number, run in enumerate(small_runs(seeds=runs), start=1):
        train(run, str(number))
        if number in shown:
            hidden = [path for path in (folder / "runs").glob(".*") if path.is_dir()]
            found[number] = size([temporary, *hidden])
    return found


def grown(sizes: dict[int, Size], runs: int, most_mb: float) -> list[str]:
    """The names of what is more at the end than after the first quarter."""
    first, last = sizes[round(runs * WARM)], sizes[runs]
    allowed = Size(most_mb, 0, 0, 0, 0)
    return [
        name
        for name, before, after, most in zip(Size._fields, first, last, allowed)
        if after > before + most
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    parser.add_argument(
        "--most-mb", type=float, default=20, help="memory that is not called growth"
    )
    args = parser.parse_args()
    torch.set_num_threads(1)
    logging.disable(logging.INFO)
    is_flat = True
    with tempfile.TemporaryDirectory(prefix="flat") as folder:
        os.environ["LINSPECTOR_CACHE"] = f"{folder}/cache"
        print("  ".join(["way    ", "  run", *(f"{name:>15}" for name in Size._fields)]))
        for way in args.ways:
            with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
                sizes = sizes_by_run(way, args.runs, Path(folder, way))
            for number, each in sizes.items():
                cells = [f"{each.memory_mb:15.1f}", *(f"{value:15}" for value in each[1:])]
                print("  ".join([f"{way:7}", f"{number:5}", *cells]), flush=True)
            for name in grown(sizes, args.runs, args.most_mb):
                is_flat = False
                print(f"GROWS  {way}: {name}", flush=True)
    sys.exit(not is_flat)


if __name__ == "__main__":
    main()
