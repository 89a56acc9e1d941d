"""
The columns of the tables of a study, `results.csv`, `results.parquet` and `predictions.parquet`, with the
type of their values, in the order of the files. docs/formats.md says what they are.
"""

import json
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
}


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
    return {
        name: None if value is None else PLAN_COLUMNS[name](value) for name, value in given.items()
    }
