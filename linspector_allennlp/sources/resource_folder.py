"""
Folders of resources of many languages: which language each file is of, by its name. The files may be in
folders of their own, as those of UniMorph and of Universal Dependencies are.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.languages import Language, find_language, language_in_name

PARADIGMS = "*.tsv, or CODE and CODE.1, CODE.2, … as UniMorph has them"
TREEBANKS = "*.conllu or *.conllu.gz"

# Beside the paradigms, UniMorph has other tables of some languages.
OTHER_TABLES = re.compile(r"\.(derivations|segmentations)\b")


class ResourceFolder(NamedTuple):
    """
    The files of each language, in the order of the languages' names; and those whose names do not tell it.
    """

    files: dict[Language, list[str]]
    unknown: list[str]


def paradigms_in(folder: PathLike) -> ResourceFolder:
    """The UniMorph files at or below a folder."""
    return _resources(folder, [path for path in _files(folder) if _is_paradigms(path)], PARADIGMS)


def treebanks_in(folder: PathLike) -> ResourceFolder:
    """The CoNLL-U files at or below a folder; all treebanks of a language together."""
    endings = (".conllu", ".conllu.gz")
    return _resources(folder, [p for p in _files(folder) if p.name.endswith(endings)], TREEBANKS)


def file_of_language(folder: PathLike, language: Language) -> str:
    """The only file at or below a folder whose name tells this language (`fi.txt`, `finnish_50k.txt`)."""
    found = [str(path) for path in _files(folder) if language_in_name(path.name) == language]
    if len(found) == 1:
        return found[0]
    if found:
        raise ConfigurationError(
            f"{folder}: expected one file of {language.name}, found {', '.join(found)}."
        )
    names = dict.fromkeys(filter(None, (language.iso1, language.iso3, language.name)))
    expected = " or ".join(f"{name}.txt" for name in names)
    raise ConfigurationError(f"{folder}: no file of {language.name}, such as {expected}.")


def _resources(folder: PathLike, paths: list[Path], expected: str) -> ResourceFolder:
    if not paths:
        raise ConfigurationError(f"{folder}: no file there is {expected}.")
    files: dict[Language, list[str]] = {}
    unknown = []
    for path in paths:
        language = language_in_name(path.name)
        if language is None:
            unknown.append(str(path))
        else:
            files.setdefault(language, []).append(str(path))
    return ResourceFolder(dict(sorted(files.items())), unknown)


def _is_paradigms(path: Path) -> bool:
    if OTHER_TABLES.search(path.name):
        return False
    code = re.fullmatch(r"([a-z]{3})(\.\d)?", path.name)
    return path.suffix == ".tsv" or bool(code and find_language(code[1]))


def _files(folder: PathLike) -> Iterator[Path]:
    """All files but hidden ones, in the order of their names."""
    if not os.path.isdir(folder):
        raise ConfigurationError(f"{folder}: expected a folder of resources, found none.")
    seen: set[str] = set()

    def refuse(error: OSError) -> None:
        raise error

    for here, below, names in os.walk(folder, onerror=refuse, followlinks=True):
        if os.path.realpath(here) in seen:  # a link to a folder above would never end
            below.clear()
            continue
        seen.add(os.path.realpath(here))
        below[:] = sorted(name for name in below if not name.startswith("."))
        yield from (Path(here, name) for name in sorted(names) if not name.startswith("."))
