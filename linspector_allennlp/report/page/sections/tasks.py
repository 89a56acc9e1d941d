"""Which tasks there are of which languages, and the raw resources (LINSPECTOR, Tables 6 and 5)."""

from collections.abc import Iterator

import pandas

from linspector_allennlp.analysis.task_matrix import task_matrix
from linspector_allennlp.analysis.tidy_scores import need_columns, present
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.model import Chart, Heat, PageFigure, Part, Series, Words
from linspector_allennlp.report.page.panels import figure_key
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.run_folders.resource_tables import OF_TREEBANK, OF_UNIMORPH

MARK = "×"

AMBIGUITIES = {
    "ambiguity": "UniMorph, mean over features",
    "ambiguity_of_sets": "treebank, tags as sets",
    "ambiguity_as_printed": "treebank, tags as printed",
}
TITLES = {"word_classes": "word classes", **AMBIGUITIES}
FORMS = {
    **dict.fromkeys((*OF_UNIMORPH, *OF_TREEBANK), "count"),
    **dict.fromkeys(AMBIGUITIES, "percent"),
}


def tasks(data: ReportData) -> Iterator[Part]:
    need_columns(data.table, "task", "language", "value")
    there = data.table[data.table["value"].notna() & data.table["language"].notna()]
    if there.empty:
        yield Words(["There are no scores of a language: there is no matrix of tasks."])
    else:
        yield from _matrix(there)
    if data.resources is None:
        yield Words(["No statistics of raw resources were given (--resources)."])
    else:
        yield from _resources(data.resources)


def _matrix(table: pandas.DataFrame) -> Iterator[Part]:
    keys = present(table, ["level"])
    for place, of_level in table.groupby(keys, sort=False) if keys else [((), table)]:
        matrix = task_matrix(of_level)
        facets = dict(zip(keys, map(str, place)))
        level = ", ".join(facets.values())
        title = "Which tasks there are" + (f": {level}" if level else "")
        names = [str(row[-1] if isinstance(row, tuple) else row) for row in matrix.index]
        languages = list(map(str, matrix.columns))
        cells = matrix.to_numpy().tolist()
        heat = Heat(
            names,
            languages,
            [[1.0 if there else None for there in row] for row in cells],
            [[MARK if there else "" for there in row] for row in cells],
            0,
            2,  # a colour that is not the strongest one: there is no more or less
            {"task": names},
            {"language": languages},
        )
        counts = [int(number) for number in matrix.sum()]
        words = "Tasks (rows) that have scores of a language (column): " + ", ".join(
            f"{name} {number}" for name, number in zip(languages, counts)
        )
        key = f"task-matrix-{figure_key(level)}" if level else "task-matrix"
        of_matrix = page_table(key, title, matrix.reset_index())
        yield PageFigure(key, title, f"{words}.", heat, of_matrix, facets)


def _resources(resources: pandas.DataFrame) -> Iterator[Part]:
    title = "Raw resources"
    table = page_table("resources", title, resources, titles=TITLES, forms=FORMS)
    series = [
        Series(
            name,
            plain_list(resources["language"]),
            plain_list(resources[column]),
            number,
            of_points={"language": plain_list(resources["language"])},
        )
        for number, (column, name) in enumerate(AMBIGUITIES.items())
        if present(resources, [column])
    ]
    if not series:
        yield table
        return
    words = (
        "The share of ambiguous forms. As printed, the same tags in another order count as another analysis, "
        "as in the study's Table 5; as sets they do not. The table has all numbers."
    )
    chart = Chart("bars", series, "", "ambiguous forms, %")
    yield PageFigure("resources", title, words, chart, table)
