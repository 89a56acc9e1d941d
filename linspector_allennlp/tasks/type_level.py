"""What all type-level tasks of a language draw from, and how."""

import unicodedata
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, Optional

import numpy as np

from linspector_allennlp.sources.unimorph import UniMorph
from linspector_allennlp.tasks.sampling import stable_hashes


class DrawSettings(NamedTuple):
    """
    How a task is drawn; the defaults are the study's.

    # Parameters

    size : `int`
        Instances of a task, over all splits.
    seed : `int`
        Another seed gives another sample.
    none_ratio : `float`
        The share of the class `None` in a morphological task.
    frequent_ratio : `float`
        The share of forms that are in the frequency list.
    rare_pair_ratio : `float`
        The share of the pairs with a rare form that are kept.
    min_label_count : `int`
        A label with fewer instances is left out.
    split_by : `str`
        `form`: any form goes to any split; `lemma`: all forms of a lemma go to one split.
    """

    size: int = 10_000
    seed: int = 0
    none_ratio: float = 0.3
    frequent_ratio: float = 0.8
    rare_pair_ratio: float = 0.2
    min_label_count: int = 5
    split_by: str = "form"


class WordForms:
    """
    The forms of a language: their analyses, a stable hash of each, and which are frequent.

    # Parameters

    unimorph : `UniMorph`
        Without forms of several words.
    is_frequent : `Callable[[str], bool]`, optional
        Tells frequent from rare forms. Without it there is no such difference.
    """

    def __init__(
        self, unimorph: UniMorph, is_frequent: Optional[Callable[[str], bool]] = None
    ) -> None:
        self.unimorph = unimorph
        self.frequent: Optional[np.ndarray] = None
        if is_frequent is not None:
            self.frequent = np.fromiter(map(is_frequent, unimorph.forms), dtype=bool)

    @cached_property
    def hashes(self) -> np.ndarray:
        """A hash of each form that does not depend on its Unicode composition."""
        return stable_hashes(unicodedata.normalize("NFC", form) for form in self.unimorph.forms)

    @cached_property
    def lemma_hashes(self) -> np.ndarray:
        return stable_hashes(unicodedata.normalize("NFC", text) for text in self.unimorph.lemmas)

    @cached_property
    def has_one_analysis(self) -> np.ndarray:
        """Which forms have the same tags in all their rows."""
        return self._same_in_all_rows(self.unimorph.analysis_of)

    @cached_property
    def has_one_lemma(self) -> np.ndarray:
        """Which forms belong to a single lemma."""
        return self._same_in_all_rows(self.unimorph.lemma_of)

    @cached_property
    def first_lemma(self) -> np.ndarray:
        """A lemma of each form, the only one where `has_one_lemma`."""
        return self.unimorph.lemma_of[self.unimorph.form_starts]

    def _same_in_all_rows(self, values: np.ndarray) -> np.ndarray:
        starts = self.unimorph.form_starts
        return np.minimum.reduceat(values, starts) == np.maximum.reduceat(values, starts)
