"""Raw text to tokens: words, and punctuation marks on their own."""

import re
import sys
import unicodedata
from functools import cache

# A point or comma between letters ends a word: "end.Begin" is three tokens.
BETWEEN_LETTERS = re.compile(r"(?<=[^\W\d_])([.,])(?=[^\W\d_])")


def words_and_punctuation(text: str) -> list[str]:
    """
    The words and punctuation marks of a text in any language that puts spaces between words. Characters
    that cannot be seen are kept inside words, and are no tokens of their own.
    """
    token, invisible = _classes()
    found = token.findall(BETWEEN_LETTERS.sub(r" \1 ", text))
    return [one for one in found if one.strip(invisible)]


@cache
def _classes() -> tuple[re.Pattern[str], str]:
    """What a token is, and the characters that cannot be seen; all of Unicode is gone through once."""
    signs, invisible = [], []
    for character in map(chr, range(sys.maxunicode + 1)):
        category = unicodedata.category(character)
        # Vowel signs, accents and joiners belong to their word, though \w has not all of them.
        if category in ("Mn", "Mc", "Me") or character in "\u00ad\u200b\u200c\u200d\u2060":
            signs.append(character)
        if category in ("Cc", "Cf"):
            invisible.append(character)
    word = rf"[\w{re.escape(''.join(signs))}]+"
    # An apostrophe, a hyphen or a number's point or comma does not end a word: well-known, 3.14.
    return re.compile(rf"{word}(?:['’\-.,]{word})*|[^\w\s]"), "".join(invisible)
