"""Tasks × representations, as papers print their results (LINSPECTOR, Table 9)."""

from typing import Any

import pandas

from linspector_allennlp.analysis.score_tables import FLOORS
from linspector_allennlp.analysis.tidy_scores import KEYS, present
from linspector_allennlp.analysis.wording import apart
from linspector_allennlp.report.page.cells import TITLES, plain_list
from linspector_allennlp.report.page.model import FACETS, MARKS, PageTable, TableColumn
from linspector_allennlp.report.page.report_data import ReportData

ORDER = ("level", "language", "task")


def by_task(scores: pandas.DataFrame) -> pandas.DataFrame:
    """The scores of a task one below the other; tasks, and those of a task, in their order."""
    keys = present(scores, ORDER)
    numbers = {name: {cell: n for n, cell in enumerate(scores[name].unique())} for name in keys}
    return scores.sort_values(keys, key=lambda cells: cells.map(numbers[cells.name]), kind="stable")


def paper_tables(data: ReportData) -> list[PageTable]:
    """
    A row for each task of a language (and whatever else tells scores apart), columns for baselines and
    representations; nothing of one representation only.
    """
    scores = by_task(data.scores)
    systems = list(dict.fromkeys(data.scores["system"]))
    if len(systems) < 2:
        return []
    others = [name for name in apart(scores) if name not in ORDER]
    columns = [*present(scores, ORDER), *others]
    columns = [
        n for n in columns if n in ("language", "task") or scores[n].nunique(dropna=False) > 1
    ]
    rows: list[list[Any]] = []
    marks: dict[tuple[int, int], int] = {}
    floors = present(scores, FLOORS)
    first = len(columns) + len(floors)
    keys = [*present(scores, [n for n in KEYS if n in columns]), *present(scores, ["metric"])]
    for _, of_row in scores.groupby(keys, dropna=False, sort=False):
        known = of_row.drop_duplicates("system").set_index("system")
        names = plain_list(of_row.iloc[0][columns])
        beside = [_first(of_row[name]) for name in floors]
        for place, system in enumerate(systems):
            rank = known["place"].get(system)
            if rank in MARKS and len(known["value"].dropna()) > 1:
                marks[len(rows), first + place] = int(rank)
        values = [known["value"].get(system) for system in systems]
        rows.append([*names, *plain_list(beside), *plain_list(values)])
    forms = ["text"] * len(columns) + [data.form] * (len(floors) + len(systems))
    titles = [TITLES.get(name, name.replace("_", " ")) for name in (*columns, *floors)]
    # A representation may be called as a column of ours.
    taken = {*columns, *floors, *FACETS, "place", "value"}
    keys_of = [*columns, *floors, *(f"{n} (score)" if n in taken else n for n in systems)]
    made = [TableColumn(*cells) for cells in zip(keys_of, [*titles, *systems], forms)]
    return [PageTable("paper", "Tasks and representations", made, rows, marks)]


def _first(cells: pandas.Series) -> Any:
    there = cells.dropna()
    return there.iloc[0] if len(there) else None
