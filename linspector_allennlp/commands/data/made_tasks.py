"""The parts that the makers of `probe-data` share: their common arguments, and the closing table."""

import argparse
from collections.abc import Mapping
from typing import Any, Optional

from linspector_allennlp.commands.tables import say, table
from linspector_allennlp.tasks.making import MadeTasks
from linspector_allennlp.tasks.splits import SMALLEST

HEADER = ["made", "items", "labels", "majority", "ambiguous", "notes"]

# What is counted while reading, and worth a line where it occurs.
ODDITIES = {
    "bad_lines": "broken lines that were skipped",
    "forms_of_several_words": "forms of several words, which are in no task",
    "decomposed_forms": "forms with decomposed letters (NFD), which most vectors do not have so",
    "spaced_forms": "words with a space in them, which has become _",
}


def add_common_arguments(parser: argparse.ArgumentParser, size: Optional[int]) -> None:
    """The arguments that every maker has."""
    parser.add_argument(
        "--language",
        help="its name or ISO 639 code: finnish, fi or fin; quenya:qya for one that is not in the table "
        "(default: what the input's name begins with, if that is one: ron.tsv, "
        "tr_imst-ud-train.conllu)",
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


def add_treebank_folder(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--treebank-folder",
        metavar="FOLDER",
        help="CoNLL-U files of many languages, told by their names (tr_imst-ud-train.conllu): the tasks of "
        "all of them",
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


def print_made(tasks: MadeTasks, output: str) -> None:
    """Prints the table, the reasons, and what is odd in the inputs; no task at all is an error."""
    parts = []
    if tasks.made:
        rows = [_row(manifest, name in tasks.unchanged) for name, manifest in tasks.made.items()]
        parts.append(table([HEADER, *rows], left=(0, 5)))
    if tasks.not_made:
        reasons = [f"  {name}: {reason}" for name, reason in tasks.not_made.items()]
        parts.append("\n".join(["Not made, for want of data:", *reasons]))
    if found := oddities(tasks.reading):
        parts.append("\n".join(found))
    if not tasks.made:
        raise ValueError("\n".join(["no task was made.", *parts]))
    say("\n\n".join(parts))
    say(f"\nIn {output}; the manifest.json there says how.")


def oddities(reading: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Remarks on the inputs, as sentences."""
    lines = []
    for name, counts in reading.items():
        for key, text in ODDITIES.items():
            if counts.get(key):
                lines.append(f"{name}: {text}: {counts[key]:,}.")
        unknown = counts.get("unknown_tags")
        if unknown:
            most = ", ".join(f"{tag} ({number:,})" for tag, number in list(unknown.items())[:5])
            more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
            lines.append(f"{name}: tags that the schema does not have: {most}{more}.")
        if "features" in counts and counts["features"] is None:
            lines.append(f"{name}: no word has anything in the column FEATS.")
    return lines


def _row(manifest: Mapping[str, Any], is_unchanged: bool) -> list[str]:
    counts = manifest["labels"]
    items = sum(counts.values())
    ambiguity = manifest["facts"].get("ambiguity")
    unchanged = ["unchanged: the same command made it before"] * is_unchanged
    return [
        manifest["task"],
        f"{items:,}",
        str(len(counts)),
        f"{100 * max(counts.values()) / items:.1f} %",
        "–" if ambiguity is None else f"{100 * ambiguity:.1f} %",
        "; ".join([*unchanged, *manifest["notes"]]),
    ]
