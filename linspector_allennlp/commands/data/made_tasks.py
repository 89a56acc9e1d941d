"""The closing text of the makers of `probe-data`: the tasks that were made, and those that were not."""

from collections.abc import Mapping
from typing import Any

from linspector_allennlp.commands.tables import table
from linspector_allennlp.tasks.making import MadeTasks

HEADER = ["made", "items", "labels", "majority", "ambiguous", "notes"]

# What is counted while reading, and worth a line where it occurs.
ODDITIES = {
    "bad_lines": "broken lines that were skipped",
    "forms_of_several_words": "forms of several words, which are in no task",
    "decomposed_forms": "forms with decomposed letters (NFD), which most vectors do not have so",
    "spaced_forms": "words with a space in them, which has become _",
}


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
    print("\n\n".join(parts))
    print(f"\nIn {output}; the manifest.json there says how.")


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
