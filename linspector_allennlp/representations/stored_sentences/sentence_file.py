"""The sentences that precomputed vectors belong to, in the order of the vectors."""

import io
import re
from collections.abc import Iterator

from conllu import parse_incr
from conllu.exceptions import ParseException

from linspector_allennlp.io.files import PathLike, open_bytes
from linspector_allennlp.io.lines import BYTE_ORDER_MARK, MalformedLine
from linspector_allennlp.representations.word_embedder import Sentence

WHITESPACE = re.compile(r"\s+")


def read_sentences(path: PathLike, is_conllu: bool) -> Iterator[Sentence]:
    """
    The sentences of a file, plain or compressed by gzip.

    # Parameters

    is_conllu : `bool`
        Whether it is a treebank: then the words with a whole number for an id are taken, and
        white space in a word is made `_`, as in the tasks that come from treebanks. Otherwise
        there is a sentence a line, its tokens separated by spaces.
    """
    return _read_treebank(path) if is_conllu else _read_lines(path)


def _read_lines(path: PathLike) -> Iterator[Sentence]:
    blank = 0
    with open_bytes(path) as file:
        for number, raw in enumerate(file, start=1):
            if number == 1 and raw.startswith(BYTE_ORDER_MARK):
                raw = raw[len(BYTE_ORDER_MARK) :]
            try:
                # Not at all white space: a token may have a no-break space in it.
                tokens = raw.decode("utf-8").rstrip("\r\n").split(" ")
            except UnicodeDecodeError as error:
                raise MalformedLine(path, number, "UTF-8 text", str(error)) from error
            sentence = tuple(token for token in tokens if token)
            if not sentence:
                blank = blank or number
            elif blank:
                raise MalformedLine(path, blank, "a sentence", "a blank line")
            else:
                yield sentence


def _read_treebank(path: PathLike) -> Iterator[Sentence]:
    finished = 0
    with open_bytes(path) as file, io.TextIOWrapper(file, encoding="utf-8-sig") as text:
        try:
            for words in parse_incr(text):
                forms = [word["form"].strip() for word in words if isinstance(word["id"], int)]
                if not forms or not all(forms):
                    raise ParseException("a sentence or a word of it is empty")
                yield tuple(WHITESPACE.sub("_", form) for form in forms)
                finished += 1
        except (ParseException, UnicodeDecodeError) as error:
            raise ValueError(
                f"{path}, sentence {finished + 1}: expected CoNLL-U, found what is not: {error}"
            ) from error
