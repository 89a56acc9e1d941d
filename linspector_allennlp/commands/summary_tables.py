"""Tables of groups of runs: what the rows are, and what all of them have in common."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

from linspector_allennlp.analysis.run_groups import BY, RunGroup, Spread, group_runs
from linspector_allennlp.commands.group_order import (
    best_of_task,
    form_of,
    mean_of,
    sorted_groups,
)
from linspector_allennlp.commands.tables import percent
from linspector_allennlp.run_folders.found_runs import FoundRun
from linspector_allennlp.run_folders.run_record import Column

# Shown only where nothing else tells two rows apart.
LAST_RESORT = ("grid", "search", "level", "study")

NOTHING = percent(None)


class SummaryTable(NamedTuple):
    """
    # Parameters

    caption : `str`
        What all rows have in common.
    header : `List[str]`
    rows : `List[List[str]]`
    num_left : `int`
        The number of the columns that say what a row is.
    best : `List[bool]`
        For each row whether its score, the first column after those, is the best of its task.
    values : `List[Dict[str, Any]]`
        For each row its numbers as they are, by keys of `metrics.json`.
    """

    caption: str
    header: list[str]
    rows: list[list[str]]
    num_left: int
    best: list[bool]
    values: list[dict[str, Any]]


def summary_table(
    runs: Sequence[FoundRun],
    columns: Sequence[Column],
    by: Optional[Sequence[str]] = None,
    sort: Sequence[str] = (),
) -> SummaryTable:
    """
    The table of runs of one kind.

    # Parameters

    columns : `Sequence[Column]`
        What is shown of a group; the first is its score.
    by : `Sequence[str]`, optional
        See `group_runs`.
    sort : `Sequence[str]`, optional
        Columns, `score` (the best first), `selectivity` or `seeds`. Otherwise the rows of a task are together,
        in the order of the runs.
    """
    groups = sorted_groups(group_runs(runs, by), columns[0], sort)
    names, common = _names(groups, by)
    left = [[_called(group, name) for name in names] for group in groups]
    cells = {
        **_numbers_of_runs(groups),
        **{column.title: [_cell(group, column) for group in groups] for column in columns[:1]},
        **_other_cells(groups, columns),
    }
    if len(groups) > 1:
        of_score = [column.title for column in columns if column.metric == columns[0].metric]
        common += _take_what_is_the_same(cells, but=of_score)
    for title in ("seeds", "runs"):
        if title in cells:
            names.append(title)
            left = [[*row, text] for row, text in zip(left, cells.pop(title))]
    caption = [f"All rows: {', '.join(common)}."] if common else []
    mixed = [] if by is None else [name for name in (*BY, "seed") if _differs_within(groups, name)]
    caption += [f"A row is the mean over {', '.join(mixed)}."] if mixed else []
    return SummaryTable(
        " ".join(caption),
        [*names, *cells],
        [row + [texts[place] for texts in cells.values()] for place, row in enumerate(left)],
        len(names),
        best_of_task(groups, columns[0]),
        [_values(group, columns, by) for group in groups],
    )


def _take_what_is_the_same(cells: dict[str, list[str]], but: Sequence[str]) -> list[str]:
    """Takes the columns away that have the same in all rows, and gives them as text."""
    same = [title for title, texts in cells.items() if len(set(texts)) == 1 and title not in but]
    same += [title for title in but if set(cells[title]) == {NOTHING}]
    taken = {title: cells.pop(title)[0] for title in same}
    return [
        f"{text} {title}" if title in ("seeds", "runs") else f"{title} {text}"
        for title, text in taken.items()
        if text != NOTHING
    ]


def _names(groups: list[RunGroup], by: Optional[Sequence[str]]) -> tuple[list[str], list[str]]:
    """The columns that tell the rows apart, and what is the same in all."""
    if by is None and all(len(g.runs) == 1 and not g.runs[0].study for g in groups):
        start, names = ["run"], [name for name in BY if name != "settings"]
    else:
        start, names = [], list(BY if by is None else by)
    called = {name: [_called(group, name) for group in groups] for name in names}
    shown = [name for name in names if len(set(called[name])) > 1]
    for name in LAST_RESORT if by is None else ():
        others = [column for column in shown if column != name]
        if name in shown and len(set(zip(*(called[other] for other in others)))) == len(groups):
            shown = others
    if len(groups) == 1:
        shown = [name for name in names if name in ("task", "representation") or name in (by or ())]
    common = [
        f"{name} {called[name][0]}"
        for name in names
        if name not in ("study", *shown) and set(called[name]) == {called[name][0]} != {NOTHING}
        if (name, called[name][0]) != ("train_share", "1")
    ]
    return start + shown, common


def _differs_within(groups: list[RunGroup], name: str) -> bool:
    """Whether a row is of runs that do not have the same in this column."""
    return any(len({str(found.called(name)) for found in group.runs}) > 1 for group in groups)


def _called(group: RunGroup, name: str) -> str:
    if name == "run":
        return group.runs[0].name
    value = group.columns[name]
    if name == "settings" and value:
        # The last part of a key says enough, unless another one ends so.
        ends = [key.rsplit(".", 1)[-1] for key in value]
        short = [end if ends.count(end) == 1 else key for end, key in zip(ends, value)]
        return ", ".join(f"{key}={each}" for key, each in zip(short, value.values()))
    if name == "task" and group.is_control:
        return f"{value}, control"
    if value is None or value in ("", {}):
        return NOTHING
    return f"{value:g}" if isinstance(value, float) else str(value)


def _numbers_of_runs(groups: list[RunGroup]) -> dict[str, list[str]]:
    """A column of how many runs a row is of, where one is of several."""
    if all(len(group.runs) == 1 for group in groups):
        return {}
    if all(group.differs_in_seed_only for group in groups):
        return {"seeds": [str(group.num_seeds) for group in groups]}
    return {"runs": [str(len(group.runs)) for group in groups]}


def _other_cells(groups: list[RunGroup], columns: Sequence[Column]) -> dict[str, list[str]]:
    score = columns[0]
    cells = {
        column.title: [_cell(group, column, False) for group in groups] for column in columns[1:]
    }
    if any(group.controls for group in groups):
        form = form_of(score)
        cells["control"] = [form(mean_of(group.control_score(score.metric))) for group in groups]
        cells["selectivity"] = [_spread(group.selectivity(score.metric), form) for group in groups]
    return cells


def _cell(group: RunGroup, column: Column, with_sd: bool = True) -> str:
    if column.form == "interval":
        interval = group.interval(column.metric)
        return f"{percent(interval[0])} – {percent(interval[1])}" if interval else NOTHING
    spread = group.score(column.metric)
    return _spread(spread, form_of(column)) if with_sd else form_of(column)(mean_of(spread))


def _spread(spread: Optional[Spread], form: Any) -> str:
    if spread is None or spread.sd is None:
        return form(mean_of(spread))
    return f"{form(spread.mean)} ± {form(spread.sd)}"


def _values(
    group: RunGroup, columns: Sequence[Column], by: Optional[Sequence[str]]
) -> dict[str, Any]:
    score = columns[0].metric
    values: dict[str, Any] = {
        **group.columns,
        "control": group.is_control,
        "seeds": group.num_seeds,
        "runs": len(group.runs),
    }
    for column in columns:
        if column.form == "interval":
            ends = group.interval(column.metric) or (None, None)
            values.update(zip((f"{column.metric}_low", f"{column.metric}_high"), ends))
        else:
            values[column.metric] = mean_of(group.score(column.metric))
    of_score, selectivity = group.score(score), group.selectivity(score)
    values[f"{score}_sd"] = of_score and of_score.sd
    values["control_score"] = mean_of(group.control_score(score))
    values["selectivity"], values["selectivity_sd"] = (
        mean_of(selectivity),
        selectivity and selectivity.sd,
    )
    return values
