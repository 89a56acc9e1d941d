"""The first line of a table whose columns have names: our formats have none, and would read it as an item."""

import logging
from collections.abc import Sequence
from typing import Optional

from linspector_allennlp.io.lines import BadLines, MalformedLine
from linspector_allennlp.io.regular import PathLike

logger = logging.getLogger(__name__)

_TEXTS = {
    "form", "forms", "form1", "inflected form", "inflected_form", "lemma", "sentence", "sentence1",
    "sentences", "text", "token", "tokens", "word", "word1", "word form", "word_form", "wordform", "words",
}  # fmt: skip
_LABELS = {
    "category", "class", "count", "counts", "feats", "feature", "features", "freq", "frequency", "gold",
    "label", "labels", "pos", "pseudoword", "tag", "tags", "target", "upos", "xpos",
}  # fmt: skip


def check_no_header(
    path: PathLike, line: int, columns: Sequence[str], bad: Optional[BadLines] = None
) -> bool:
    """
    Refuses a line of names, as `form⇥label`, or counts it as bad; false where it did that. One name
    alone, as `word`, may be a word, and is warned of.
    """
    names = [column.strip(" #\ufeff\"'").casefold() for column in columns]
    if names[0] not in _TEXTS:
        return True
    shown = " | ".join(columns)
    if len(names) == 1:
        logger.warning(
            "%s, line %d: %r is read as an item. If it is the name of a column, take it out.",
            path, line, shown,
        )  # fmt: skip
    elif names[-1] in _LABELS:
        expected = "rows without a line of names above them"
        (bad or BadLines(skip=False)).add(
            MalformedLine(path, line, expected, f"{shown!r}, which names columns: take it out")
        )
        return False
    return True
