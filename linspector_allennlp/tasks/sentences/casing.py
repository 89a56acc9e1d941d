"""Capital and small first letters, as a language has them."""

from linspector_allennlp.languages import Language

# In these languages the capital of i has a dot, and I is the capital of the i without one.
DOTTED = {"tr", "az"}


def lower_first(token: str, language: Language) -> str:
    """The token with a small first letter."""
    first = token[:1]
    if language.iso1 in DOTTED and first in "Iİ":
        return {"I": "ı", "İ": "i", "": ""}[first] + token[1:]
    return first.lower() + token[1:]


def upper_first(token: str, language: Language) -> str:
    """The token with a capital first letter."""
    if language.iso1 in DOTTED and token[:1] == "i":
        return "İ" + token[1:]
    return token[:1].upper() + token[1:]


def capital_first(token: str) -> bool:
    return token[:1] != token[:1].lower()
