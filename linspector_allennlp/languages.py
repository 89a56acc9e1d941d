"""The one table of languages: what a language is called, and its codes (`languages.tsv`)."""

import os
import re
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple, Optional

from linspector_allennlp.io.files import PathLike

# No name of a language is longer.
MOST_WORDS = 4


class Language(NamedTuple):
    """A language; `iso1` is its ISO 639-1 code (empty where it has none), `iso3` ISO 639-3."""

    name: str
    iso1: str
    iso3: str

    @property
    def code(self) -> str:
        """The shortest there is; Universal Dependencies begins the names of its files with it."""
        return self.iso1 or self.iso3


def find_language(text: str) -> Optional[Language]:
    """The language of this name or code; `None` for one that is not in the table."""
    text = text.strip().lower().replace("_", "-").replace(" ", "-")
    return _by_name().get(text)


def language_in_name(name: PathLike) -> Optional[Language]:
    """
    The language that the name of a file or of a treebank begins with: `fi_tdt-ud-train.conllu`, `ron.tsv`,
    `UD_Old_French-SRCMF`, `serbo-croatian.tsv`; `None` if it is none of the table.
    """
    text = os.path.basename(os.fspath(name)).lower().removeprefix("ud_")
    words = re.split("[^a-z]+", text)[:MOST_WORDS]
    names = ("-".join(words[:number]) for number in range(len(words), 0, -1))
    return next(filter(None, map(find_language, names)), None)


def close_names(text: str) -> list[str]:
    """Names of the table that look like a mistyped one, the closest first."""
    return get_close_matches(text, sorted({language.name for language in _by_name().values()}))


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Language]:
    table = files(__package__).joinpath("languages.tsv").read_text(encoding="utf-8")
    languages = [Language(*line.split("\t")) for line in table.splitlines()[1:]]
    return {
        key: language
        for field in ("iso3", "iso1", "name")
        for language in languages
        if (key := getattr(language, field))
    }
