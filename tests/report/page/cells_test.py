"""Cells of a table."""

import numpy
import pandas
import pytest

from linspector_allennlp.report.page.cells import cell_text, form_of_scores, page_table


@pytest.mark.parametrize(
    "value, form, text",
    [
        (None, "percent", "–"),
        (0.1234, "percent", "12.3"),
        (-0.0001, "percent", "0.0"),
        (0.1234, "number", "0.123"),
        (0.0004, "p", "< 0.001"),
        (0.05, "p", "0.050"),
        (3.0, "count", "3"),
        (1.5, "count", "1.5"),
        (True, "text", "yes"),
        ("0.5", "percent", "0.5"),
    ],
)
def test_how_a_cell_is_written(value, form, text):
    assert cell_text(value, form) == text


def test_a_table():
    frame = pandas.DataFrame(
        {
            "task": ["Case", "None"],
            "value": [0.5, numpy.inf],
            "layer": pandas.Series([3, None], dtype="Int64"),
            "empty": [None, numpy.nan],
            "control": [True, False],
            "labels": [["a"], None],
        }
    )
    table = page_table("key", "title", frame, titles={"task": "what"})
    assert [tuple(column) for column in table.columns] == [
        ("task", "what", "text"),
        ("value", "score", "percent"),
        ("layer", "layer", "count"),
        ("control", "control", "text"),
        ("labels", "labels", "text"),
    ]
    assert table.rows == [["Case", 0.5, 3, True, "['a']"], ["None", None, None, False, None]]


def test_chosen_columns():
    frame = pandas.DataFrame({"task": ["Case"], "value": [0.5]})
    table = page_table("key", "title", frame, ["value", "not there"], scores="number")
    assert [tuple(column) for column in table.columns] == [("value", "score", "number")]


def test_scores_that_are_no_shares():
    assert form_of_scores(pandas.DataFrame({"metric": ["accuracy", "uuas"]})) == "percent"
    assert form_of_scores(pandas.DataFrame({"metric": ["accuracy", "dspr"]})) == "number"
    assert form_of_scores(pandas.DataFrame({"task": ["Case"]})) == "percent"
