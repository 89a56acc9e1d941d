"""The rows of a run in the tables of a study; see `table_columns`."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional

from linspector_allennlp.run_folders.probed_vectors import probed_vectors
from linspector_allennlp.run_folders.table_columns import (
    BASELINES,
    PREDICTION_COLUMNS,
    RESULT_COLUMNS,
    checked_row,
    plan_cells,
)

if TYPE_CHECKING:
    from linspector_allennlp.run_folders.run_folder import RunFolder

WHOLE_RUN = "run"
"""The split of what is of no split, as the best epoch."""

# By the beginning of a key of `metrics.json`, the split that the score is of.
SPLITS = {"test_": "test", "best_validation_": "validation", "training_": "train"}

FACTS = re.compile(
    r"(num|oov|skipped|overlap|multiword|unknown_sentences|unseen_labels|unseen_words)_(train|validation|test)(_sentences)?"
)


def score_rows(
    run: "RunFolder", columns: Mapping[str, Any], name: str, chosen: bool = True
) -> Iterator[dict[str, Any]]:
    """
    A row for each number in `metrics.json`, by `RESULT_COLUMNS`. A column that a row does not have is
    left out; a value that cannot be in its column is an error.

    # Parameters

    columns : `Mapping[str, Any]`
        What the run is called, by `PLAN_COLUMNS`.
    name : `str`
        That of its folder.
    chosen : `bool`, optional (default = `True`)
        Whether it is not one of those that a search tried in vain.
    """
    metrics, record = run.metrics, run.record
    of_run = {
        **plan_cells(columns),
        "chosen": chosen,
        "run": name,
        "config": record.config,
        "tested_on": record.tested_on,
        **probed_vectors(record),
        "labels": _whole(metrics.get("num_labels")),
        "seconds": sum(record.seconds.values()),
    }
    for key, value in metrics.items():
        place = _place(key, metrics)
        if place is None or not _is_number(value):
            continue
        split, metric = place
        row = {
            **of_run,
            "split": split,
            "metric": metric,
            "is_main": metric == record.main_metric,
            "value": _or_missing(value),
            "low": _or_missing(metrics.get(f"{key}_low")),
            "high": _or_missing(metrics.get(f"{key}_high")),
            "items": _whole(metrics.get(f"num_{split}")),
            "oov": _or_missing(metrics.get(f"oov_{split}")),
            **(_baselines(metric, run) if split == "test" else {}),
        }
        yield checked_row(row, RESULT_COLUMNS)


def _place(key: str, metrics: Mapping[str, Any]) -> Optional[tuple[str, str]]:
    """The split and the metric of a key of `metrics.json`; nothing for what gets no row of its own."""
    bound = re.fullmatch(r"(.+)_(low|high)", key)
    # The last epoch's validation is not of the weights that were kept.
    if (bound and bound[1] in metrics) or key.startswith("validation_"):
        return None
    fact = FACTS.fullmatch(key)
    if fact:
        return fact[2], fact[1] + (fact[3] or "")
    for start, split in SPLITS.items():
        metric = key.removeprefix(start)
        # `training_steps` is no score.
        if metric != key and (split != "train" or f"validation_{metric}" in metrics):
            return split, metric
    return WHOLE_RUN, key


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _baselines(metric: str, run: "RunFolder") -> dict[str, Any]:
    """Those that this metric is to be compared with."""
    found = {}
    for column, start in BASELINES.items():
        keys = [f"{start}_{metric}", *([start] if metric == run.record.main_metric else [])]
        values = (run.metrics[key] for key in keys if key in run.metrics)
        found[column] = _or_missing(next(values, None))
    return found


def prediction_rows(run: "RunFolder", name: str, split: str = "test") -> Iterator[dict[str, Any]]:
    """
    The predictions of a split, by `PREDICTION_COLUMNS`: a row for each item that is scored as right or
    wrong. Of a tree that is each gold edge, or the root. A value that cannot be in its column is an error.
    """
    for row in _answers(run, name, split):
        yield checked_row(row, PREDICTION_COLUMNS)


def _answers(run: "RunFolder", name: str, split: str) -> Iterator[dict[str, Any]]:
    kind, cluster = (run.record.predictions.get(key) for key in ("kind", "cluster"))
    for record in run.predictions(split):
        row = {
            "run": name,
            "split": split,
            "item": _whole(record.get("item")),
            "line": _whole(record.get("line")),
            "cluster": _cluster(record, cluster),
        }
        if kind == "edges":
            found = {tuple(sorted(edge)) for edge in record["edges"]}
            for edge in record["gold_edges"]:
                gold = tuple(sorted(edge))
                yield {**row, "gold": "{}–{}".format(*gold), "correct": gold in found}
        elif kind == "root":
            if record["gold_root"] is not None:
                answers = {"label": _text(record["root"]), "gold": _text(record["gold_root"])}
                yield {**row, **answers, "correct": record["root"] == record["gold_root"]}
        elif kind in ("label", "tags", "arcs") and record.get("scored", True):
            yield {
                **row,
                "form": _text(record.get("form", record.get("form1"))),
                "form2": _text(record.get("form2")),
                "label": _text(record["label"]),
                "gold": _text(record["gold"]),
                "probability": _or_missing(record.get("probability")),
                "gold_probability": _or_missing(record.get("gold_probability")),
                "correct": record["label"] == record["gold"],
                "known": record.get("known"),
            }


def _cluster(record: Mapping[str, Any], key: Optional[str]) -> Optional[str]:
    """Several files have the same lines and sentences."""
    value = record.get(key or "line", record.get("item"))
    return f"{record['file']}:{value}" if "file" in record else _text(value)


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)


def _whole(value: Any) -> Any:
    """As JSON may have it, 3 is 3.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _or_missing(value: Any) -> Any:
    """Not-a-number is missing: in a table of text it would be a word."""
    return None if isinstance(value, float) and math.isnan(value) else value
