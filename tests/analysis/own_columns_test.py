import json

import pandas

from linspector_allennlp.analysis.own_columns import own_columns_as_settings

ROWS = {"language": "x", "task": "WC", "metric": "f1", "value": [0.1, 0.2, 0.3, 0.4]}


def test_a_column_that_tells_scores_apart():
    own = {
        "size": ["500", "500", "1000", "1000"],
        "tuned": ["true", "false"] * 2,
        "note": list("abcd"),
    }
    table = pandas.DataFrame({**ROWS, "representation": "a", **own, "settings": '{"rank": 2}'})
    found = own_columns_as_settings(table)
    assert [json.loads(cell) for cell in found["settings"]] == [
        {"rank": 2, "size": 500, "tuned": True},
        {"rank": 2, "size": 500, "tuned": False},
        {"rank": 2, "size": 1000, "tuned": True},
        {"rank": 2, "size": 1000, "tuned": False},
    ]
    assert "note" in found and "size" not in found


def test_nothing_to_tell_apart():
    table = pandas.DataFrame({**ROWS, "representation": list("abcd"), "dimension": [1, 2, 3, 4]})
    assert own_columns_as_settings(table) is table
    twice = pandas.DataFrame({**ROWS, "representation": "a"})
    assert own_columns_as_settings(twice) is twice


def test_text_that_is_no_number_as_it_stands():
    own = {"grade": ["01", "1_000", "nan ", "2.50"]}
    table = pandas.DataFrame({**ROWS, "representation": "a", **own})
    cells = own_columns_as_settings(table)["settings"]
    assert [json.loads(cell)["grade"] for cell in cells] == ["01", "1_000", "nan ", "2.50"]
    table = table.assign(grade=["1", "2.5", "nan", "inf"])
    cells = own_columns_as_settings(table)["settings"]
    assert [json.loads(cell)["grade"] for cell in cells] == [1, 2.5, "nan", "inf"]
