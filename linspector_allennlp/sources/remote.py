"""
Resources that are named, not given: UniMorph by its language code, a UD treebank by its name, a
language of Wuggy by the name of its plugin.
"""

import logging
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import httpx
from allennlp.common.file_utils import cached_path

from linspector_allennlp.formats import SPLITS
from linspector_allennlp.languages import find_language

# Another place to fetch them from, a mirror or a folder (file:///…), is given by the variable.
UNIMORPH_URL = ("LINSPECTOR_UNIMORPH_URL", "https://raw.githubusercontent.com/unimorph")
TREEBANK_URL = ("LINSPECTOR_UD_URL", "https://raw.githubusercontent.com/UniversalDependencies")
WUGGY_URL = (
    "LINSPECTOR_WUGGY_URL",
    "https://raw.githubusercontent.com/WuggyCode/wuggy_language_plugin_data/master",
)
PARTS = "abcdefghijkl"

logger = logging.getLogger(__name__)


class SourceFile(NamedTuple):
    """A file by its own name, and where it is: what was fetched has another name in the cache."""

    name: str
    path: Path


def unimorph_files(source: str) -> list[SourceFile]:
    """A file, a URL, or the files of a bare ISO 639-3 code; large languages have several."""
    if not re.fullmatch("[a-z]{3}", source) or os.path.exists(source):
        return [_fetched(source)]
    folder = f"{_base(*UNIMORPH_URL)}/{source}/master"
    parts = [f"{source}.{number}" for number in range(1, 10)]
    found = _fetched_of(folder, [source]) or _fetched_of(folder, parts)
    return found or [_fetched(f"{folder}/{source}")]


def treebank_files(source: str) -> list[SourceFile]:
    """A file, a URL, or the files of a treebank named as `UD_Finnish-TDT`."""
    named = re.fullmatch("UD_([A-Za-z_]+)-([A-Za-z0-9]+)", source)
    if not named or os.path.exists(source):
        return [_fetched(source)]
    language = find_language(named[1])
    if language is None:
        raise ValueError(f"{source}: the table of languages does not have {named[1]!r}.")
    stem = f"{language.code}_{named[2].lower()}-ud"
    folder = f"{_base(*TREEBANK_URL)}/{source}/master"
    found = []
    for split in SPLITS:
        # The training part of a large treebank is in several files.
        names = [f"{stem}-{split}.conllu"], [f"{stem}-{split}-{part}.conllu" for part in PARTS]
        files = _fetched_of(folder, names[0]) or _fetched_of(folder, names[1])
        if not files:
            logger.warning("%s has no %s file in %s.", source, split, folder)
        found += files
    return found or [_fetched(f"{folder}/{stem}-test.conllu")]


def wuggy_files(name: str) -> tuple[SourceFile, SourceFile]:
    """The code and the lexicon of a language plugin (`orthographic_german`)."""
    folder = f"{_base(*WUGGY_URL)}/{name}"
    instead = f"put {name}.py and {name}.txt from there into a folder, and give wuggy:FOLDER."
    return _fetched(f"{folder}/{name}.py", instead), _fetched(f"{folder}/{name}.txt", instead)


def _base(variable: str, default: str) -> str:
    return os.environ.get(variable, default).rstrip("/")


def _fetched_of(folder: str, names: Sequence[str]) -> list[SourceFile]:
    """Those that are there, up to the first that is not."""
    found: list[SourceFile] = []
    for name in names:
        try:
            found.append(_fetched(f"{folder}/{name}"))
        except FileNotFoundError:
            break
    return found


def _fetched(
    source: str, instead: str = "download the file elsewhere and give its path."
) -> SourceFile:
    try:
        path = Path(cached_path(source.replace("file://", "", 1)))
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{source}: there is no such file.") from error
    # Each library has errors of its own for a network that is not there; those of httpx are no OSError.
    except (OSError, httpx.HTTPError) as error:
        raise OSError(
            f"Could not reach {source}: {type(error).__name__}. Without a network, {instead}"
        ) from error
    return SourceFile(source.rsplit("/", 1)[-1], path)
