"""Columns of somebody's own in a table of scores, as `size`: what they tell apart are settings."""

import json
import math
from typing import Any

import pandas

from linspector_allennlp.analysis.tidy_scores import KEYS, present
from linspector_allennlp.run_folders.table_columns import RESULT_COLUMNS

TRUTH = {"true": True, "false": False}


def own_columns_as_settings(table: pandas.DataFrame) -> pandas.DataFrame:
    """
    The table with those of its own columns in `settings` that tell apart scores which are otherwise the same,
    as few as are needed; text that is a number counts as one.
    """
    keys = present(table, (*KEYS, "seed", "control", "split", "metric", "run"))
    own = [name for name in present(table, table.columns) if name not in RESULT_COLUMNS]
    chosen: list[str] = []
    for name in sorted(own, key=lambda each: table[each].nunique()):
        twice = table.duplicated([*keys, *chosen], keep=False)
        if not twice.any():
            break
        of_score = table[twice].groupby([*keys, *chosen], dropna=False)[name]
        if of_score.nunique().max() > 1:
            chosen.append(name)
    if not chosen or table.duplicated([*keys, *chosen]).any():
        return table
    before = table["settings"] if "settings" in table else pandas.Series(None, table.index)
    rows = zip(before, table[chosen].itertuples(index=False))
    settings = [_merged(known, dict(zip(chosen, cells))) for known, cells in rows]
    return table.drop(columns=chosen).assign(settings=pandas.array(settings, dtype="string"))


def _merged(known: Any, cells: dict[str, Any]) -> str:
    settings = {} if pandas.isna(known) else json.loads(known)
    own = {name: _value(cell) for name, cell in cells.items() if not pandas.isna(cell)}
    return json.dumps({**settings, **own}, ensure_ascii=False)


def _value(cell: Any) -> Any:
    text = str(cell)
    if text.lower() in TRUTH:
        return TRUTH[text.lower()]
    for number in (int, float):
        try:
            value = number(text)
        except ValueError:
            continue
        # Neither `01` nor `1_000` nor `nan`.
        if str(value) == text and math.isfinite(value):
            return value
    return text
