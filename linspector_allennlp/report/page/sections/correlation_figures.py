"""A matrix of correlations as three figures: with marks, the marked cells only, and as the thesis prints it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Optional

import pandas

from linspector_allennlp.analysis.correlation import correlation_matrix
from linspector_allennlp.analysis.correlation_marks import (
    LEVELS,
    MARKS,
    P_VALUES,
    best_p_value,
    marks_of,
)
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.model import Facets, Heat, PageFigure, PageTable, Part, Words

LEAST = 0.2
"""Smaller correlations the thesis prints as 0."""
LEAST_PAIRS = 3
"""Of fewer pairs one figure is enough."""
MOST_NAMES = 40
"""Of a row or a column: more cannot be read in a figure."""
STRONGEST = 500
UNCORRECTED = "spearman_min"

ALL_SYSTEMS = "Filters of representations do not change it."
SIGNS = (
    "The signs behind ρ are p by t, p exactly (by all orders of the points) and p corrected for the number of "
    f"cells (Benjamini-Hochberg): {MARKS[0]} below {LEVELS[0]:g}, {MARKS[1]} below {LEVELS[1]:g}, · above; – "
    "where there is none."
)


class Matrix(NamedTuple):
    """
    # Parameters

    key, title : `str`
    correlate : `Callable[[str], pandas.DataFrame]`
        Rows of `correlations`, by the method.
    facets : `Facets`
    facet : `str`
        What its rows and columns are: `task` or `language`.
    mirrored : `bool`
        Whether rows and columns are the same.
    """

    key: str
    title: str
    correlate: Callable[[str], pandas.DataFrame]
    facets: Facets
    facet: str = "task"
    mirrored: bool = False


def matrix_figures(matrix: Matrix, result: pandas.DataFrame) -> Iterator[Part]:
    """
    # Parameters

    result : `pandas.DataFrame`
        That of `matrix.correlate("spearman")`.
    """
    if max(result[side].nunique() for side in ("row", "column")) + matrix.mirrored > MOST_NAMES:
        yield from _strongest(matrix, result)
        return
    points = f"Spearman’s ρ over {_points(result)}."
    yield _figure(
        matrix,
        "",
        matrix.title,
        f"{points} {SIGNS} {ALL_SYSTEMS}",
        result,
        _marked(result, matrix.mirrored),
    )
    if len(result) < LEAST_PAIRS:
        return
    level = LEVELS[0]
    tested = result.assign(best_p=best_p_value(result))
    if (tested["best_p"] < level).any():
        shown = correlation_matrix(tested, p="best_p", level=level, mirrored=matrix.mirrored)
        words = (
            f"Only the cells with p below {level:g}: exactly, or by t where there are many points; not corrected. "
            f"{ALL_SYSTEMS}"
        )
        title = f"{matrix.title}, p < {level:g} only"
        yield _figure(
            matrix,
            "-masked",
            title,
            words,
            tested[tested["best_p"] < level],
            (shown, _plain(shown)),
        )
    else:
        yield Words(
            [f"{matrix.title}: no correlation has p below {level:g}, so there is no masked matrix."]
        )
    uncorrected = matrix.correlate(UNCORRECTED)
    shown = correlation_matrix(uncorrected, least=LEAST, mirrored=matrix.mirrored)
    words = (
        "As the thesis on sentence probing prints it: ties have the best of their ranks "
        f"({UNCORRECTED}), and what is nearer to 0 than {LEAST:g} is 0. {ALL_SYSTEMS}"
    )
    title = f"{matrix.title}, |ρ| < {LEAST:g} as 0"
    yield _figure(matrix, "-thesis", title, words, uncorrected, (shown, _plain(shown)))


def _strongest(matrix: Matrix, result: pandas.DataFrame) -> Iterator[Part]:
    """Instead of a matrix that nobody could read."""
    known = result[result["rho"].notna()]
    order = known["rho"].abs().sort_values(ascending=False, kind="stable").index
    words = f"{matrix.title}: {len(result):,} pairs are too many for a matrix."
    shown = ""
    if len(known) > STRONGEST:
        words += f" The table has the {STRONGEST} with the largest ρ, of either sign."
        shown = f", the {STRONGEST} strongest"
    yield Words([words])
    yield _table(matrix.key, f"{matrix.title}{shown}", known.loc[order[:STRONGEST]])


def pair_heat(
    key: str, title: str, result: pandas.DataFrame, order: Mapping[str, int]
) -> PageFigure:
    """
    The pairs of languages of all tasks in one figure: the column `place` down, the pairs across, in an order in
    which each pair is there once.
    """
    pairs = [sorted(pair, key=order.__getitem__) for pair in zip(result["row"], result["column"])]
    numbers = [tuple(map(order.__getitem__, pair)) for pair in pairs]
    named = result.assign(row=result["place"], column=[" ~ ".join(pair) for pair in pairs])
    columns = named.iloc[sorted(range(len(named)), key=numbers.__getitem__)][
        "column"
    ].drop_duplicates()
    words = f"Spearman’s ρ over {_points(result)}. {SIGNS} {ALL_SYSTEMS}"
    of_rows = {"task": plain_list(result.drop_duplicates("place")["task"])}
    shown, texts = _marked(named, mirrored=False, columns=list(columns))
    heat = _heat(shown, texts)._replace(of_rows=of_rows)
    return PageFigure(key, title, words, heat, _table(key, title, result))


Cells = tuple[pandas.DataFrame, Sequence[Sequence[str]]]


def _marked(result: pandas.DataFrame, mirrored: bool, columns: Optional[list[str]] = None) -> Cells:
    rho = correlation_matrix(result, mirrored=mirrored)
    rho = rho if columns is None else rho[columns]
    p_values = [correlation_matrix(result, name, mirrored=mirrored) for name in P_VALUES]
    texts = [
        [
            "" if cell is None else f"{cell:.2f} {marks_of([p.loc[row, column] for p in p_values])}"
            for column, cell in zip(rho.columns, plain_list(rho.loc[row]))
        ]
        for row in rho.index
    ]
    if mirrored:
        for place, row in enumerate(texts):
            row[place] = "1"
    return rho, texts


def _plain(shown: pandas.DataFrame) -> list[list[str]]:
    return [
        ["" if cell is None else f"{cell + 0.0:.2f}" for cell in plain_list(row)]
        for row in shown.to_numpy()
    ]


def _heat(shown: pandas.DataFrame, texts: Sequence[Sequence[str]]) -> Heat:
    rows, columns = list(map(str, shown.index)), list(map(str, shown.columns))
    values = [plain_list(row) for row in shown.to_numpy()]
    return Heat(rows, columns, values, texts, -1, 1, unit="ρ")


def _figure(
    matrix: Matrix, ending: str, title: str, words: str, result: pandas.DataFrame, cells: Cells
) -> PageFigure:
    key = f"{matrix.key}{ending}"
    heat = _heat(*cells)
    heat = heat._replace(of_rows={matrix.facet: heat.rows}, of_columns={matrix.facet: heat.columns})
    return PageFigure(key, title, words, heat, _table(key, title, result), matrix.facets)


def _table(key: str, title: str, result: pandas.DataFrame) -> PageTable:
    return page_table(key, title, result.drop(columns=["best_p", "place"], errors="ignore"))


def _points(result: pandas.DataFrame) -> str:
    least, most = result["n"].min(), result["n"].max()
    return f"{most} representations" if least == most else f"{least} to {most} representations"
