"""Raw text to tokens: words, and punctuation marks on their own."""

import re
import sys
import unicodedata

# Vowel signs, accents and joiners belong to the word that they stand in, though Python's \w has not all of them.
_SIGNS = "".join(
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) in ("Mn", "Mc", "Me")
    or character in "\u00ad\u200b\u200c\u200d\u2060"
)
# What cannot be seen at all: alone it is no token, and most models know nothing of it.
_INVISIBLE = "".join(
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) in ("Cc", "Cf")
)
_WORD = rf"[\w{re.escape(_SIGNS)}]+"

# An apostrophe, a hyphen or a number's point or comma inside a word does not end it: İsa'nın, well-known, 3.14.
TOKEN = re.compile(rf"{_WORD}(?:['’\-.,]{_WORD})*|[^\w\s]")
# But a point or comma between letters does: "end.Begin" is three tokens.
BETWEEN_LETTERS = re.compile(r"(?<=[^\W\d_])([.,])(?=[^\W\d_])")


def words_and_punctuation(text: str) -> list[str]:
    """
    The words and punctuation marks of a text in any language that puts spaces between words. Characters
    that cannot be seen are kept inside words, and are no tokens of their own.
    """
    tokens = TOKEN.findall(BETWEEN_LETTERS.sub(r" \1 ", text))
    return [token for token in tokens if token.strip(_INVISIBLE)]
