"""What a page of results says, whatever it is written as: sections of words, figures and tables."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Optional, Union

FACETS = ("language", "level", "task", "representation", "probe")
"""What a reader can choose from."""

Facets = Mapping[str, Any]
"""By a name of `FACETS` what something is of, or for each of its points; what it does not name is of all."""


MARKS = {1: ("*", "bold (*)"), 2: ("°", "underlined (°)")}
"""Of places, what stands behind the number in a terminal, and what that is called."""


class TableColumn(NamedTuple):
    """
    # Parameters

    name : `str`
        That of the analysis; one of `FACETS` can be chosen from.
    form : `str`
        One of `cells.FORMS`.
    """

    name: str
    title: str
    form: str


class PageTable(NamedTuple):
    """
    # Parameters

    key : `str`
        What its files are called, and its part of a link.
    title : `str`
    columns : `Sequence[TableColumn]`
    rows : `Sequence[Sequence[Any]]`
        Text, numbers and truth values; `None` where there is nothing.
    marks : `Mapping[Tuple[int, int], int]`, optional
        By row and column a place of `MARKS`.
    """

    key: str
    title: str
    columns: Sequence[TableColumn]
    rows: Sequence[Sequence[Any]]
    marks: Mapping[tuple[int, int], int] = {}


class Series(NamedTuple):
    """
    Points of one name.

    # Parameters

    name : `str`
    x, y : `Sequence[Any]`
        Numbers, of x also names; no number where there is none.
    style : `int`
        Which colour and symbol; the same thing has the same everywhere.
    low, high : `Sequence[Optional[float]]`, optional (default = `()`)
        The ends of the interval of each y.
    is_bound : `bool`, optional (default = `False`)
        Whether this is no result, but what results are compared with.
    facets, of_points : `Facets`, optional
        What all of it is of, and each point.
    """

    name: str
    x: Sequence[Any]
    y: Sequence[Optional[float]]
    style: int
    low: Sequence[Optional[float]] = ()
    high: Sequence[Optional[float]] = ()
    is_bound: bool = False
    facets: Facets = {}
    of_points: Facets = {}


class Chart(NamedTuple):
    """
    # Parameters

    kind : `str`
        `bars`, `lines`, `points` or `radar`.
    series : `Sequence[Series]`
    x_title, y_title : `str`
    percent : `bool`, optional (default = `True`)
        Whether y is a share, and shown in percent.
    x_percent : `bool`, optional (default = `False`)
    x_log : `bool`, optional (default = `False`)
        Whether the axis of x, all of which are above 0, is logarithmic.
    """

    kind: str
    series: Sequence[Series]
    x_title: str = ""
    y_title: str = ""
    percent: bool = True
    x_percent: bool = False
    x_log: bool = False

    @property
    def x_label(self) -> str:
        """The title of the axis, with its unit."""
        return _with_unit(self.x_title, self.x_percent)

    @property
    def y_label(self) -> str:
        return _with_unit(self.y_title, self.percent)

    @property
    def counts(self) -> bool:
        """Whether x is whole numbers, as layers are."""
        return all(isinstance(x, int) for series in self.series for x in series.x)


def _with_unit(title: str, percent: bool) -> str:
    return f"{title}, %" if percent and title and "%" not in title else title


class Heat(NamedTuple):
    """
    Numbers by row and column, as colours.

    # Parameters

    rows, columns : `Sequence[str]`
    values : `Sequence[Sequence[Optional[float]]]`
    texts : `Sequence[Sequence[str]]`
        What stands in the cells.
    low, high : `Optional[float]`
        The ends of the colours; nothing for those of the values.
    of_rows, of_columns : `Facets`, optional
    x_title, y_title, unit : `str`
        Without a unit there is no scale of colours.
    percent : `bool`, optional (default = `False`)
        Whether the values are shares, and shown in percent.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[Optional[float]]]
    texts: Sequence[Sequence[str]]
    low: Optional[float] = None
    high: Optional[float] = None
    of_rows: Facets = {}
    of_columns: Facets = {}
    x_title: str = ""
    y_title: str = ""
    unit: str = ""
    percent: bool = False

    @property
    def diverges(self) -> bool:
        """Whether the colours have a middle, 0."""
        return self.low is not None and self.low < 0


class Drawing(NamedTuple):
    """A picture that matplotlib has drawn already."""

    figure: Any


class PageFigure(NamedTuple):
    """
    # Parameters

    key : `str`
    title : `str`
    words : `str`
        What is to be seen, for those who do not see it, too.
    content : `Union[Chart, Heat, Drawing]`
    table : `PageTable`
        The numbers of it.
    facets : `Facets`, optional
        What all of it is of.
    """

    key: str
    title: str
    words: str
    content: Union[Chart, Heat, Drawing]
    table: PageTable
    facets: Facets = {}


class Words(NamedTuple):
    """Sentences below a small heading; without one, plain ones."""

    sentences: Sequence[str]
    title: str = ""


Part = Union[Words, PageFigure, PageTable]


class Section(NamedTuple):
    key: str
    title: str
    parts: Sequence[Part]


class Page(NamedTuple):
    title: str
    subtitle: str
    sections: Sequence[Section]

    @property
    def figures(self) -> list[PageFigure]:
        return [p for s in self.sections for p in s.parts if isinstance(p, PageFigure)]

    @property
    def tables(self) -> list[PageTable]:
        """All of them, those of the figures too."""
        return [
            part.table if isinstance(part, PageFigure) else part
            for section in self.sections
            for part in section.parts
            if not isinstance(part, Words)
        ]
