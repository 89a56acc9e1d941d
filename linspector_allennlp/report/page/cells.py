"""Tables of an analysis as tables of a page: which columns, what they are called, and how a cell is written."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Optional

import pandas

from linspector_allennlp.report.page.model import PageTable, TableColumn
from linspector_allennlp.run_folders.table_columns import BASELINES

FORMS = ("text", "percent", "number", "tenth", "count", "p")
NOTHING = "–"
IN_PERCENT = ("accuracy", "f1", "uuas", "oov", "overlap", "precision", "recall")
"""Parts of the names of metrics that are shares; others are printed as they are."""

SCORES = (
    "value", "low", "high", "sd", "control_score", "baseline", "gain", "task_score", "task_sd", "control_sd",
    "selectivity", "selectivity_sd", "score_a", "score_b", "difference", "holm_low", "holm_high", *BASELINES,
)  # fmt: skip
SHARES = ("oov", "train_share", "train", "validation", "test_share", "share")
COUNTS = (
    "seeds", "labels", "items", "place", "layer", "count", "tasks", "n", "seeds_a", "seeds_b", "left_out_items",
    "ahead_a", "ahead_b", "ties", "a_count", "b_count", "without_score",
)  # fmt: skip
NUMBERS = ("rho", "change")
P_VALUES = ("p_t", "p_exact", "p_bh", "p_value", "holm_p_value")

TITLES = {
    "system": "representation",
    "value": "score",
    "sd": "± seeds",
    "low": "from",
    "high": "to",
    "majority": "majority",
    "form": "same word",
    "control_score": "control task",
    "gain": "above best baseline",
    "gain_percent": "gain in %",
    "p_t": "p (by t)",
    "p_exact": "p (exact)",
    "p_bh": "p (corrected)",
    "p_value": "p",
    "holm_p_value": "p (Holm)",
    "holm_low": "from (Holm)",
    "holm_high": "to (Holm)",
    "rho": "ρ",
    "train_share": "training data, %",
    "without_score": "runs without a score",
}


def form_of_scores(scores: pandas.DataFrame) -> str:
    """`percent` if all of the metrics are shares, `number` if one is not."""
    names = scores["metric"].dropna().astype(str).unique() if "metric" in scores else []
    return "percent" if all(map(is_share, names)) else "number"


def is_share(metric: Any) -> bool:
    """Whether scores of a metric are shares, by its name; of those that have no name, as those of most tables."""
    return pandas.isna(metric) or any(part in str(metric) for part in IN_PERCENT)


def page_table(
    key: str,
    title: str,
    frame: pandas.DataFrame,
    columns: Optional[Iterable[str]] = None,
    titles: Mapping[str, str] = {},
    forms: Mapping[str, str] = {},
    scores: str = "percent",
) -> PageTable:
    """
    # Parameters

    key, title : `str`
    frame : `pandas.DataFrame`
    columns : `Iterable[str]`, optional
        Those to show, by default all; one with nothing in it is left out.
    titles, forms : `Mapping[str, str]`, optional
        Where they are others than usual.
    scores : `str`, optional (default = `"percent"`)
        The form of scores.
    """
    names = [name for name in (frame.columns if columns is None else columns) if name in frame]
    names = [name for name in names if _says_something(name, frame[name])]
    made = [
        TableColumn(
            name,
            titles.get(name) or TITLES.get(name) or name.replace("_", " "),
            forms.get(name) or _form(name, frame[name], scores),
        )
        for name in names
    ]
    rows = [list(map(_plain, cells)) for cells in frame[names].itertuples(index=False)]
    return PageTable(key, title, made, rows)


def _says_something(name: str, cells: pandas.Series) -> bool:
    """All of the training data is what is meant where nothing is said."""
    there = cells.dropna()
    texts = not pandas.api.types.is_numeric_dtype(there) and (there.astype(str) == "").all()
    return len(there) > 0 and not texts and not (name == "train_share" and (there == 1).all())


def cell_text(value: Any, form: str) -> str:
    """A cell as it is read."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if form == "text" or isinstance(value, str):
        return str(value)
    if form == "percent":
        return f"{round(100 * value, 1) + 0.0:.1f}"
    if form == "tenth":
        return f"{round(value, 1) + 0.0:.1f}"
    if form == "p":
        return "< 0.001" if value < 0.0005 else f"{value:.3f}"
    if form == "count":
        return f"{value:.4g}"
    return f"{round(value, 3) + 0.0:.3f}"


def _form(name: str, cells: pandas.Series, scores: str) -> str:
    known = {
        **dict.fromkeys(SCORES, scores),
        **dict.fromkeys(SHARES, "percent"),
        **dict.fromkeys(COUNTS, "count"),
        **dict.fromkeys(NUMBERS, "number"),
        **dict.fromkeys(P_VALUES, "p"),
        "gain_percent": "tenth",
    }
    is_number = pandas.api.types.is_numeric_dtype(cells) and cells.dtype != bool
    if not is_number:
        return "text"
    return known.get(name, "count" if pandas.api.types.is_integer_dtype(cells) else "number")


def _plain(cell: Any) -> Any:
    """Without numpy and pandas; what is missing, no number or infinite is `None`."""
    if isinstance(cell, (list, tuple, dict)):
        return str(cell)
    if pandas.isna(cell):
        return None
    if hasattr(cell, "item"):
        cell = cell.item()
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    return cell if isinstance(cell, (bool, int)) else str(cell)


def plain_list(cells: Iterable[Any]) -> list[Any]:
    return list(map(_plain, cells))
