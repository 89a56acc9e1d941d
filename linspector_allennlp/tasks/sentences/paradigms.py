"""The inflected forms of lemmas, by their features."""

import unicodedata
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.sources.schema import (
    POS,
    Analysis,
    Schema,
    canonical_tags,
    elementary,
    split_tags,
)
from linspector_allennlp.sources.ud_features import UdTags, unimorph_tags
from linspector_allennlp.sources.unimorph import UniMorph, read_unimorph
from linspector_allennlp.treebanks import Word

VERB = "Verb"
FINITENESS, NONFINITE = "Finiteness", "Nonfinite"


class Reading(NamedTuple):
    """A form as one of a lemma."""

    form: str
    lemma: str
    analysis: Analysis

    @property
    def pos(self) -> str:
        return "/".join(self.analysis.values.get(POS, ()))

    def values(self, features: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The values of those of the features that it has; several of one are alternatives."""
        return {
            name: self.analysis.values[name] for name in features if name in self.analysis.values
        }

    def rest(self, features: Collection[str]) -> tuple:
        """All that it has but these features, to be compared."""
        others = {n: v for n, v in self.analysis.values.items() if n not in features}
        return tuple(sorted(others.items())), tuple(sorted(self.analysis.unknown))


class Paradigms:
    """
    The paradigms of a UniMorph file, or of the words of a treebank.

    # Parameters

    unimorph : `UniMorph`
        Forms of several words are left out.
    """

    def __init__(self, unimorph: UniMorph) -> None:
        self._rows = unimorph.single_words()
        self._form_numbers = {
            unicodedata.normalize("NFC", form): n for n, form in enumerate(self._rows.forms)
        }
        # All forms of a text are asked for, and those of a lemma ask for each other.
        self._known_lemmas: dict[str, list[Reading]] = {}
        self._citations: dict[str, set[str]] = {}

    @classmethod
    def read(cls, path: PathLike) -> "Paradigms":
        """Those of a UniMorph file."""
        return cls(read_unimorph(path))

    @classmethod
    def of_words(cls, words: Iterable[Word]) -> "Paradigms":
        """Those that the words of a treebank show, by their lemma, UPOS and features."""
        return cls(_unimorph_of(words))

    def readings(self, form: str) -> list[Reading]:
        """What a form can be; nothing for one that is not known."""
        number = self._form_numbers.get(unicodedata.normalize("NFC", form))
        if number is None:
            return []
        start, end = np.searchsorted(self._rows.form_of, [number, number + 1])
        return [self._reading(row) for row in range(start, end)]

    def forms_of(self, lemma: str) -> list[Reading]:
        """All forms of a lemma, whatever its part of speech."""
        if lemma not in self._known_lemmas:
            self._known_lemmas[lemma] = self._rows_of(lemma)
        return self._known_lemmas[lemma]

    def infinitives(self, lemma: str) -> list[str]:
        """The forms of a lemma that are marked as such."""
        return [
            reading.form
            for reading in self.forms_of(lemma)
            if NONFINITE in reading.analysis.values.get(FINITENESS, ())
        ]

    def is_citation_form(self, reading: Reading) -> bool:
        """Whether a form is written like its lemma, or like the infinitive of it."""
        lemma = reading.lemma
        if lemma not in self._citations:
            self._citations[lemma] = set(map(_folded, [lemma, *self.infinitives(lemma)]))
        return _folded(reading.form) in self._citations[lemma]

    def _rows_of(self, lemma: str) -> list[Reading]:
        number = self._lemma_numbers.get(lemma)
        if number is None:
            return []
        start, end = np.searchsorted(self._by_lemma[1], [number, number + 1])
        return [self._reading(row) for row in self._by_lemma[0][start:end]]

    @cached_property
    def _lemma_numbers(self) -> dict[str, int]:
        return {lemma: number for number, lemma in enumerate(self._rows.lemmas)}

    @cached_property
    def _by_lemma(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows sorted by lemma, and their lemmas."""
        order = np.argsort(self._rows.lemma_of, kind="stable")
        return order, self._rows.lemma_of[order]

    def _reading(self, row: int) -> Reading:
        rows = self._rows
        return Reading(
            rows.forms[rows.form_of[row]],
            rows.lemmas[rows.lemma_of[row]],
            rows.analyses[rows.analysis_of[row]],
        )


def _unimorph_of(words: Iterable[Word]) -> UniMorph:
    """Words as rows of UniMorph; UD features that it has no tag for are kept as unknown ones."""
    rows = sorted({(word.form, word.lemma, word.upos, word.feats) for word in words})
    keys = sorted({row[2:] for row in rows})
    tags = {key: _tags(*key) for key in keys}
    schema = Schema(elementary(tag for found in tags.values() for tag in found.tags))
    analyses = []
    for key in keys:
        read = schema.read(canonical_tags(tags[key].tags))
        analyses.append(read._replace(unknown=(*read.unknown, *tags[key].unknown)))
    columns = []
    texts = []
    for column in (0, 1):
        names = sorted({unicodedata.normalize("NFC", row[column]) for row in rows})
        number = {name: n for n, name in enumerate(names)}
        columns.append([number[unicodedata.normalize("NFC", row[column])] for row in rows])
        texts.append(names)
    number_of_key = {key: n for n, key in enumerate(keys)}
    columns.append([number_of_key[row[2:]] for row in rows])
    # Sorted by form.
    form_of, lemma_of, analysis_of = np.array(sorted(zip(*columns)), np.int32).reshape(-1, 3).T
    return UniMorph(texts[1], texts[0], analyses, lemma_of, form_of, analysis_of)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _tags(upos: str, feats: str) -> UdTags:
    if feats and "=" not in feats:
        return UdTags(split_tags(feats), ())
    return unimorph_tags(feats, upos)
