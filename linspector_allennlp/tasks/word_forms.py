"""The word forms of a language, from which its type-level tasks are drawn, and the settings of drawing."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Optional

import numpy as np
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.sources.schema import dimensions, value_names
from linspector_allennlp.sources.unimorph import UniMorph
from linspector_allennlp.tasks.sampling import draw_keys, mixed_hashes, stable_hashes
from linspector_allennlp.tasks.splits import check_size, split_of_groups

SPLIT_BY = ("form", "lemma")
ALTERNATIVES = ("ambiguous", "label")
BY_FEATURE, BY_ANALYSIS = AMBIGUITY = ("feature", "analysis")
EVEN, AS_PUBLISHED = PAIRS = ("even", "as-published")


class TypeLevelSettings(NamedTuple):
    """
    The settings of type-level tasks, as their manifests have them; the defaults are the study's.

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
    alternatives : `str`
        What `NOM/ACC` is: `ambiguous` between two values, or a `label` of its own.
    graphemes : `bool`
        Whether CharacterBin counts graphemes instead of code points.
    left_out : `Sequence[str]`, optional
        Features that SameFeat does not compare; by default `shared_by_all`.
    values : `Mapping[str, Sequence[str]]`, optional
        For a feature the values that its task has (`{"Voice": ["Active", "Passive"]}`); forms with
        other values leave the task. By default all values.
    ambiguity : `str`, optional
        The forms that are left out: those ambiguous for the `feature` of the task, or those with
        more than one `analysis`. By default the latter in POS, TagCount and CharacterBin, the former in
        the other tasks.
    pairs : `str`
        The pairs of OddFeat and SameFeat: labels as `even` as the data allow, each pair with one label
        only; or `as-published`, see the module `published_pairs`.
    """

    size: int = 10_000
    seed: int = 0
    none_ratio: float = 0.3
    frequent_ratio: float = 0.8
    rare_pair_ratio: float = 0.2
    min_label_count: int = 5
    split_by: str = "form"
    alternatives: str = "ambiguous"
    graphemes: bool = False
    left_out: Optional[Sequence[str]] = None
    values: Optional[Mapping[str, Sequence[str]]] = None
    ambiguity: Optional[str] = None
    pairs: str = EVEN

    def check(self) -> None:
        """Raises `ConfigurationError` at a setting that makes no sense."""
        check_size(self.size)
        a_share = "a share from 0 to 1"
        expected = {
            "none_ratio": (0 <= self.none_ratio <= 1, a_share),
            "frequent_ratio": (0 <= self.frequent_ratio <= 1, a_share),
            "rare_pair_ratio": (0 <= self.rare_pair_ratio <= 1, a_share),
            "min_label_count": (self.min_label_count >= 1, "1 or more"),
            "split_by": (self.split_by in SPLIT_BY, f"one of {SPLIT_BY}"),
            "alternatives": (self.alternatives in ALTERNATIVES, f"one of {ALTERNATIVES}"),
            "left_out": ({*(self.left_out or ())} <= {*dimensions()}, f"some of {dimensions()}"),
            "values": ({*(self.values or ())} <= {*dimensions()}, f"features of {dimensions()}"),
            "ambiguity": (self.ambiguity in (None, *AMBIGUITY), f"one of {AMBIGUITY}"),
            "pairs": (self.pairs in PAIRS, f"one of {PAIRS}"),
        }
        for name, (is_right, what) in expected.items():
            if not is_right:
                raise ConfigurationError(f"{name}: expected {what}, found {getattr(self, name)!r}.")
        for feature, values in (self.values or {}).items():
            known = value_names(feature)
            for value in values:
                # Alternatives, and parts of one value, are in the schema one by one.
                if not {*re.split("[/+]", value)} <= known:
                    raise ConfigurationError(
                        f"values: {feature} has no value {value!r}, only {', '.join(sorted(known))}."
                    )
            if len({*values}) < 2:
                raise ConfigurationError(
                    f"values: a task needs two values of {feature} or more, found {[*values]}."
                )


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

    def split_of_rows(self, settings: TypeLevelSettings) -> Optional[np.ndarray]:
        """
        The split of each row where pairs are to stay within one: that of its lemma. A form of two lemmas
        would be in the splits of both, so its rows are in none, −1. `None` if a pair may be in any split.
        """
        if settings.split_by != "lemma":
            return None
        unimorph = self.unimorph
        sizes = np.bincount(unimorph.lemma_of, minlength=len(unimorph.lemmas))
        keys = draw_keys(self.lemma_hashes, settings.seed, "split of lemmas")
        split = split_of_groups(sizes, keys)[unimorph.lemma_of]
        # Shape: (rows,)
        return np.where(self.has_one_lemma[unimorph.form_of], split, -1)

    def sampled_apart(self, settings: TypeLevelSettings) -> list[tuple[np.ndarray, "WordForms"]]:
        """The parts among which no pairs are sampled, each with the numbers of its rows here."""
        return [(np.arange(len(self.unimorph.form_of)), self)]

    def may_be_paired(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Which pairs of rows may be items: two forms."""
        return self.unimorph.form_of[first] != self.unimorph.form_of[second]

    @cached_property
    def hashes(self) -> np.ndarray:
        """A hash of each form that does not depend on its Unicode composition."""
        return stable_hashes(unicodedata.normalize("NFC", form) for form in self.unimorph.forms)

    @cached_property
    def lemma_hashes(self) -> np.ndarray:
        return stable_hashes(unicodedata.normalize("NFC", text) for text in self.unimorph.lemmas)

    @cached_property
    def row_hashes(self) -> np.ndarray:
        """A hash of each row (form, lemma and tags), the same wherever it stands in the file."""
        unimorph = self.unimorph
        analyses = stable_hashes(";".join(analysis.tags) for analysis in unimorph.analyses)
        # Shape: (rows,)
        return mixed_hashes(
            self.hashes[unimorph.form_of],
            self.lemma_hashes[unimorph.lemma_of],
            analyses[unimorph.analysis_of],
        )

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
