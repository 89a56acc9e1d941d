"""Small tables and pages that are made by hand."""

import pandas

from linspector_allennlp.report.page.build import SECTIONS
from linspector_allennlp.report.page.model import (
    Chart,
    Heat,
    Page,
    PageFigure,
    PageTable,
    Section,
    Series,
    TableColumn,
    Words,
)
from linspector_allennlp.report.page.report_data import ReportData

EVIL = "<script>alert('x')</script> & </style> <!-- \u2028 \u2029 $&_%"

VALUES = {"vectors": (0.8, 0.6, 0.9), "spelling": (0.7, 0.65, 0.5)}
TASKS = ("Case", "Number", "Tense")


def scores(seeds=(1, 2), languages=("finnish",), values=None):
    """A table of scores: seeds differ by 2 points."""
    rows = [
        {
            "language": language,
            "task": task,
            "representation": name,
            "probe": "mlp",
            "seed": seed,
            "run": f"{language}-{task}-{name}-{seed}",
            "metric": "accuracy",
            "value": value + 0.02 * number,
            "low": value - 0.05,
            "high": value + 0.05,
            "majority": 0.3,
            "suffix": 0.75,
        }
        for language in languages
        for name, of_tasks in (values or VALUES).items()
        for task, value in zip(TASKS, of_tasks)
        for number, seed in enumerate(seeds)
    ]
    return pandas.DataFrame(rows)


def data(table=None, **settings):
    return ReportData("study", scores() if table is None else table, **settings)


def parts(page, section):
    """Those of a section; nothing of one that is not there, being empty."""
    return next((each.parts for each in page.sections if each.key == section), [])


def sentences(page, section):
    """Of an empty section, those in the list at the end."""
    beginning = f"{SECTIONS[section][0]}: "
    found = [s for part in parts(page, section) if isinstance(part, Words) for s in part.sentences]
    said = [s for part in parts(page, "cannot") for s in part.sentences]
    return found or [s.removeprefix(beginning) for s in said if s.startswith(beginning)]


def figures(page, section):
    return [part for part in parts(page, section) if isinstance(part, PageFigure)]


def small_table(key, name="Case"):
    columns = [
        TableColumn("task", "task", "text"),
        TableColumn("value", "score", "percent"),
        TableColumn("p_value", "p", "p"),
    ]
    return PageTable(key, "A table", columns, [[name, 0.5, 0.04], ["Tense", None, 0.0001]])


def small_page(name="Case"):
    """A page with a figure of each kind, whose texts have `name` in them."""
    tasks = [name, "Number", "Tense"]
    of_points = {"task": tasks}
    series = [
        Series(f"of {name}", tasks, [0.5, None, 0.7], 0, [0.4, None, 0.6], [0.6, None, 0.8],
               facets={"representation": name}, of_points=of_points),
        Series("other", tasks, [0.2, 0.3, 0.4], 1, facets={"representation": "other"}, of_points=of_points),
        Series("bound", tasks, [0.1, 0.1, 0.1], 0, is_bound=True, of_points=of_points),
    ]  # fmt: skip
    numbered = [Series("curve", [0, 1, 2], [0.1, 0.2, 0.3], 0)]
    heat = Heat(
        [name, "b"], tasks, [[0.1, None, 0.3], [0.4, 0.5, 0.6]], [["1", "–", "3"], ["4", "5", "6"]],
        of_rows={"representation": [name, "b"]}, of_columns={"task": tasks},
    )  # fmt: skip
    contents = {
        "bars": Chart("bars", series, "", "score"),
        "radar": Chart("radar", series[:2]),
        "lines": Chart("lines", numbered, "layer", "score"),
        "points": Chart("points", numbered, "x", "y", x_percent=True),
        "heat": heat,
        "diverging": heat._replace(low=-1, high=1),
    }
    made = [
        PageFigure(key, f"{key} of {name}", f"Words of {name}", content, small_table(key, name))
        for key, content in contents.items()
    ]
    first = [Words([f"One of {name}."], name), Words(["two", "three"]), small_table("first", name)]
    return Page(name, f"about {name}", [Section("s", name, first), Section("t", "Figures", made)])
