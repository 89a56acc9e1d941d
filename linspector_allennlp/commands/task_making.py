"""What the three makers of `probe-data` have in common: arguments, running, the closing table."""

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Optional

from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.commands.tables import table
from linspector_allennlp.files import PathLike, sha256
from linspector_allennlp.languages import Language, find_language
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.probing_task import TaskData, TooLittleData

# Below that a split of 70/20/10 would be empty.
SMALLEST = 10


class TaskPlan(NamedTuple):
    """A task to make: its name, what makes it, and what it is made from."""

    name: str
    make: Callable[[], TaskData]
    inputs: Mapping[str, Any]
    packages: Sequence[str] = ()


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
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def task_size(text: str) -> int:
    if not text.isdecimal() or int(text) < SMALLEST:
        raise argparse.ArgumentTypeError(f"{text} is not a number of {SMALLEST} or more")
    return int(text)


def share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise ValueError(text)
    return number


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
    return find_language(name) or Language(name, "", "")


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


def input_file(name: str, path: PathLike) -> dict[str, str]:
    """An input by what it is called and what is in it, not by where it is."""
    return {"file": Path(name).name, "sha256": sha256(path)}


def make_tasks(
    writer: TaskWriter, plans: Sequence[TaskPlan], reading: Mapping[str, Mapping[str, Any]]
) -> str:
    """Makes and writes the tasks one by one; gives the table of what was made and what was not."""
    made, not_made = [], []
    made_of = {plan.name: _made_of(plan) for plan in plans}
    # Before any work: a task that must not be replaced stops the run.
    there = {name for name, parts in made_of.items() if writer.is_there(name, parts)}
    for plan in Tqdm.tqdm(plans, desc="making tasks"):
        if plan.name in there:
            made.append([plan.name, "", "", "", "", "unchanged: made before from the same"])
            continue
        try:
            data = plan.make()
        except TooLittleData as error:
            not_made.append(f"  {plan.name}: {error}")
            writer.leave_out(plan.name, str(error))
            continue
        writer.write(data, made_of[plan.name])
        made.append(_row(data))
    writer.finish(reading)
    parts = []
    if made:
        header = ["made", "items", "labels", "majority", "ambiguous", "notes"]
        parts.append(table([header, *made], left=(0, 5)))
    if not_made:
        parts.append("\n".join(["Not made, for want of data:", *not_made]))
    if not made:
        raise ValueError("\n".join(["no task was made.", *parts]))
    return "\n\n".join([*parts, *oddities(reading)])


def oddities(reading: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What was odd in the inputs, as sentences."""
    lines = []
    for name, counts in reading.items():
        if counts.get("bad_lines"):
            lines.append(f"{name}: broken lines that were skipped: {counts['bad_lines']:,}.")
        unknown = counts.get("unknown_tags")
        if unknown:
            most = ", ".join(f"{tag} ({number:,})" for tag, number in list(unknown.items())[:5])
            more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
            lines.append(f"{name}: tags that the schema does not have: {most}{more}.")
    return ["\n".join(lines)] if lines else []


def _made_of(plan: TaskPlan) -> dict[str, Any]:
    """What a task is made from; the same on every machine."""
    packages = ("linspector_allennlp", *plan.packages)
    return {
        "inputs": dict(plan.inputs),
        "versions": {name: version(name) for name in packages},
    }


def _row(data: TaskData) -> list[str]:
    counts = data.label_counts
    items = sum(counts.values())
    ambiguity = data.facts.get("ambiguity")
    return [
        data.name,
        f"{items:,}",
        str(len(counts)),
        f"{100 * max(counts.values()) / items:.1f} %",
        "–" if ambiguity is None else f"{100 * ambiguity:.1f} %",
        "; ".join(data.notes),
    ]
