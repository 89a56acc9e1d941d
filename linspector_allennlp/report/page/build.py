"""The page of a study, or of anybody's table of scores."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator

from linspector_allennlp.analysis.tidy_scores import present
from linspector_allennlp.analysis.wording import count, num_tasks
from linspector_allennlp.report.page.model import Page, Part, Section, Words
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections.confusions import confusions
from linspector_allennlp.report.page.sections.controls import selectivity
from linspector_allennlp.report.page.sections.correlation import correlation
from linspector_allennlp.report.page.sections.curves import curves
from linspector_allennlp.report.page.sections.differences import differences
from linspector_allennlp.report.page.sections.groups import groups
from linspector_allennlp.report.page.sections.levels import levels
from linspector_allennlp.report.page.sections.numbers import labels_and_dimensions
from linspector_allennlp.report.page.sections.parser import probes_and_parsers
from linspector_allennlp.report.page.sections.provenance import provenance
from linspector_allennlp.report.page.sections.scores import bars, heat_maps, radar, score_tables
from linspector_allennlp.report.page.sections.stability import stability
from linspector_allennlp.report.page.sections.summary import summary
from linspector_allennlp.report.page.sections.tasks import tasks
from linspector_allennlp.report.page.sections.trees import trees
from linspector_allennlp.report.page.sections.words import new_words, unknown_words

logger = logging.getLogger(__name__)

UNFORESEEN: tuple[type[Exception], ...] = (
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    OSError,
)
"""Mistakes of ours, or files that nobody thought of: they cost a section, and not the page."""

SECTIONS: dict[str, tuple[str, Callable[[ReportData], Iterator[Part]]]] = {
    "summary": ("Summary", summary),
    "scores": ("Scores", score_tables),
    "bars": ("Scores and baselines", bars),
    "radar": ("Tasks of a representation", radar),
    "heat": ("Heat maps", heat_maps),
    "curves": ("Layers, sizes and settings", curves),
    "selectivity": ("Selectivity", selectivity),
    "levels": ("Types and tokens", levels),
    "parser": ("Probe and parser", probes_and_parsers),
    "numbers": ("Labels and dimensions", labels_and_dimensions),
    "differences": ("Differences", differences),
    "correlation": ("Correlations", correlation),
    "stability": ("Stability", stability),
    "confusions": ("Confusions", confusions),
    "trees": ("Trees", trees),
    "groups": ("Groups of words", groups),
    "unknown": ("Unknown words", unknown_words),
    "new": ("Words not in training", new_words),
    "tasks": ("Tasks and languages", tasks),
    "provenance": ("Provenance", provenance),
}


ALWAYS = ("summary", "scores", "provenance")
CANNOT = "What this table cannot show"


def build_page(data: ReportData) -> Page:
    """All sections; what an analysis cannot say, it says why."""
    sections = [
        Section(key, title, list(_parts(make, data))) for key, (title, make) in SECTIONS.items()
    ]
    page = Page(data.name, _subtitle(data), _with_empty_last(sections))
    _check_keys(page)
    return page


def _with_empty_last(sections: list[Section]) -> list[Section]:
    """What sections without a figure or a table say is one list, before the provenance."""
    kept = [each for each in sections if each.key in ALWAYS or not _is_empty(each)]
    sentences = [
        f"{each.title}: {sentence}"
        for each in sections
        if each not in kept
        for part in each.parts
        if isinstance(part, Words)
        for sentence in part.sentences
    ]
    if sentences:
        kept.insert(len(kept) - 1, Section("cannot", CANNOT, [Words(sentences)]))
    return kept


def _is_empty(section: Section) -> bool:
    return all(isinstance(part, Words) for part in section.parts)


def _check_keys(page: Page) -> None:
    """No two figures or tables are the same file."""
    keys = Counter(table.key for table in page.tables)
    if twice := [key for key, number in keys.items() if number > 1]:
        raise ValueError(f"Expected a name for each table, found {', '.join(twice)} several times.")


def _parts(make: Callable[[ReportData], Iterator[Part]], data: ReportData) -> Iterator[Part]:
    try:
        yield from make(data)
    except ValueError as error:
        yield Words([f"Not shown: {error}"])
    except UNFORESEEN as error:
        logger.exception("A section of the page could not be made.")
        yield Words(
            [
                "Not shown, or not all of it: here is a mistake of linspector_allennlp, or a damaged file "
                f"({type(error).__name__}: {error})."
            ]
        )


def _subtitle(data: ReportData) -> str:
    names = ("language", "representation", "run")
    parts = [count(data.table[name].dropna().unique(), name) for name in present(data.table, names)]
    tasks = [count(range(num_tasks(data.table)), "task")] if present(data.table, ["task"]) else []
    return ", ".join([*tasks, *parts])
