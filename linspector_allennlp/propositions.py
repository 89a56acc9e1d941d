"""
Predicates and their arguments, one sentence at a time, as CoNLL-2009 has them: a word a line, in columns

    ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED1 APRED2 …

FILLPRED is Y for a predicate, PRED its sense (`ostaa.01`). The n-th APRED column has the roles that words
have for the n-th predicate. Every sentence, the last one too, is followed by a blank line.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Optional

from linspector_allennlp.io.conllu_rows import Block, check_visible, conllu_blocks
from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.lines import MalformedLine, decoded, whole_number

COLUMNS = 14
"""Those before the APREDs."""

NOTHING = ("_", "-")
"""An empty PRED or APRED; the Chinese data of the shared task have dashes."""


class Proposition(NamedTuple):
    """
    A predicate and its arguments.

    # Parameters

    predicate : `int`
        Its place in the sentence, from 0.
    sense : `str`, optional
        As in the column PRED, `ostaa.01`.
    roles : `Sequence[str]`
        For each word of the sentence its role, or one of `NOTHING`. A word with several roles has them
        with a bar between them, `A0|A2`.
    """

    predicate: int
    sense: Optional[str]
    roles: Sequence[str]


class RoleWord(NamedTuple):
    """A word; the columns are those with the gold annotation, the head is `None` where there is none."""

    line: int
    form: str
    lemma: str
    pos: str
    head: Optional[int]
    deprel: str


class RoleSentence(NamedTuple):
    """A sentence; `number` is its place in the file, from 0."""

    number: int
    words: list[RoleWord]
    propositions: list[Proposition]


def read_propositions(path: PathLike) -> Iterator[RoleSentence]:
    """The sentences of a file in the format of CoNLL-2009, also those without predicates."""
    for number, block in enumerate(conllu_blocks(path, closed=True)):
        yield _sentence(path, number, block)


def _sentence(path: PathLike, number: int, block: Block) -> RoleSentence:
    lines = [line for line, _ in block]
    rows = [decoded(path, line, raw).split("\t") for line, raw in block]
    num_predicates = sum(row[12] == "Y" for row in rows if len(row) > 12)
    width = COLUMNS + num_predicates
    for line, row in zip(lines, rows):
        if len(row) != width:
            expected = (
                f"{width} tab-separated columns, {COLUMNS} and {num_predicates} for predicates"
            )
            raise MalformedLine(path, line, expected, str(len(row)))
    words = [
        _word(path, line, row, place, len(rows))
        for place, (line, row) in enumerate(zip(lines, rows), 1)
    ]
    predicates = [place for place, row in enumerate(rows) if row[12] == "Y"]
    propositions = [
        Proposition(place, rows[place][13], [row[COLUMNS + column] for row in rows])
        for column, place in enumerate(predicates)
    ]
    return RoleSentence(number, words, propositions)


def _word(path: PathLike, line: int, row: Sequence[str], place: int, length: int) -> RoleWord:
    """The word in this place, from 1."""
    if row[0] != str(place):
        raise MalformedLine(path, line, f"word {place}", f"the ID {row[0]!r}")
    if not row[1].strip():
        raise MalformedLine(path, line, "a form", repr(row[1]))
    check_visible(path, line, row[1])
    if row[12] not in ("Y", "_", "-"):
        raise MalformedLine(path, line, "Y or _ as FILLPRED", repr(row[12]))
    if (row[12] == "Y") == (row[13] in NOTHING):
        expected = "a sense as PRED where FILLPRED is Y, and none elsewhere"
        raise MalformedLine(path, line, expected, f"{row[12]} and {row[13]}")
    for number, value in enumerate(row, 1):
        if not all(part.strip() for part in (value.split("|") if number > COLUMNS else [value])):
            raise MalformedLine(
                path, line, "text, or _, in every column", f"{value!r} in column {number}"
            )
    head = None if row[8] in NOTHING else _head(path, line, row[8], length)
    return RoleWord(line, row[1], row[2], row[4], head, row[10])


def _head(path: PathLike, line: int, text: str, length: int) -> int:
    head = whole_number(text)
    if head is None or head > length:
        raise MalformedLine(path, line, f"a HEAD from 0 to {length}", repr(text))
    return head
