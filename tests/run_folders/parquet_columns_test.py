"""Tables in Parquet that others have written."""

import pandas
import pytest

from linspector_allennlp.run_folders.results_file import read_predictions, read_results

SCORES = {
    "language": ["x", "x"],
    "task": ["A", "B"],
    "representation": ["r", "r"],
    "metric": ["accuracy", "accuracy"],
    "value": [0.5, 0.25],
}
ITEMS = {
    "run": ["a", "a"],
    "split": ["test", "test"],
    "item": [0, 1],
    "label": ["N", "V"],
    "gold": ["N", "N"],
    "correct": [True, False],
}


def read(folder, read_table, columns):
    path = folder / "table.parquet"
    pandas.DataFrame(columns).to_parquet(path)
    return read_table(path)


def test_other_types_are_cast_and_missing_columns_are_empty(tmp_path):
    mine = {
        "control": ["false", "True"],
        "seed": [1.0, None],
        "layer": ["3", ""],
        "task": pandas.Categorical(["A", "B"]),
        "metric": [7, 7],
        "value": ["0.5", None],
        "size": [[1], None],
    }
    frame = read(tmp_path, read_results, {**SCORES, **mine})
    assert frame.control.tolist() == [False, True] and frame.task.tolist() == ["A", "B"]
    assert frame.seed[0] == 1 and frame.seed.isna().tolist() == [False, True]
    assert frame.layer[0] == 3 and pandas.isna(frame.layer[1])
    assert frame.metric.tolist() == ["7", "7"] and frame["size"][0] == "[1]"
    assert frame.value[0] == 0.5 and pandas.isna(frame.value[1])
    # As of a CSV file.
    assert frame.split.tolist() == ["test"] * 2 and frame.chosen.all() and frame.run.isna().all()


@pytest.mark.parametrize("column, cells, found", [
    ("control", [0, 2], "row 2: column control: expected true or false, found 2"),
    ("is_main", ["yes", "no"], "row 1: column is_main: expected true or false, found 'yes'"),
    ("value", ["0.5", "abc"], "row 2: column value: expected a number, found 'abc'"),
    ("value", [[0.5], [0.5]], r"row 1: column value: expected a number, found \[0.5\]"),
    ("value", [True, True], "row 1: column value: expected a number, found True"),
    ("task", [["A"], ["B"]], r"row 1: column task: expected text, found \['A'\]"),
    ("task", [{"a": 1}, {"a": 1}], "row 1: column task: expected text, found {'a': 1}"),
    ("task", [b"A", b"B"], "row 1: column task: expected text, found b'A'"),
    ("layer", ["top", "1"], "row 1: column layer: expected a whole number .*, found 'top'"),
    ("layer", [1.5, 1], "row 1: column layer: expected a whole number .*, found 1.5"),
    ("settings", ["[1]", None], r": column settings: expected a JSON object, found '\[1\]'"),
])  # fmt: skip
def test_what_cannot_be_cast_is_named(tmp_path, column, cells, found):
    with pytest.raises(ValueError, match=f"table.parquet.*{found}"):
        read(tmp_path, read_results, {**SCORES, column: cells})


@pytest.mark.parametrize("column", ["task", "value"])
def test_columns_that_must_be_there(tmp_path, column):
    with pytest.raises(ValueError, match=f"table.parquet: .* there is no {column}. Found: lang"):
        read(tmp_path, read_results, {k: v for k, v in SCORES.items() if k != column})
    with pytest.raises(ValueError, match="there is no run, split, item, gold, correct"):
        read(tmp_path, read_predictions, {"a": [1]})


@pytest.mark.parametrize("column, cells, found", [
    ("correct", [1, 7], "row 2: column correct: expected true or false, found 7"),
    ("correct", ["x", "true"], "row 1: column correct: expected true or false, found 'x'"),
    ("correct", [True, None], "row 2: column correct: expected true or false, found nothing"),
    ("item", ["x", "1"], "row 1: column item: expected a whole number"),
    ("item", [3, 3], "row 2: the item 3 of test of the run a is there before: expected each once"),
    ("form", [["a"], ["b"]], "row 1: column form: expected text"),
])  # fmt: skip
def test_predictions_that_would_be_counted_wrong(tmp_path, column, cells, found):
    with pytest.raises(ValueError, match=f"table.parquet, {found}"):
        read(tmp_path, read_predictions, {**ITEMS, column: cells})


def test_a_tree_has_an_item_for_each_edge(tmp_path):
    edges = {**ITEMS, "item": [0, 0], "label": [None, None], "gold": ["0–1", "1–2"]}
    assert read(tmp_path, read_predictions, edges)["correct"].tolist() == [True, False]
    with pytest.raises(ValueError, match="row 2: the item 0"):
        read(tmp_path, read_predictions, {**edges, "gold": ["0–1", "0–1"]})


def test_settings_of_a_csv_file(tmp_path):
    path = tmp_path / "table.csv"
    pandas.DataFrame({**SCORES, "settings": ["{}", "{"]}).to_csv(path, index=False)
    with pytest.raises(ValueError, match="table.csv: column settings: expected a JSON object"):
        read_results(path)
