"""
Treebanks in CoNLL-U, one sentence at a time. The FEATS column holds UD features
(`Case=Nom|Number=Sing`) or UniMorph tags (`N;NOM;SG`), the same in all files that are read together.

The ids and heads are read by the `conllu` package. Lines and columns are not: it gives no line
numbers, takes two spaces for a tab, and lets a line have fewer columns.
"""

import logging
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import NamedTuple, Optional

from allennlp.common import Tqdm
from conllu.exceptions import ParseException
from conllu.parser import parse_id_value, parse_int_value

from linspector_allennlp.formats import BYTE_ORDER_MARK, MalformedLine
from linspector_allennlp.io.bad_lines import SHOWN, BadLines
from linspector_allennlp.io.files import PathLike, open_bytes

logger = logging.getLogger(__name__)

COLUMNS = 10
SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(.*?)\s*$")
WHITESPACE = re.compile(r"\s+")

UD = "ud"
UNIMORPH = "unimorph"
Lines = list[tuple[int, bytes]]


class Word(NamedTuple):
    """
    A syntactic word. Empty columns (`_`) are empty texts, but for forms and lemmas; the head is
    `None` where the treebank has none, 0 for the root.
    """

    line: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: Optional[int]
    deprel: str
    id: int


class MultiwordToken(NamedTuple):
    """What stands in the text for several words: those with the ids from `first` to `last`."""

    first: int
    last: int
    form: str


class Sentence(NamedTuple):
    path: PathLike
    line: int
    sent_id: str
    words: list[Word]
    multiword_tokens: Sequence[MultiwordToken] = ()

    def surface_tokens(self) -> tuple[list[str], list[int]]:
        """The tokens of the text as it is written, and for each word the place of its token there."""
        tokens, place_of, word = [], [], 0
        starts = {token.first - 1: token for token in self.multiword_tokens}
        while word < len(self.words):
            token = starts.get(word)
            end = token.last if token else word + 1
            tokens.append(token.form if token else self.words[word].form)
            place_of += [len(tokens) - 1] * (end - word)
            word = end
        return tokens, place_of


@dataclass
class TreebankCounts:
    """
    What was read, of the sentences that are kept; filled while reading.

    # Parameters

    features : `Optional[str]`
        What the FEATS column has, "ud" or "unimorph"; `None` as long as no word has features.
    spaced_forms : `int`
        Forms with whitespace in them (`10 000`), which has become an underscore.
    bad_lines, messages : `int`, `list[str]`
        How many sentences were left out for a bad line, and what is wrong with the first few.
    """

    sentences: int = 0
    words: int = 0
    ranges: int = 0
    empty_nodes: int = 0
    spaced_forms: int = 0
    bad_lines: int = 0
    messages: list[str] = field(default_factory=list)
    features: Optional[str] = None


def read_treebank(
    paths: Iterable[PathLike],
    counts: Optional[TreebankCounts] = None,
    skip_bad_lines: bool = False,
    check_features: bool = True,
) -> Iterator[Sentence]:
    """
    The sentences of CoNLL-U files, without empty nodes; multiword ranges stand beside the words.

    # Parameters

    paths : `Iterable[PathLike]`
        The files, read one after the other.
    counts : `Optional[TreebankCounts]`, optional (default = `None`)
        Where to count.
    skip_bad_lines : `bool`, optional (default = `False`)
        Leave out sentences with a bad line, and count them; the default is to stop at the first.
        Two kinds of features are an error in any case.
    check_features : `bool`, optional (default = `True`)
        Whether features must be of one kind; not where nobody asks for them.
    """
    counts = TreebankCounts() if counts is None else counts
    bad = BadLines(skip_bad_lines)
    for path in paths:
        before = counts.sentences
        name = os.path.basename(path)
        for lines in Tqdm.tqdm(_blocks(path), desc=f"reading {name}", unit=" sentences"):
            if all(raw.startswith(b"#") for _, raw in lines):
                continue
            try:
                sentence = _sentence(path, lines, counts)
            except MalformedLine as error:
                bad.add(error)
                counts.bad_lines += 1
                if len(counts.messages) < SHOWN:
                    counts.messages.append(str(error))
                continue
            if check_features:
                _check_kind(sentence, counts)
            counts.sentences += 1
            counts.words += len(sentence.words)
            yield sentence
        if counts.sentences == before:
            raise ValueError(f"{path} has no sentence: expected CoNLL-U, {COLUMNS} columns a word.")


def _blocks(path: PathLike) -> Iterator[Lines]:
    """The numbered lines between blank lines, none where these follow each other."""
    block: Lines = []
    raw = b"\n"
    with open_bytes(path) as file:
        for number, raw in enumerate(file, start=1):
            if number == 1 and raw.startswith(BYTE_ORDER_MARK):
                raw = raw[len(BYTE_ORDER_MARK) :]
            if raw.strip(b" \r\n"):
                block.append((number, raw))
                continue
            if block:
                yield block
            block = []
    if not raw.endswith(b"\n"):
        logger.warning("%s: the last line does not end. Is the file whole?", path)
    if block:
        yield block


def _sentence(path: PathLike, lines: Lines, counts: TreebankCounts) -> Sentence:
    sent_id = ""
    words: list[Word] = []
    multiword_tokens: list[MultiwordToken] = []
    empty_nodes = spaced = range_line = 0
    for number, raw in lines:
        try:
            text = raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise MalformedLine(path, number, "UTF-8 text", str(error)) from error
        if text.startswith("#"):
            match = SENT_ID.match(text)
            sent_id = match[1] if match else sent_id
            continue
        columns = text.split("\t")
        if len(columns) != COLUMNS:
            found = f"{len(columns)}: {text!r}"
            raise MalformedLine(path, number, f"{COLUMNS} tab-separated columns", found)
        try:
            id_ = parse_id_value(columns[0])
            head = parse_int_value(columns[6]) if isinstance(id_, int) else None
        except ParseException as error:
            raise MalformedLine(path, number, "numbers as id and head", str(error)) from error
        if isinstance(id_, tuple) and id_[1] == ".":
            empty_nodes += 1
            continue
        if BYTE_ORDER_MARK in raw:
            raise MalformedLine(path, number, "text without U+FEFF", repr(columns[1]))
        if not columns[1].strip():
            raise MalformedLine(path, number, "a form", f"nothing there in {text!r}")
        form = WHITESPACE.sub("_", columns[1].strip())
        spaced += form != columns[1]
        if isinstance(id_, tuple):
            first, _, last = id_
            begun = multiword_tokens[-1].last if multiword_tokens else 0
            if not max(begun, len(words)) < first < last or first != len(words) + 1:
                expected = f"a range of several words from {len(words) + 1} on, none in two ranges"
                raise MalformedLine(path, number, expected, f"id {columns[0]!r}")
            multiword_tokens.append(MultiwordToken(first, last, form))
            range_line = number
            continue
        if id_ != len(words) + 1:
            raise MalformedLine(path, number, f"word {len(words) + 1}", f"id {columns[0]!r}")
        upos, xpos, feats, deprel = (
            intern("" if columns[i] == "_" else columns[i]) for i in (3, 4, 5, 7)
        )
        words.append(Word(number, form, columns[2], upos, xpos, feats, head, deprel, id_))
    if not words:
        raise MalformedLine(path, lines[0][0], "a sentence", "no words in it")
    if multiword_tokens and multiword_tokens[-1].last > len(words):
        found = f"the range {multiword_tokens[-1].first}-{multiword_tokens[-1].last}"
        raise MalformedLine(path, range_line, f"a range within {len(words)} words", found)
    for word in words:
        if word.head is not None and not 0 <= word.head <= len(words):
            expected = f"a head from 0 to {len(words)}" + in_sentence(sent_id)
            raise MalformedLine(path, word.line, expected, str(word.head))
    counts.ranges += len(multiword_tokens)
    counts.empty_nodes += empty_nodes
    counts.spaced_forms += spaced
    return Sentence(path, lines[0][0], sent_id, words, multiword_tokens)


def in_sentence(sent_id: str) -> str:
    """For an error: of which sentence it is, where that has an id."""
    return f" in sentence {sent_id!r}" if sent_id else ""


def _check_kind(sentence: Sentence, counts: TreebankCounts) -> None:
    for word in sentence.words:
        if not word.feats:
            continue
        kind = UD if "=" in word.feats else UNIMORPH
        counts.features = counts.features or kind
        if kind != counts.features:
            names = {UD: "UD features", UNIMORPH: "UniMorph tags"}
            expected = f"{names[counts.features]} as in the lines before"
            raise MalformedLine(sentence.path, word.line, expected, repr(word.feats))
