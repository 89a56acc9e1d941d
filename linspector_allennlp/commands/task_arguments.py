"""The arguments that the makers of `probe-data` have in common."""

import argparse
import logging
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Optional

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.languages import Language, close_names, find_language

logger = logging.getLogger(__name__)

# Below that a split of 70/20/10 would be empty.
SMALLEST = 10


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


def language_of(given: Optional[str], inputs: Optional[Sequence[str]] = None) -> Language:
    """
    The language that was given, one of the table or one of that name without codes; else the one
    that the name of an input tells.
    """
    if given is None:
        for source in inputs or ():
            words = re.split("[^a-z]+", Path(source).name.lower().removeprefix("ud_"))
            if found := find_language(words[0]):
                return found
        raise ConfigurationError("--language is needed: the names of the inputs do not tell it.")
    name = given.strip().lower().replace(" ", "-")
    if not name or "/" in name or name.startswith("."):
        raise ConfigurationError(f"--language {given!r} cannot be the name of a folder.")
    known = find_language(name)
    if known is None:
        close = close_names(name)
        logger.warning(
            "The table of languages does not have %r, which becomes the name of a folder.%s",
            name,
            f" Did you mean {close[0]!r}?" if close else "",
        )
    return known or Language(name, "", "")


def checked_tasks(wanted: Optional[Iterable[str]], known: Iterable[str]) -> Optional[list[str]]:
    """The tasks that were asked for, as they are spelt; an unknown one is an error."""
    if wanted is None:
        return None
    wanted = [name for names in wanted for name in names.split(",") if name]
    spelling = {name.lower(): name for name in known}
    unknown = [name for name in wanted if name.lower() not in spelling]
    if unknown:
        raise ConfigurationError(
            f"--tasks: no {', '.join(unknown)}. There are {', '.join(spelling.values())}."
        )
    return list(dict.fromkeys(spelling[name.lower()] for name in wanted))
