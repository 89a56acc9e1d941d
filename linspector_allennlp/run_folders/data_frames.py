"""The content of a run folder as pandas tables; pandas is imported when one is asked for."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from linspector_allennlp.run_folders.run_record import RunRecord

if TYPE_CHECKING:
    import pandas

# By the beginning of a key of `metrics.json`, the split that the score is of.
SPLITS = {"test_": "test", "best_validation_": "validation", "training_": "train"}

# Those fields of the record that tell a run from others.
COLUMNS = (
    "level",
    "language",
    "task",
    "target",
    "tested_in",
    "representation",
    "layer",
    "probe",
    "head",
    "seed",
)


def scores_frame(record: RunRecord, metrics: Mapping[str, Any], name: str) -> "pandas.DataFrame":
    """
    The scores of a run, tidy: a row for each metric, so that the tables of several runs can be put
    below each other.

    # Parameters

    name : `str`
        That of the representation.

    # Returns

    `pandas.DataFrame`
        What the run is (`COLUMNS`, and `control`: whether it is a control task); `split`, empty for
        what is of the whole run, as a baseline; `metric`, without the split; `value`, and `low` and
        `high`, its interval, where there is one.
    """
    layers = [each["layer"] for each in record.representation if "layer" in each]
    run = {
        **{column: getattr(record, column, None) for column in COLUMNS},
        "representation": name,
        "layer": ", ".join(map(str, layers)) or None,
        "control": record.control is not None,
    }
    rows = [{**run, **score} for score in _scores(metrics)]
    return _pandas().DataFrame(rows)


def records_frame(records: Iterator[dict[str, Any]]) -> "pandas.DataFrame":
    """Records as rows; text stays text, the label `None` too."""
    return _pandas().DataFrame(list(records))


def report_frame(rows: list[dict[str, str]]) -> "pandas.DataFrame":
    """The rows of a label report, by label, with numbers in them."""
    frame = _pandas().DataFrame(rows, columns=list(rows[0]) if rows else ["label"])
    return frame.set_index("label").astype(float)


def confusion_frame(rows: list[dict[str, str]]) -> "pandas.DataFrame":
    """How often which label (a row) was taken for which (a column)."""
    gold = [next(iter(row.values())) for row in rows]
    counts = [list(map(int, list(row.values())[1:])) for row in rows]
    columns = list(rows[0])[1:] if rows else []
    pandas = _pandas()
    return pandas.DataFrame(
        counts,
        index=pandas.Index(gold, name="gold"),
        columns=pandas.Index(columns, name="predicted"),
    )


def _scores(metrics: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for key, value in metrics.items():
        is_bound = key.removesuffix("_low").removesuffix("_high") in metrics and key.endswith(
            ("_low", "_high")
        )
        # What is no number, as a time of day, is no score; nor is the last epoch's validation.
        if is_bound or isinstance(value, (str, list, dict)) or key.startswith("validation_"):
            continue
        start = next((start for start in SPLITS if key.startswith(start)), "")
        yield {
            "split": SPLITS.get(start, ""),
            "metric": key.removeprefix(start),
            "value": value,
            "low": metrics.get(f"{key}_low"),
            "high": metrics.get(f"{key}_high"),
        }


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "Tables need a package: pip install 'pandas>=2' (or linspector_allennlp[tables])"
        ) from error
    return pandas
