"""
UniMorph files as they are found: `lemma⇥form⇥TAG;TAG;…`, with blank lines, further columns
(segmentations), alternatives, unknown tags, forms of several words and repeated rows.

A language has up to millions of rows but few distinct tag bundles, so rows are kept as columns of
numbers: everything that is asked of a row is worked out once a bundle.
"""

import itertools
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from linspector_allennlp.io.files import PathLike
from linspector_allennlp.io.header_lines import check_no_header
from linspector_allennlp.io.lines import BadLines, MalformedLine, numbered_lines
from linspector_allennlp.io.visible import is_invisible
from linspector_allennlp.sources.schema import Analysis, Schema, elementary, split_tags

COLUMNS = "at least 3 tab-separated columns (lemma, form, tags)"


@dataclass(frozen=True)
class UniMorph:
    """
    The rows of a UniMorph file, each once, sorted by form. Row i says that form `form_of[i]` can
    be analysed as `analysis_of[i]` of lemma `lemma_of[i]`.

    Forms that are the same but for their Unicode composition are one form, written as one of them
    is: two spellings of a word must not be in train and in test.
    """

    lemmas: list[str]
    forms: list[str]
    analyses: list[Analysis]
    lemma_of: np.ndarray
    form_of: np.ndarray
    analysis_of: np.ndarray
    counts: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def form_starts(self) -> np.ndarray:
        """The first row of each form."""
        # Shape: (forms,)
        return np.searchsorted(self.form_of, np.arange(len(self.forms)))

    def single_words(self) -> "UniMorph":
        """Without the forms of several words."""
        keep = np.fromiter((len(form.split()) == 1 for form in self.forms), dtype=bool)
        number = np.cumsum(keep) - 1
        rows = keep[self.form_of]
        return UniMorph(
            self.lemmas,
            [form for form, wanted in zip(self.forms, keep.tolist()) if wanted],
            self.analyses,
            self.lemma_of[rows],
            number[self.form_of[rows]].astype(np.int32),
            self.analysis_of[rows],
            {**self.counts, "forms_of_several_words": int((~keep).sum())},
        )


def read_unimorph(*paths: PathLike, skip_bad_lines: bool = False) -> UniMorph:
    """
    Reads the UniMorph files of a language.

    # Parameters

    paths : `PathLike`
        The files, usually one.
    skip_bad_lines : `bool`, optional (default = `False`)
        Count the lines that are not UniMorph, and go on; the default is to stop at the first.

    # Returns

    `UniMorph`
    """
    bad = BadLines(skip_bad_lines)
    lemmas, forms, bundles = _Numbers(), _Numbers(), _Numbers()
    lemma_of, form_of, bundle_of = array("i"), array("i"), array("i")
    for lemma, form, tags in itertools.chain.from_iterable(_rows(path, bad) for path in paths):
        lemma_of.append(lemmas.number_of(lemma))
        form_of.append(forms.number_of(form))
        bundle_of.append(bundles.number_of(tags))
    if not forms.texts:
        raise ValueError(f"{paths[-1]} has no rows: expected lines with {COLUMNS}.")
    tags_of = [split_tags(bundle) for bundle in bundles.texts]
    schema = Schema(elementary(tag for tags in tags_of for tag in tags))
    analyses, analysis_of_bundle = _distinct([schema.read(tags) for tags in tags_of])
    rows_of_bundle = np.bincount(np.asarray(bundle_of), minlength=len(tags_of))
    unknown: Counter = Counter()
    for number, rows in enumerate(rows_of_bundle.tolist()):
        for tag in analyses[analysis_of_bundle[number]].unknown:
            unknown[tag] += rows
    # Sorted by form, so that what is asked of a form is asked of neighbouring rows.
    rows = np.stack(
        [np.asarray(form_of), np.asarray(lemma_of), analysis_of_bundle[np.asarray(bundle_of)]]
    )
    rows = _distinct_columns(rows)
    counts = {
        "rows": len(form_of),
        "repeated_rows": len(form_of) - rows.shape[1],
        "bad_lines": bad.number,
        "lemmas": len(lemmas.texts),
        "forms": len(forms.texts),
        "decomposed_forms": sum(not unicodedata.is_normalized("NFC", t) for t in forms.texts),
        "unknown_tags": dict(sorted(unknown.items(), key=lambda item: (-item[1], item[0]))),
    }
    return UniMorph(lemmas.texts, forms.texts, analyses, rows[1], rows[0], rows[2], counts)


class _Numbers:
    """Numbers texts in the order in which they come; composed and decomposed text is the same."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number_of(self, text: str) -> int:
        key = text if text.isascii() else unicodedata.normalize("NFC", text)
        number = self._numbers.setdefault(key, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        elif text < self.texts[number]:
            self.texts[number] = text
        return number


def _rows(path: PathLike, bad: BadLines) -> Iterator[tuple[str, str, str]]:
    for number, text in numbered_lines(path, bad=bad, must_end=True, progress=True):
        columns = [column.strip() for column in text.split("\t")]
        if len(columns) < 3:
            bad.add(MalformedLine(path, number, COLUMNS, f"{len(columns)}: {columns}"))
        elif not all(columns[:3]):
            bad.add(MalformedLine(path, number, COLUMNS, f"an empty one: {columns[:3]}"))
        elif number == 1 and not check_no_header(path, number, columns[:3], bad):
            continue
        elif "\ufeff" in text:
            bad.add(MalformedLine(path, number, "text without U+FEFF", repr(columns[:3])))
        elif any(map(is_invisible, columns[:3])):
            bad.add(MalformedLine(path, number, "text that can be seen", ascii(columns[:3])))
        elif not split_tags(columns[2]):
            bad.add(MalformedLine(path, number, "tags in column 3", repr(columns[2])))
        else:
            yield columns[0], columns[1], columns[2]


def _distinct(analyses: list[Analysis]) -> tuple[list[Analysis], np.ndarray]:
    """Each set of tags once, however it was ordered, and which one each bundle is."""
    numbers: dict[tuple[str, ...], int] = {}
    distinct: list[Analysis] = []
    for analysis in analyses:
        if numbers.setdefault(analysis.tags, len(numbers)) == len(distinct):
            distinct.append(analysis)
    return distinct, np.array([numbers[analysis.tags] for analysis in analyses], np.int32)


def _distinct_columns(columns: np.ndarray) -> np.ndarray:
    """Each column once, sorted by the first row, then the second, then the third."""
    columns = columns[:, np.lexsort(columns[::-1])]
    new = np.ones(columns.shape[1], dtype=bool)
    new[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    return columns[:, new]
