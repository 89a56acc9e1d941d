"""Raw text to tokens: words, and punctuation marks on their own."""

import re

# An apostrophe, a hyphen or a number's point or comma inside a word does not end it: İsa'nın, well-known, 3.14.
TOKEN = re.compile(r"\w+(?:['’\-.,]\w+)*|[^\w\s]")
# But a point or comma between letters does: "end.Begin" is three tokens.
BETWEEN_LETTERS = re.compile(r"(?<=[^\W\d_])([.,])(?=[^\W\d_])")


def words_and_punctuation(text: str) -> list[str]:
    """The words and punctuation marks of a text in any language that puts spaces between words."""
    return TOKEN.findall(BETWEEN_LETTERS.sub(r" \1 ", text))
