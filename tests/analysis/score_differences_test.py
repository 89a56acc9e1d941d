import math

import pandas
import pytest

from linspector_allennlp.analysis.score_differences import score_differences, sign_tests
from tests.analysis.paper_tables import linspector_scores


def table(tasks):
    rows = [
        {"task": task, "representation": name, "value": value}
        for task, scores in tasks.items()
        for name, value in scores.items()
    ]
    return pandas.DataFrame(rows)


def test_pairs_in_each_task():
    found = score_differences(
        table({"Case": {"x": 0.5, "y": 0.7}, "POS": {"y": 0.9, "x": 0.95, "z": math.nan}})
    )
    assert found[["task", "a", "b"]].values.tolist() == [["Case", "x", "y"], ["POS", "x", "y"]]
    assert found["difference"].tolist() == pytest.approx([0.2, -0.05])
    assert score_differences(table({"Case": {"x": 0.5}})).empty


def test_sign_tests():
    tasks = {f"task{i}": {"x": 0.5, "y": 0.6, "z": 0.5} for i in range(5)} | {
        "last": {"x": 0.7, "y": 0.6}
    }
    found = sign_tests(score_differences(table(tasks))).set_index(["a", "b"])
    one = found.loc[("x", "y")]
    assert one[["ahead_a", "ahead_b", "ties"]].tolist() == [1, 5, 0]
    assert one["p_value"] == pytest.approx(2 * (1 + 6) / 2**6)
    assert found.loc[("x", "z"), "ties"] == 5 and found.loc[("x", "z"), "p_value"] == 1
    # The least of three, times 3.
    assert found.loc[("y", "z"), "holm_p_value"] == pytest.approx(3 * 2 / 2**5)
    assert sign_tests(score_differences(table({"Case": {"x": 0.5}}))).empty


@pytest.mark.realdata
def test_table_9(real_data):
    """In all 11 Finnish tasks D-ELMo is ahead of the others: p = 2 / 2¹¹."""
    probing, _ = linspector_scores(real_data)
    found = sign_tests(score_differences(probing[probing["language"] == "Finnish"]))
    elmo = found[found["b"] == "D-ELMo"]
    assert elmo["ahead_b"].tolist() == [11] * 4
    assert elmo["p_value"].tolist() == pytest.approx([2 / 2**11] * 4)
