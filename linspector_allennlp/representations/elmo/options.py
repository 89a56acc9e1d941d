"""The options of an ELMo model, in JSON: read, and checked entry by entry."""

import json
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from linspector_allennlp.io.regular import PathLike, read_text, regular

Entries = Mapping[str, tuple[str, Callable[[Any], bool]]]
"""By the path of an entry, with dots, what is expected there, and whether a value is that."""


def is_size(value: Any) -> bool:
    return isinstance(value, int) and value > 0


def is_number_of_layers(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value <= 100


def is_clip(value: Any) -> bool:
    return value is None or isinstance(value, (int, float))


def is_filters(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(map(is_size, pair)) for pair in value
    )


def read_options(path: PathLike, entries: Entries, question: str = "") -> dict[str, Any]:
    """
    The options in a file, of which these entries are there and are what is expected.

    # Parameters

    question : `str`, optional
        What an error asks if the file is no JSON.
    """
    regular(path)
    try:
        options = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{path}: expected the options of an ELMo model in JSON, found what is not JSON "
            f"({error}). {question}".rstrip()
        ) from error
    check_options(path, options, entries)
    return options


def check_options(path: PathLike, options: Any, entries: Entries) -> None:
    """Raises unless these entries are there and are what is expected."""
    for entry, (expected, fits) in entries.items():
        try:
            value = reduce(lambda part, name: part[name], entry.split("."), options)
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(
                f"{path}: expected `{entry}` in the options of an ELMo model, found none."
            ) from error
        if not fits(value):
            raise ValueError(f"{path}: expected {expected} as `{entry}`, found {value!r}.")
