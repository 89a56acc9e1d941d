"""The sentence for a path that is not there: what is there instead."""

import os
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from linspector_allennlp.io.files import PathLike

MOST = 20  # names in a sentence


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that was probably meant, as a question with a space before it; nothing if none is near."""
    by_lower_case = {each.lower(): each for each in names}
    found = get_close_matches(name.lower(), by_lower_case, n=1)
    return f" Did you mean {by_lower_case[found[0]]}?" if found else ""


def listed(names: Iterable[str]) -> str:
    """Names in a row, the first ones if they are many."""
    names = sorted(names)
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more


def missing_file(path: PathLike) -> str:
    """
    The sentence for a data file that is not there. It names the first folder of the path that is
    missing, and lists what is in its place: of a task folder the tasks or the languages that are there,
    of a treebank the files of the same split.
    """
    start = f"{os.fspath(path)}: there is no such file"
    if "://" in os.fspath(path):
        return f"{start}."
    path = Path(path)
    wanted, folder = path, path.parent
    while not folder.is_dir() and folder != folder.parent:
        wanted, folder = folder, folder.parent
    where = f"{folder} (from here, {os.getcwd()})" if not path.is_absolute() else str(folder)
    kind = "folder"
    if wanted == path:
        ending = path.suffix if "-" not in path.name else "-" + path.name.rpartition("-")[2]
        there = [file.name for file in folder.glob(f"*{ending}") if file.is_file()]
        kind = f"file *{ending}"
    else:
        there = [each.name for each in folder.iterdir() if each.is_dir()]
    there = [name for name in there if not name.startswith(".")]
    found = f"There: {listed(there)}." if there else f"There is no {kind} in it."
    return f"{start}, because {where} has no {wanted.name}.{nearest(wanted.name, there)} {found}"
