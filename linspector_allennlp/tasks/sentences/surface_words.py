"""Tokens as they are written: punctuation, and words."""

import unicodedata
from collections.abc import Iterable


def is_mark(character: str) -> bool:
    """Whether it is punctuation or a symbol."""
    return unicodedata.category(character)[0] in "PS"


def is_punctuation(token: str) -> bool:
    return all(map(is_mark, token))


def without_punctuation(tokens: Iterable[str]) -> list[str]:
    """The words, without the marks around them; those inside (`İsa'nın`) belong to the word."""
    return [bare for token in tokens if (bare := _bare(token))]


def _bare(token: str) -> str:
    start, end = 0, len(token)
    while start < end and is_mark(token[start]):
        start += 1
    while end > start and is_mark(token[end - 1]):
        end -= 1
    return token[start:end]


def number_of_letters(token: str) -> int:
    """How many letters a word has; 0 if there is anything else in it but signs on letters."""
    kinds = [unicodedata.category(character)[0] for character in token]
    return kinds.count("L") if set(kinds) <= {"L", "M"} else 0
