"""The lines of a word list as it is found: perhaps compressed, perhaps with broken lines."""

from collections.abc import Iterator
from typing import Optional

from linspector_allennlp.formats import BYTE_ORDER_MARK, MalformedLine
from linspector_allennlp.io.bad_lines import BadLines
from linspector_allennlp.io.files import PathLike, open_bytes


def text_lines(path: PathLike, bad: BadLines) -> Iterator[tuple[int, str]]:
    """
    Numbered lines without their ends, one at a time. A byte-order mark, Windows line ends and
    blank lines at the end are no error; a blank line before other lines is.

    # Parameters

    path : `PathLike`
        A UTF-8 file, plain or compressed by gzip.
    bad : `BadLines`
        What to do with a line that is not text.
    """
    blank: Optional[int] = None
    with open_bytes(path) as file:
        for number, raw in enumerate(file, start=1):
            if number == 1 and raw.startswith(BYTE_ORDER_MARK):
                raw = raw[len(BYTE_ORDER_MARK) :]
            if not raw.strip():
                blank = blank or number
                continue
            if blank is not None:
                bad.add(MalformedLine(path, blank, "a word", "a blank line"))
                blank = None
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                bad.add(MalformedLine(path, number, "UTF-8 text", str(error)))
                continue
            yield number, text.rstrip("\r\n")
