"""What of a text can be seen. Names, labels and words may be a stranger's, and mean only themselves."""

import logging
import re
import unicodedata

# Control characters, marks that turn the direction of text, ends of lines, halves of characters.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

# Letters and symbols that are blank all the same, and marks that choose between shapes.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]")


def visible(text: str, keep: str = "") -> str:
    """
    Text without what a terminal would obey: names and labels may be a stranger's. `keep` are such characters
    that are meant.
    """
    return UNSEEN.sub(lambda found: found[0] if found[0] in keep else "�", text)


def is_invisible(text: str) -> bool:
    """Whether nothing of it can be seen: it is of white space, and of characters without a shape."""
    if text.isascii() and text.isprintable():
        return not text.strip()
    return all(
        unicodedata.category(character) in ("Cc", "Cf", "Zs", "Zl", "Zp") or _BLANK.match(character)
        for character in text
    )


def as_seen(text: str) -> str:
    """
    The same for texts that look the same: those that differ by white space, by Unicode normalisation (NFC),
    or by characters without a shape.
    """
    shown = (" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))
    kept = (c for c in shown if c == " " or not is_invisible(c))
    return " ".join("".join(kept).split())


class VisibleRecord(logging.LogRecord):
    """A record of the log whose text is `visible`."""

    def getMessage(self) -> str:
        return visible(super().getMessage(), keep="\n\t")
