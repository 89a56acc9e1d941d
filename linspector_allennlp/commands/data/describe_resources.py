"""The part of `linspector probe-data describe` that is about raw resources: the study's Table 5."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from linspector_allennlp.commands.tables import percent, table
from linspector_allennlp.languages import find_language
from linspector_allennlp.sources.remote import treebank_files, unimorph_files
from linspector_allennlp.sources.unimorph import UniMorph, read_unimorph
from linspector_allennlp.tasks.resource_statistics import (
    ParadigmStatistics,
    TreebankStatistics,
    paradigm_statistics,
    treebank_statistics,
)
from linspector_allennlp.treebanks import TreebankCounts, read_treebank


class DescribedResources:
    """
    A language's raw resources.

    # Parameters

    unimorph, treebank : `Sequence[str]`, optional
        Files, each kind taken together.
    language : `str`, optional
        By default that whose name or code one of the files has.
    skip_bad_lines : `bool`, optional (default = `False`)
    """

    def __init__(
        self,
        unimorph: Optional[Sequence[str]] = None,
        treebank: Optional[Sequence[str]] = None,
        language: Optional[str] = None,
        skip_bad_lines: bool = False,
    ) -> None:
        self._unimorph, self._treebank = unimorph or (), treebank or ()
        sources = [*self._unimorph, *self._treebank]
        self._language = language or _language(sources)
        self._skips = skip_bad_lines
        self._texts: list[str] = []
        self._row: dict[str, Any] = {"language": self._language}
        if self._unimorph:
            self._describe_unimorph()
        if self._treebank:
            self._describe_treebank()

    def text(self) -> str:
        return "\n".join(self._texts)

    def row(self) -> dict[str, Any]:
        """That of `run_folders.resource_tables`."""
        return self._row

    def _describe_unimorph(self) -> None:
        paths = [file.path for source in self._unimorph for file in unimorph_files(source)]
        unimorph = read_unimorph(*paths, skip_bad_lines=self._skips)
        found = paradigm_statistics(unimorph)
        self._texts.append(_unimorph_text(self._unimorph, unimorph, found))
        self._row |= {
            "paradigms": found.paradigms,
            "rows": found.rows,
            "forms": found.forms,
            "word_classes": len(found.parts_of_speech),
            "ambiguity": f"{100 * found.ambiguity:.4g}",
        }

    def _describe_treebank(self) -> None:
        paths = [file.path for source in self._treebank for file in treebank_files(source)]
        counts = TreebankCounts()
        found = treebank_statistics(read_treebank(paths, counts, self._skips), counts)
        self._texts.append(_treebank_text(self._treebank, found))
        self._row |= {
            "sentences": found.sentences,
            "tokens": found.tokens,
            "vocabulary": found.vocabulary,
            "ambiguity_of_sets": f"{100 * found.ambiguity:.4g}",
            "ambiguity_as_printed": f"{100 * found.printed_ambiguity:.4g}",
        }


def _unimorph_text(sources: Sequence[str], unimorph: UniMorph, found: ParadigmStatistics) -> str:
    """Paradigms, forms, word classes and ambiguity of UniMorph files taken together."""
    lines = [
        f"{', '.join(sources)}: {found.paradigms:,} paradigms, {found.rows:,} rows, "
        f"{found.forms:,} forms ({found.forms_of_several_words:,} of several words).",
        f"Word classes: {', '.join(found.parts_of_speech)}.",
        f"Ambiguous: {percent(found.ambiguity)} % of the forms, on average over the features.",
    ]
    unknown = unimorph.counts["unknown_tags"]
    if unknown:
        tags = ", ".join(f"{tag} ({number:,})" for tag, number in unknown.items())
        lines.append(f"Tags that the schema does not have: {tags}.")
    rows = [
        [feature.feature, str(feature.values), f"{feature.forms:,}", percent(feature.ambiguity)]
        for feature in found.features
    ]
    header = ["feature", "values", "forms with one value", "ambiguous (%)"]
    return "\n".join([*lines, "", table([header, *rows])])


def _treebank_text(sources: Sequence[str], found: TreebankStatistics) -> str:
    """Sentences, tokens, vocabulary and ambiguity of the files of a treebank."""
    line = (
        f"{', '.join(sources)}: {found.sentences:,} sentences, {found.tokens:,} tokens, "
        f"{found.tokens / found.sentences:.2f} a sentence, {found.vocabulary:,} forms "
        f"({found.tokens / found.vocabulary:.2f} tokens each)."
    )
    rows = [
        ["forms with more than one", "ambiguous (%)"],
        ["set of tags", percent(found.ambiguity)],
        ["string of tags as printed (Table 5)", percent(found.printed_ambiguity)],
    ]
    return "\n".join([line, "", table(rows)])


def _language(sources: Sequence[str]) -> str:
    """By the beginning of a file's name, as `tur` or `tr_imst-ud-train.conllu`."""
    stems = [re.split("[-_.]", Path(source).name)[0] for source in sources]
    found = [language for stem in stems if (language := find_language(stem))]
    return found[0].name if found else stems[0]
