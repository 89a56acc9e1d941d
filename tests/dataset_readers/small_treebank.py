"""CoNLL-U by hand, with spaces for tabs and without the columns that are empty."""

from pathlib import Path


def conllu(text: str) -> str:
    """
    The rows of a text, one a line, with tabs between the columns and `_` in those that it leaves
    out at the end. Comments and blank lines stay.
    """
    lines = []
    for line in map(str.strip, text.strip().splitlines()):
        columns = line.split()
        if not line.startswith("#") and line:
            line = "\t".join(columns + ["_"] * (10 - len(columns)))
        lines.append(f"{line}\n")
    return "".join([*lines, "\n"])


def write_conllu(path: Path, text: str) -> str:
    path.write_text(conllu(text), encoding="utf-8")
    return str(path)
