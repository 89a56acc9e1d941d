import argparse
import math
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Optional

from linspector_allennlp.commands.tables import say, table
from linspector_allennlp.io.cache import cache_folder
from linspector_allennlp.representations.archives.unpack import unpacked_archives
from linspector_allennlp.representations.hidden_states.cache import (
    list_features,
    make_room,
    remove_empty_folders,
    remove_features,
    size_limit,
)

SHOWN = ("source", "module", "tensor", "weights", "pool", "precision")


DESCRIPTION = (
    "Lists or removes the features that probe runs keep on the disk, so that a "
    "representation is computed once. The folder is LINSPECTOR_CACHE, or linspector_allennlp "
    "in the user's folder for caches; LINSPECTOR_CACHE_GB (20) is the room that they may "
    "take: what was used the longest ago goes first. All of it can be computed again."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parts = parser.add_subparsers(dest="part", metavar="PART")
    lister = parts.add_parser("list", help="what there is, the last used first")
    lister.set_defaults(func=lambda args: say(listing()))
    pruner = parts.add_parser(
        "prune",
        help="remove what does not fit, is old, or is named",
        description="Without an argument, removes what exceeds LINSPECTOR_CACHE_GB.",
    )
    pruner.add_argument(
        "names", nargs="*", metavar="NAME", help="remove these, as `list` names them"
    )
    pruner.add_argument("--max-gb", type=_not_negative, help="the room that may be taken")
    pruner.add_argument(
        "--days", type=_not_negative, help="remove what was not used for so many days"
    )
    pruner.add_argument(
        "--all", action="store_true", help="remove everything, unpacked archives too"
    )
    pruner.set_defaults(func=_prune)
    parser.set_defaults(func=lambda args: say(listing()))


def listing() -> str:
    """The table of what is in the cache."""
    entries, archives = list_features(), unpacked_archives()
    size = _gigabytes(sum(entry.num_bytes for entry in entries))
    summary = f"{cache_folder()}: {size} GB of features (at most {_gigabytes(size_limit())})"
    if archives:
        unpacked = _gigabytes(sum(archives.values()))
        summary += f", and {unpacked} GB of unpacked archives ({len(archives)})"
    if not entries:
        return f"{summary}."
    header = ["name", "what it is", "sentences", "words", "GB", "last used"]
    rows = [
        [
            entry.folder.name,
            _description(entry.representation),
            str(entry.num_sentences),
            str(entry.num_words),
            _gigabytes(entry.num_bytes),
            time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.last_used)),
        ]
        for entry in entries
    ]
    return f"{summary}.\n\n" + table([header, *rows], left=(0, 1))


def _prune(args: argparse.Namespace) -> None:
    pruned = prune(args.names, args.max_gb, args.days, args.all)
    sizes = f"{_gigabytes(pruned.removed)} GB removed, {_gigabytes(pruned.left)} GB left"
    say(f"{sizes} in {cache_folder()}.")


class Pruned(NamedTuple):
    """How many bytes were removed from the cache, and how many are left."""

    removed: float
    left: float


def prune(
    names: Sequence[str] = (),
    max_gb: Optional[float] = None,
    days: Optional[float] = None,
    everything: bool = False,
) -> Pruned:
    """
    Removes features from the cache: these, and what exceeds the room, or was not used for so many
    days; without any argument, what exceeds `LINSPECTOR_CACHE_GB`.
    """
    if everything and (names or max_gb is not None or days is not None):
        raise ValueError("prune: --all removes everything; leave out what would limit it.")
    removed = remove_features(names)
    if everything:
        removed += make_room(limit=0, unused_since=math.inf) + sum(unpacked_archives().values())
        shutil.rmtree(cache_folder() / "archives", ignore_errors=True)
    elif not names or max_gb is not None or days is not None:
        limit = size_limit() if max_gb is None else max_gb * 1e9
        oldest = None if days is None else time.time() - days * 86400
        removed += make_room(limit, unused_since=oldest)
    remove_empty_folders()
    return Pruned(removed, sum(entry.num_bytes for entry in list_features()))


def _not_negative(text: str) -> float:
    with suppress(ValueError):
        if float(text) >= 0:
            return float(text)
    raise argparse.ArgumentTypeError(f"expected a number from 0 on, found {text}")


def _description(representation: dict[str, Any]) -> str:
    values = [representation[key] for key in SHOWN if representation.get(key)]
    shown = [" + ".join(each) if isinstance(each, list) else str(each) for each in values]
    layers = f"{representation.get('layers', '?')} × {representation.get('dimension', '?')}"
    return ", ".join([*shown, layers])


def _gigabytes(num_bytes: float) -> str:
    return f"{num_bytes / 1e9:.2f}"
