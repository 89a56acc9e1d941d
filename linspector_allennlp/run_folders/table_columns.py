"""
The columns of the tables of a study, `results.csv`, `results.parquet` and `predictions.parquet`, with the
type of their values, in the order of the files. docs/formats.md says what they are.
"""

import json
import re
import sys
from collections.abc import Mapping
from typing import Any

Columns = Mapping[str, type]

# What the plan of a suite calls a run.
PLAN_COLUMNS: Columns = {
    "grid": str,
    "level": str,
    "language": str,
    "task": str,
    "representation": str,
    "layer": int,
    "epoch": int,
    "encoder": str,
    "probe": str,
    "settings": str,
    "train_share": float,
    "test": str,
    "control": bool,
    "search": str,
    "seed": int,
}

# By the column, the beginning of its keys in `metrics.json`.
BASELINES = {
    name: f"baseline_{name}"
    for name in ("majority", "suffix", "form", "length", "unigram", "adjacent", "first", "last")
}

RESULT_COLUMNS: Columns = {
    **PLAN_COLUMNS,
    # Of the run.
    "chosen": bool,
    "run": str,
    "config": str,
    "tested_on": str,
    "dimension": int,
    "alone": bool,
    "source": str,
    "labels": int,
    "seconds": float,
    # Of the score.
    "split": str,
    "metric": str,
    "is_main": bool,
    "value": float,
    "low": float,
    "high": float,
    # Beside it.
    "items": int,
    "oov": float,
    **dict.fromkeys(BASELINES, float),
}

SHARES = ("accuracy", "f1", "uuas", "precision", "recall")
"""What the names of metrics have in them that are shares."""

PREDICTION_COLUMNS: Columns = {
    "run": str,
    "split": str,
    "item": int,
    "line": int,
    "cluster": str,
    "form": str,
    "form2": str,
    "label": str,
    "gold": str,
    "probability": float,
    "gold_probability": float,
    "correct": bool,
    "known": bool,
}


# By the type of a column, what a reader is told to write in it.
EXPECTED: Mapping[type, str] = {
    str: "text",
    int: "a whole number of at most 64 bits",
    float: "a number",
    bool: "true or false",
}

TRUTH = {"true": True, "false": False, "1": True, "0": False}

SURROGATES = re.compile("[\ud800-\udfff]")
EXACT = 2**53
"""Up to there, every whole number is a floating-point number."""


def checked_row(row: dict[str, Any], columns: Columns) -> dict[str, Any]:
    """The row, if each of its values can be in its column; an error names the one that cannot."""
    return {name: checked_cell(name, value, columns[name]) for name, value in row.items()}


def checked_cell(name: str, value: Any, of_type: type) -> Any:
    """The value, if it can be in a column of this type."""
    if value is None:
        return None
    if not fits(value, of_type):
        raise ValueError(f"{name}: expected {EXPECTED[of_type]}, found {value!r:.80}")
    # Parquet takes no other whole number for a floating-point number.
    return float(value) if of_type is float and abs(value) > EXACT else value


def read_cell(name: str, text: str, of_type: type) -> Any:
    """The value that a text means in a column of this type."""
    if of_type in (int, float) and ("_" in text or not text.isascii()):
        raise ValueError("a number in Python, but in no table")
    value = TRUTH[text.lower()] if of_type is bool else of_type(text)
    return checked_cell(name, value, of_type)


def fits(value: Any, of_type: type) -> bool:
    """Whether a value is of this type and can be written: not half a character, nor too large a number."""
    if isinstance(value, bool) or of_type is bool:
        return isinstance(value, bool) and of_type is bool
    if of_type is str:
        return isinstance(value, str) and not SURROGATES.search(value)
    if of_type is int:
        return isinstance(value, int) and -(2**63) <= value < 2**63
    return isinstance(value, float) or (isinstance(value, int) and abs(value) <= sys.float_info.max)


def is_share(value: float, whole: float = 1) -> bool:
    """Whether a number can be a share, such as an accuracy; rounding may have added a little."""
    return -1e-6 * whole <= value <= (1 + 1e-6) * whole


def as_json(settings: Any) -> Any:
    """The settings that a suite varies, as one text; nothing where there are none."""
    return json.dumps(settings, ensure_ascii=False) if settings else None


def plan_cells(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a plan as they are in a row of the table."""
    representation, layer = columns.get("representation"), columns.get("layer")
    if layer is not None and not isinstance(layer, int):
        # As "mix": the column is for numbers.
        representation, layer = f"{representation}, layer {layer}", None
    cells = {
        **columns,
        "representation": representation,
        "layer": layer,
        "settings": as_json(columns.get("settings")),
        "control": bool(columns.get("control")),
    }
    # Empty text would be read as nothing.
    given = {name: None if cells.get(name) == "" else cells.get(name) for name in PLAN_COLUMNS}
    return checked_row(given, PLAN_COLUMNS)
