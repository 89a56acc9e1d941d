"""Tables of groups of runs: what the rows are, and what all of them have in common."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Optional

from linspector_allennlp.analysis.chosen_settings import lower_is_better
from linspector_allennlp.analysis.run_groups import BY, RunGroup, Spread, group_runs
from linspector_allennlp.commands.tables import number, percent
from linspector_allennlp.run_folders.found_runs import FoundRun
from linspector_allennlp.run_folders.run_record import Column

# Rows of the same task are compared with each other.
TASK = ("study", "level", "language", "task", "test")

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
    groups = _sorted(group_runs(runs, by), columns[0], sort)
    names, common = _names(groups, by)
    left = [[_called(group, name) for name in names] for group in groups]
    cells = {
        **_numbers_of_runs(groups),
        **{column.title: [_cell(group, column) for group in groups] for column in columns[:1]},
        **_other_cells(groups, columns),
    }
    if len(groups) > 1:
        cells = {title: texts for title, texts in cells.items() if set(texts) != {NOTHING}}
    counts = [title for title in ("seeds", "runs") if title in cells]
    for title in counts:
        if len(set(cells[title])) == 1:
            common.append(f"{cells.pop(title)[0]} {title}")
        else:
            names.append(title)
            left = [[*row, text] for row, text in zip(left, cells.pop(title))]
    return SummaryTable(
        f"All rows: {', '.join(common)}." if common else "",
        [*names, *cells],
        [row + [texts[place] for texts in cells.values()] for place, row in enumerate(left)],
        len(names),
        _best(groups, columns[0]),
        [_values(group, columns, by) for group in groups],
    )


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
        if name not in shown and len(set(called[name])) == 1 and called[name][0] != NOTHING
    ]
    return start + shown, common


def _called(group: RunGroup, name: str) -> str:
    if name == "run":
        return group.runs[0].name
    value = group.columns[name]
    if name == "settings" and value:
        return ", ".join(f"{key.rsplit('.', 1)[-1]}={each}" for key, each in value.items())
    if name == "task" and group.is_control:
        return f"{value}, control"
    return NOTHING if value is None or value in ("", {}) else str(value)


def _numbers_of_runs(groups: list[RunGroup]) -> dict[str, list[str]]:
    """A column of how many runs a row is of, where one is of several."""
    if all(len(group.runs) == 1 for group in groups):
        return {}
    if all(group.differs_in_seed_only for group in groups):
        return {"seeds": [str(group.num_seeds) for group in groups]}
    return {"runs": [str(len(group.runs)) for group in groups]}


def _other_cells(groups: list[RunGroup], columns: Sequence[Column]) -> dict[str, list[str]]:
    score = columns[0]
    cells = {column.title: [_cell(group, column, False) for group in groups] for column in columns[1:]}
    if any(group.controls for group in groups):
        form = _form(score)
        cells["control"] = [form(_mean(group.control_score(score.metric))) for group in groups]
        cells["selectivity"] = [_spread(group.selectivity(score.metric), form) for group in groups]
    return cells


def _cell(group: RunGroup, column: Column, with_sd: bool = True) -> str:
    if column.form == "interval":
        interval = group.interval(column.metric)
        return f"{percent(interval[0])} – {percent(interval[1])}" if interval else NOTHING
    spread = group.score(column.metric)
    return _spread(spread, _form(column)) if with_sd else _form(column)(_mean(spread))


def _form(column: Column) -> Any:
    return number if column.form == "number" else percent


def _mean(spread: Optional[Spread]) -> Optional[float]:
    return spread and spread.mean


def _spread(spread: Optional[Spread], form: Any) -> str:
    if spread is None or spread.sd is None:
        return form(_mean(spread))
    return f"{form(spread.mean)} ± {form(spread.sd)}"


def _best(groups: list[RunGroup], score: Column) -> list[bool]:
    """All that are equal to the best as they are printed."""
    blocks: dict[tuple[str, ...], list[float]] = {}
    shown: list[Optional[float]] = []
    for group in groups:
        text = "" if group.is_control else _form(score)(_mean(group.score(score.metric)))
        shown.append(None if text in ("", NOTHING, "nan") else float(text))
        if shown[-1] is not None:
            blocks.setdefault(_task(group), []).append(shown[-1])
    choose = min if lower_is_better(score.metric) else max
    return [
        value is not None
        and len(blocks[_task(group)]) > 1
        and value == choose(blocks[_task(group)])
        for group, value in zip(groups, shown)
    ]


def _task(group: RunGroup) -> tuple[str, ...]:
    return tuple(str(group.columns.get(name)) for name in TASK)


def _sorted(groups: list[RunGroup], score: Column, sort: Sequence[str]) -> list[RunGroup]:
    if not sort:
        order = {task: place for place, task in enumerate(dict.fromkeys(map(_task, groups)))}
        return sorted(groups, key=lambda group: order[_task(group)])
    return sorted(groups, key=lambda group: [_sort_key(group, score, name) for name in sort])


def _sort_key(group: RunGroup, score: Column, name: str) -> tuple[bool, float, str]:
    """What is missing comes last."""
    value: Any
    if name == "score":
        sign = 1 if lower_is_better(score.metric) else -1
        mean = _mean(group.score(score.metric))
        value = None if mean is None else sign * mean
    elif name == "selectivity":
        mean = _mean(group.selectivity(score.metric))
        value = None if mean is None else -mean
    elif name == "seeds":
        value = -group.num_seeds
    elif name in group.columns:
        value = group.columns[name]
    else:
        raise ValueError(
            f"--sort: there is no {name}; expected one of {', '.join(group.columns)}, score, selectivity, seeds."
        )
    is_number = isinstance(value, (int, float))
    return value is None, value if is_number else 0, "" if is_number else str(value)


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
            values[column.metric] = _mean(group.score(column.metric))
    of_score, selectivity = group.score(score), group.selectivity(score)
    values[f"{score}_sd"] = of_score and of_score.sd
    values["control_score"] = _mean(group.control_score(score))
    values["selectivity"], values["selectivity_sd"] = (
        _mean(selectivity),
        selectivity and selectivity.sd,
    )
    return values
