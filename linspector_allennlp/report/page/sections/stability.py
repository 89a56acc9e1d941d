"""Whether representations are in the same order, however it was measured, and what a change does to scores."""

from collections.abc import Iterator
from typing import Any

import pandas

from linspector_allennlp.analysis.complexity import with_settings
from linspector_allennlp.analysis.correlation import correlation_matrix
from linspector_allennlp.analysis.stability import both_methods, typical_stability
from linspector_allennlp.analysis.tidy_scores import varying
from linspector_allennlp.analysis.wording import place_name
from linspector_allennlp.report.page.cells import page_table, plain_list
from linspector_allennlp.report.page.model import FACETS, Heat, PageFigure, Part, Words
from linspector_allennlp.report.page.panels import MOST, figure_key
from linspector_allennlp.report.page.report_data import ReportData
from linspector_allennlp.report.page.sections.changes import changes
from linspector_allennlp.report.page.sections.recommended import recommended

COLUMNS = {
    "seed": "seeds",
    "probe": "classifiers",
    "train_share": "shares of the training data",
}
TITLES = {"rho_min": "ρ (ties not corrected)", "row": "order", "column": "other order"}


def stability(data: ReportData) -> Iterator[Part]:
    scores = with_settings(data.scores)
    settings = [name for name in scores if name not in data.scores]
    names = {**COLUMNS, **{name: f"values of {name.replace('_', ' ')}" for name in settings}}
    drawn = 0
    for variable, title in names.items():
        table = data.runs if variable == "seed" else scores
        if not varying(table, [variable]):
            continue
        try:
            pairs = both_methods(table, variable)
        except ValueError as error:
            yield Words([f"Between {title}: {error}"])
            continue
        known = pairs[pairs["rho"].notna()]
        if known.empty:
            continue
        for part in _of_variable(variable, title, known, drawn):
            drawn += isinstance(part, PageFigure)
            yield part
    if not drawn:
        yield Words(
            ["Nothing varies that an order of three or more representations could depend on."]
        )
    yield from changes(data, scores, [name for name in names if name != "seed"])
    yield from recommended(data, scores)


def _of_variable(variable: str, title: str, known: pandas.DataFrame, drawn: int) -> Iterator[Part]:
    low, middle = known["rho"].min(), known["rho"].median()
    yield Words(
        [
            f"Between {title} the rank correlation of representations is {middle:.2f} in the median, and at "
            f"least {low:.2f}, in {len(known)} pairs."
        ]
    )
    typical = typical_stability(known)
    within = list(typical.columns[: list(typical.columns).index("row")])
    groups = typical.groupby(within, dropna=False, sort=False) if within else [((), typical)]
    for number, (place, part) in enumerate(groups, start=drawn + 1):
        if number > MOST:
            yield Words(
                [f"{MOST} heat maps of this section are drawn; the tables have all numbers."]
            )
            break
        key = f"order-{figure_key(variable)}-{number - drawn}"
        yield _figure(key, title, part, dict(zip(within, place)))
    yield page_table(f"stability-{figure_key(variable)}", f"Between {title}", known, titles=TITLES)


def _figure(key: str, title: str, part: pandas.DataFrame, place: dict[str, Any]) -> PageFigure:
    matrix = correlation_matrix(part, mirrored=True)
    values = [plain_list(row) for row in matrix.to_numpy()]
    texts = [["" if cell is None else f"{cell:.2f}" for cell in row] for row in values]
    # As the numbers of seeds and sizes: names are text.
    names = [f"{name:g}" if isinstance(name, float) else str(name) for name in matrix.index]
    facets = {n: str(cell) for n, cell in place.items() if n in FACETS and not pandas.isna(cell)}
    is_probe = key.startswith("order-probe")
    of_names = {"probe": names} if is_probe else {}
    heat = Heat(names, names, values, texts, -1, 1, of_names, of_names, unit="ρ")
    at = place_name(place)
    tasks = int(part["tasks"].max())
    words = "Spearman’s ρ of the orders of representations. Filters of representations do not change it."
    if tasks > 1:
        words = (
            f"Spearman’s ρ of the orders of representations, the median over {tasks} tasks; the table has the "
            "least, too. Filters of representations do not change it."
        )
    name = f"Between {title}" + (f": {at}" if at else "")
    return PageFigure(key, name, words, heat, page_table(key, name, part, titles=TITLES), facets)
