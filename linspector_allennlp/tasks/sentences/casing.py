"""Capital and small letters, as a language has them."""

from linspector_allennlp.languages import Language
from linspector_allennlp.sources import frequencies

# In these languages the capital of i has a dot, and I is the capital of the i without one.
DOTTED = ("tr", "az")


def lowered(token: str, language: Language) -> str:
    """In small letters."""
    return frequencies.lowered(token, language.code)


def lower_first(token: str, language: Language) -> str:
    """With a small first letter."""
    return lowered(token[:1], language) + token[1:]


def upper_first(token: str, language: Language) -> str:
    """With a capital first letter."""
    if language.code in DOTTED and token.startswith("i"):
        return "İ" + token[1:]
    return token[:1].upper() + token[1:]


def capital_first(token: str) -> bool:
    return token[:1] != token[:1].lower()
