"""CharacterBin: how long an unambiguous form is, in six bins."""

from bisect import bisect_left

import numpy as np

from linspector_allennlp.tasks.labelled_forms import LabelledForms, unambiguous_only
from linspector_allennlp.tasks.type_level import WordForms

# The longest form of bins 1 to 5; what is longer is in bin 6.
LONGEST = (4, 8, 12, 16, 20)
LABELS = tuple(str(number) for number in range(1, len(LONGEST) + 2))


def character_bin(form: str, graphemes: bool = False) -> str:
    """
    The bin of a form.

    # Parameters

    graphemes : `bool`, optional (default = `False`)
        Count what a reader sees as one character (a letter with its combining marks) instead of
        code points, which is what the released labels count.
    """
    return LABELS[bisect_left(LONGEST, number_of_characters(form, graphemes))]


def number_of_characters(form: str, graphemes: bool) -> int:
    if not graphemes or form.isascii():
        return len(form)
    import regex

    return len(regex.findall(r"\X", form))


def character_bin_labels(words: WordForms, graphemes: bool = False) -> LabelledForms:
    """Labels the forms that have one analysis with the bin of their length."""
    bins = [int(character_bin(form, graphemes)) - 1 for form in words.unimorph.forms]
    return unambiguous_only(words, LabelledForms(LABELS, np.array(bins, dtype=np.int32)))
