"""The page of a study, or of anybody's table of scores."""

from collections import Counter
from collections.abc import Callable, Iterator

from linspector_allennlp.analysis.wording import count
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


def build_page(data: ReportData) -> Page:
    """All sections; what an analysis cannot say, it says why."""
    sections = [
        Section(key, title, list(_parts(make, data))) for key, (title, make) in SECTIONS.items()
    ]
    page = Page(data.name, _subtitle(data), sections)
    _check_keys(page)
    return page


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


def _subtitle(data: ReportData) -> str:
    names = {
        "task": "task",
        "language": "language",
        "representation": "representation",
        "run": "run",
    }
    parts = [
        count(data.table[column].dropna().unique(), name)
        for column, name in names.items()
        if column in data.table and data.table[column].notna().any()
    ]
    return ", ".join(parts)
