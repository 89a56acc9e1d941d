"""What the makers of `probe-data` have in common: running the plans, and the closing table."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from allennlp.common import Tqdm

from linspector_allennlp.commands.tables import table
from linspector_allennlp.io.files import PathLike, sha256
from linspector_allennlp.tasks.build import TaskWriter
from linspector_allennlp.tasks.probing_task import TaskData, TooLittleData

# What is counted while reading, and worth a line where it occurs.
ODDITIES = {
    "bad_lines": "broken lines that were skipped",
    "forms_of_several_words": "forms of several words, which are in no task",
    "decomposed_forms": "forms with decomposed letters (NFD), which most vectors do not have so",
    "spaced_forms": "words with a space in them, which has become _",
}


class TaskPlan(NamedTuple):
    """A task to make: its name, what makes it, and what it is made from."""

    name: str
    make: Callable[[], TaskData]
    inputs: Mapping[str, Any]
    packages: Sequence[str] = ()


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
    there = {name: found for name, parts in made_of.items() if (found := writer.find(name, parts))}
    try:
        for plan in Tqdm.tqdm(plans, desc="making tasks"):
            if plan.name in there:
                made.append(_row(there[plan.name], "unchanged: the same command made it before"))
                continue
            try:
                data = plan.make()
                data.check_labels()
            except TooLittleData as error:
                reason = writer.leave_out(plan.name, str(error))
                not_made.append(f"  {plan.name}: {reason}")
                continue
            made.append(_row(writer.write(data, made_of[plan.name])))
    finally:
        # What is written is whole, and said to be there, even if the rest was interrupted.
        writer.finish(reading)
    parts = []
    if made:
        header = ["made", "items", "labels", "majority", "ambiguous", "notes"]
        parts.append(table([header, *made], left=(0, 5)))
    if not_made:
        parts.append("\n".join(["Not made, for want of data:", *not_made]))
    parts += ["\n".join(oddities(reading))] if oddities(reading) else []
    if not made:
        raise ValueError("\n".join(["no task was made.", *parts]))
    return "\n\n".join(parts)


def oddities(reading: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What a user should know of the inputs, as sentences."""
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


def _made_of(plan: TaskPlan) -> dict[str, Any]:
    """What a task is made from; the same on every machine."""
    packages = ("linspector_allennlp", *plan.packages)
    return {
        "inputs": dict(plan.inputs),
        "versions": {name: version(name) for name in packages},
    }


def _row(manifest: Mapping[str, Any], *notes: str) -> list[str]:
    counts = manifest["labels"]
    items = sum(counts.values())
    ambiguity = manifest["facts"].get("ambiguity")
    return [
        manifest["task"],
        f"{items:,}",
        str(len(counts)),
        f"{100 * max(counts.values()) / items:.1f} %",
        "–" if ambiguity is None else f"{100 * ambiguity:.1f} %",
        "; ".join([*notes, *manifest["notes"]]),
    ]
