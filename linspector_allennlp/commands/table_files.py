"""The options of commands that write their table in some format, into a file or on the screen."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from linspector_allennlp.io.files import replacing_text
from linspector_allennlp.io.visible import visible

PRINTED = "-"


def add_format_arguments(
    parser: argparse.ArgumentParser, formats: Iterable[str], only: str = ""
) -> None:
    """`--csv FILE` and so on, or `--csv` alone; `only` says in the help what they are for."""
    for name in formats:
        parser.add_argument(
            f"--{name}",
            nargs="?",
            const=PRINTED,
            metavar="FILE",
            help=f"{only}write the table as {name} into FILE, or print it so",
        )


def write_formats(
    args: argparse.Namespace,
    formats: Mapping[str, Callable[[Any], str]],
    content: Any,
) -> bool:
    """
    Writes or prints what was asked for; whether that was anything.

    # Parameters

    formats : `Mapping[str, Callable[[Any], str]]`
        By the name of an option, how `content` is written so.
    """
    places = {name: getattr(args, name) for name in formats if getattr(args, name)}
    for name, place in places.items():
        text = formats[name](content) + "\n"
        if place == PRINTED:
            print(visible(text, keep="\n") if sys.stdout.isatty() else text, end="")
        else:
            with replacing_text(place) as file:
                file.write(text)
    return bool(places)
