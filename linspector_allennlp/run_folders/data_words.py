"""
The words that a run's data files ask about, read again as the run has read them. The run has checked the
files, and these are the same to the byte, so that nothing is checked twice; AllenNLP is not needed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Optional

from linspector_allennlp.io.files import open_bytes, sha256

SENTEVAL_PARTS = ("tr", "va", "te")
EMPTY = "that are empty"
"""Why a reader leaves sentences out that have no words."""

Columns = Sequence[str]


class _FileWords(NamedTuple):
    words: list[str]
    num_items: int
    num_sentences: int


def data_words(source: Mapping[str, Any], probe: str) -> list[str]:
    """
    # Parameters

    source : `Mapping[str, Any]`
        A split, as the provenance of a run has it: `path` and `sha256`.
    probe : `str`
        The run's.

    # Returns

    `List[str]`
        A word for each item, of pairs two; of sentences all their tokens, of a treebank all its words. A file
        that is gone, is another one now, or is a part of several is a `ValueError`.
    """
    return _words(source, probe).words


def is_whole(source: Mapping[str, Any], probe: str) -> bool:
    """Whether a run has read all of such a file, as far as its provenance says how much it has read."""
    found = _words(source, probe)
    is_treebank = WORDS[probe] is _of_treebank
    name, number = ("sentences", found.num_sentences) if is_treebank else ("items", found.num_items)
    read: Optional[int] = source.get(name)
    left_out = dict(source.get("left_out") or {})
    number -= left_out.pop(EMPTY, 0)
    return not left_out and (read is None or read == number)


def _words(source: Mapping[str, Any], probe: str) -> _FileWords:
    path, digest = source.get("path"), source.get("sha256")
    if probe not in WORDS:
        raise ValueError(f"the words of a {probe} are not known")
    if not path or not digest:
        raise ValueError(f"{path or 'no path'}: not one file that could be read again")
    return _read(str(path), str(digest), probe)


@lru_cache(maxsize=300)
def _read(path: str, digest: str, probe: str) -> _FileWords:
    file, _, part = path.rpartition("#")
    if part not in SENTEVAL_PARTS:
        file, part = path, ""
    if not Path(file).is_file():
        raise ValueError(f"{path}: the file is gone (paths count from where the run was started)")
    if sha256(file) != digest:
        raise ValueError(f"{path}: the file has changed since the run read it")
    rows = list(_rows(file))
    if part:  # split, label, perhaps a topic, sentence
        rows = [row for row in rows if row[0] == part]
        words = [word for row in rows for word in row[-1].split()]
    else:
        words = [word for row in rows for word in WORDS[probe](row)]
    return _FileWords(words, len(rows), sum(row[0] == "1" for row in rows))


def _rows(file: str) -> Iterator[list[str]]:
    with open_bytes(file) as lines_of_file:
        text = lines_of_file.read().decode("utf-8-sig", "replace")
    lines = (line.rstrip("\r") for line in text.split("\n"))
    return (line.split("\t") for line in lines if line.strip(" "))


def _form(row: Columns) -> list[str]:
    return [row[0]]


def _pair(row: Columns) -> list[str]:
    return list(row[:2])


def _token(row: Columns) -> list[str]:
    return [row[0].split(" ")[int(row[1])]]


def _two_tokens(row: Columns) -> list[str]:
    return [*_token(row[:2]), *_token(row[2:4])]


def _sentence(row: Columns) -> list[str]:
    return row[0].split()


def _of_treebank(row: Columns) -> list[str]:
    """Neither ranges nor empty nodes: their numbers are `3-4` and `3.1`."""
    return [row[1]] if len(row) > 1 and row[0].isdigit() else []


WORDS: Mapping[str, Callable[[Columns], list[str]]] = {
    "single_form_probe": _form,
    "paired_forms_probe": _pair,
    "token_in_context_probe": _token,
    "paired_tokens_probe": _two_tokens,
    "sentence_probe": _sentence,
    **dict.fromkeys(
        ("tagging_probe", "edge_probe", "distance_probe", "depth_probe", "perceptron_probe"),
        _of_treebank,
    ),
}
