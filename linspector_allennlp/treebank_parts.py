"""
Parts of treebanks whose files have no splits, or others than one wants: `a.conllu,b-*.conllu#train/8:1:1/12000`
is the training part of at most 12,000 sentences of all these files together, divided 8:1:1.

A sentence is drawn, and goes to its part, by the hash of its tokens as they are written: not by its file, nor
by its place there. Sentences of the same tokens are in one part.
"""

import glob
import os
import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.hashing import hash_keys

PARTS = ("train", "dev", "test")
LEFT_OUT = -1

PART = re.compile(r"(?P<files>.+)#(?P<part>[^/#]+)/(?P<shares>[^/#]*)(?:/(?P<most>[^/#]*))?")
SHARES = re.compile(r"[1-9][0-9]*:[1-9][0-9]*:[1-9][0-9]*")


class TreebankPart(NamedTuple):
    """
    # Parameters

    names : `Sequence[str]`
        Paths, addresses, and patterns such as `UD_*/fi_*.conllu`.
    part : `str`
        One of `PARTS`.
    shares : `Sequence[int]`
        Of the three parts.
    most : `int`, optional
        At most so many sentences in all of them; by default all there are.
    """

    names: Sequence[str]
    part: str
    shares: Sequence[int]
    most: Optional[int]

    def files(self) -> list[str]:
        """The files, each once, by their names: the order of the parts tells nothing."""
        matching = {file for name in self.names for file in _matching(name)}
        found = sorted(matching, key=lambda file: (os.path.basename(file), file))
        distinct: dict[str, str] = {}
        for file in found:  # one that has two names is there by the first
            distinct.setdefault(file if "://" in file else os.path.realpath(file), file)
        return list(distinct.values())


def treebank_part(path: PathLike) -> Optional[TreebankPart]:
    """What such a path names; nothing if it is that of a file."""
    match = PART.fullmatch(os.fspath(path))
    if match is None:
        return None
    shares, most = match["shares"], match["most"]
    if match["part"] not in PARTS:
        raise ConfigurationError(
            f"{os.fspath(path)}: expected #train, #dev or #test, found #{match['part']}."
        )
    if not SHARES.fullmatch(shares):
        raise ConfigurationError(
            f"{os.fspath(path)}: expected three shares of 1 or more as the split, as 8:1:1, found {shares!r}."
        )
    if most is not None and not re.fullmatch("[1-9][0-9]*", most):
        raise ConfigurationError(
            f"{os.fspath(path)}: expected a number of 1 or more as max_sentences, found {most!r}."
        )
    return TreebankPart(
        match["files"].split(","),
        match["part"],
        [int(share) for share in shares.split(":")],
        None if most is None else int(most),
    )


def data_files(path: PathLike) -> list[str]:
    """The files behind the path of a treebank."""
    part = treebank_part(path)
    return [os.fspath(path)] if part is None else part.files()


def sentence_key(tokens: Sequence[str]) -> int:
    """The number that decides where a sentence goes. Its Unicode composition tells nothing."""
    text = unicodedata.normalize("NFC", " ".join(tokens))
    return int(hash_keys([text.encode("utf-8", "surrogatepass")])[0])


def divide(keys: np.ndarray, shares: Sequence[int], most: Optional[int] = None) -> np.ndarray:
    """
    The part of each sentence: 0, 1, 2, or `LEFT_OUT`. Those of the same key are together; the smallest keys
    are drawn first. The parts have exactly their sizes, unless repeated sentences forbid it.

    # Parameters

    keys : `np.ndarray`
        See `sentence_key`.
    shares, most
        See `TreebankPart`.
    """
    # Groups of the same words, in the order of their keys.
    _, group_of, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    room = part_sizes(len(keys) if most is None else min(most, len(keys)), shares)
    part_of = np.full(len(sizes), LEFT_OUT, dtype=np.int8)
    waiting = list(range(len(sizes)))
    for part in range(len(room)):
        still_waiting = []
        for group in waiting:
            if sizes[group] <= room[part]:
                part_of[group] = part
                room[part] -= int(sizes[group])
            else:
                still_waiting.append(group)
        waiting = still_waiting
    # Where only repeated sentences are left, a part may become larger than it should be.
    for group in waiting:
        if sizes[group] <= sum(room):
            part = max(range(len(room)), key=lambda each: (room[each], each))
            part_of[group] = part
            room[part] -= int(sizes[group])
    return part_of[group_of]


def part_sizes(number: int, shares: Sequence[int]) -> list[int]:
    """9,600, 1,200 and 1,200 of 12,000 at 8:1:1."""
    ends = [number * end // sum(shares) for end in accumulate(shares, initial=0)]
    return [end - start for start, end in zip(ends, ends[1:])]


def _matching(name: str) -> list[str]:
    if "://" in name or os.path.exists(name) or not glob.has_magic(name):
        return [name]
    found = glob.glob(name, recursive=True)
    if not found:
        raise FileNotFoundError(f"{name}: there is no file of such a name.")
    return found
