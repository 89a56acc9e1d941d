"""The arguments that the makers of `probe-data` have in common."""

import argparse
from typing import Optional

from linspector_allennlp.tasks.splits import SMALLEST


def add_common_arguments(parser: argparse.ArgumentParser, size: Optional[int]) -> None:
    """The arguments that every maker has."""
    parser.add_argument(
        "--language",
        help="its name or ISO 639 code: finnish, fi or fin (default: what the input's name begins "
        "with, if that is one: ron.tsv, tr_imst-ud-train.conllu)",
    )
    parser.add_argument(
        "--output", required=True, metavar="DATA", help="the folder for TASK/LANGUAGE/…"
    )
    parser.add_argument(
        "--tasks", nargs="+", metavar="TASK", help="only these (default: all there is data for)"
    )
    parser.add_argument(
        "--size",
        type=task_size,
        default=size,
        help="instances a task, split 70/20/10"
        if size
        else "instances a task (default: all there are)",
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed, another sample")
    parser.add_argument(
        "--min-label-count",
        type=positive,
        default=5,
        help="leave out labels with fewer instances",
    )
    parser.add_argument(
        "--skip-bad-lines", action="store_true", help="count broken lines and go on"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace tasks of the same name that are there"
    )


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of 1 or more")
    return int(text)


def task_size(text: str) -> int:
    if not text.isdecimal() or int(text) < SMALLEST:
        raise argparse.ArgumentTypeError(f"{text} is not a number of {SMALLEST} or more")
    return int(text)


def share(text: str) -> float:
    number = _decimal(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a share from 0 to 1")
    return number


def deviation(text: str) -> float:
    number = _decimal(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return number


def _decimal(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
