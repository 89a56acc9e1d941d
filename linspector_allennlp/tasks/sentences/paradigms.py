"""The inflected forms of lemmas, by their features."""


class Paradigms:
    """The paradigms of a UniMorph file."""
