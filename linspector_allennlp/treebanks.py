"""
Treebanks in CoNLL-U, one sentence at a time. The FEATS column holds UD features
(`Case=Nom|Number=Sing`) or UniMorph tags (`N;NOM;SG`), the same in all files that are read together.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from sys import intern
from typing import NamedTuple, Optional, cast

from allennlp.common import Tqdm

from linspector_allennlp.io.conllu_rows import COLUMNS, Block, ConlluRow, conllu_blocks, read_row
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import BadLines, MalformedLine, decoded
from linspector_allennlp.io.visible import visible

SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(.*?)\s*$")
NEW_DOCUMENT = re.compile(rb"#\s*newdoc\b")

UD = "ud"
UNIMORPH = "unimorph"


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
    """A token of the text that is several words: those with the ids from `first` to `last`."""

    first: int
    last: int
    form: str


class Sentence(NamedTuple):
    """
    A sentence; `number` is its place in the file, from 0, bad ones counted, and `document` says how
    many documents (`# newdoc`) have begun in the file, this one included. `file` is the name of the file
    where several are read as one.
    """

    path: PathLike
    line: int
    sent_id: str
    words: list[Word]
    multiword_tokens: Sequence[MultiwordToken] = ()
    number: int = 0
    document: int = 0
    file: str = ""

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
    The counts of the sentences that are kept and of their parts; filled while reading.

    # Parameters

    features : `Optional[str]`
        The kind of the FEATS column, "ud" or "unimorph"; `None` as long as no word has features.
    spaced_forms : `int`
        Forms with whitespace in them (`10 000`), which has become an underscore.
    bad_lines : `int`
        How many sentences were left out for a bad line.
    """

    sentences: int = 0
    words: int = 0
    ranges: int = 0
    empty_nodes: int = 0
    spaced_forms: int = 0
    bad_lines: int = 0
    features: Optional[str] = None


def read_treebank(
    paths: Iterable[PathLike],
    counts: Optional[TreebankCounts] = None,
    skip_bad_lines: bool = False,
    check_features: bool = True,
    progress: bool = True,
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
    progress : `bool`, optional (default = `True`)
        Whether to show a progress bar.
    """
    counts = TreebankCounts() if counts is None else counts
    bad = BadLines(skip_bad_lines)
    for path in paths:
        before = counts.sentences
        name = os.path.basename(path)
        number, document = -1, 0
        blocks = conllu_blocks(path)
        for block in Tqdm.tqdm(
            blocks, desc=f"reading {visible(name)}", unit=" sentences", disable=not progress
        ):
            document += any(NEW_DOCUMENT.match(raw) for _, raw in block)
            if all(raw.startswith(b"#") for _, raw in block):
                continue
            number += 1
            try:
                sentence = _sentence(path, block, counts, number)._replace(document=document)
            except MalformedLine as error:
                bad.add(error)
                counts.bad_lines += 1
                continue
            if check_features:
                _check_kind(sentence, counts)
            counts.sentences += 1
            counts.words += len(sentence.words)
            yield sentence
        if counts.sentences == before:
            raise ValueError(f"{path} has no sentence: expected CoNLL-U, {COLUMNS} columns a word.")


def _sentence(path: PathLike, block: Block, counts: TreebankCounts, number: int) -> Sentence:
    """The sentence of a block; nothing is counted unless all of it is well."""
    sent_id = ""
    words: list[Word] = []
    ranges: list[MultiwordToken] = []
    empty_nodes = spaced = range_line = 0
    for line, raw in block:
        text = decoded(path, line, raw)
        if text.startswith("#"):
            match = SENT_ID.match(text)
            sent_id = match[1] if match else sent_id
            continue
        row = read_row(path, line, text)
        spaced += row.form != row.columns[1]
        if row.id == len(words) + 1:
            words.append(_word(line, row, len(words) + 1))
        elif row.is_empty_node:
            empty_nodes += 1
        elif row.is_range:
            ranges.append(_multiword_token(path, line, row, ranges, len(words) + 1))
            range_line = line
        else:
            raise MalformedLine(path, line, f"word {len(words) + 1}", f"id {row.columns[0]!r}")
    if not words:
        raise MalformedLine(path, block[0][0], "a sentence", "no words in it")
    if ranges and ranges[-1].last > len(words):
        found = f"the range {ranges[-1].first}-{ranges[-1].last}"
        raise MalformedLine(path, range_line, f"a range within {len(words)} words", found)
    _check_heads(path, words, sent_id)
    counts.ranges += len(ranges)
    counts.empty_nodes += empty_nodes
    counts.spaced_forms += spaced
    return Sentence(path, block[0][0], sent_id, words, ranges, number)


def _multiword_token(
    path: PathLike, line: int, row: ConlluRow, ranges: Sequence[MultiwordToken], next_id: int
) -> MultiwordToken:
    """A range begins with the word that comes next, and no word is in two."""
    first, _, last = cast(tuple[int, str, int], row.id)
    begun = ranges[-1].last if ranges else 0
    if not begun < first < last or first != next_id:
        expected = f"a range of several words from {next_id} on, none in two ranges"
        raise MalformedLine(path, line, expected, f"id {row.columns[0]!r}")
    return MultiwordToken(first, last, row.form)


def _word(line: int, row: ConlluRow, id_: int) -> Word:
    upos, xpos, feats, deprel = (
        intern("" if row.columns[i] == "_" else row.columns[i]) for i in (3, 4, 5, 7)
    )
    return Word(line, row.form, row.columns[2], upos, xpos, feats, row.head, deprel, id_)


def _check_heads(path: PathLike, words: Sequence[Word], sent_id: str) -> None:
    for word in words:
        if word.head is not None and not 0 <= word.head <= len(words):
            expected = f"a head from 0 to {len(words)}" + in_sentence(sent_id)
            raise MalformedLine(path, word.line, expected, str(word.head))


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
