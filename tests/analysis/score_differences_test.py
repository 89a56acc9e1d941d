import math

import pandas
import pytest

from linspector_allennlp.analysis.score_differences import (
    ALL,
    score_differences,
    sign_tests,
    sign_tests_by_place,
    task_differences,
)
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


def repeated():
    """Three tasks of words in two languages, three shares of the data, two probes; one downstream task."""
    rows = [
        {
            "level": "type", "language": language, "task": task, "train_share": share, "probe": probe,
            "metric": "accuracy", "representation": name, "value": value,
        }
        for language in ("fi", "tr")
        for task in ("Case", "Number", "Tense")
        for share in (0.25, 0.5, None)
        for probe in ("linear", "mlp")
        for name, value in (("x", 0.5 if share is None else 0.9), ("y", 0.6))
    ]  # fmt: skip
    downstream = {**rows[0], "level": "downstream", "task": "POS", "train_share": None}
    return pandas.DataFrame(
        [
            *rows,
            *({**downstream, "representation": n, "value": v} for n, v in (("x", 0.9), ("y", 0.5))),
        ]
    )


def test_a_task_counts_once():
    """On all of the training data only, and the two probes of a task are one point; the mean is that of both."""
    found = score_differences(repeated())
    assert len(found) == 2 * 3 * 3 * 2 + 1
    points = task_differences(found)
    assert len(points) == 2 * 3 + 1 and points["repeats"].tolist() == [2] * 6 + [1]
    assert points["difference"].tolist() == pytest.approx([0.1] * 6 + [-0.4])
    tests = sign_tests_by_place(found).set_index(["level", "language"])
    assert tests.index.tolist() == [
        ("type", "fi"), ("type", "tr"), ("downstream", "fi"), ("type", ALL),
    ]  # fmt: skip
    assert tests["ahead_b"].tolist() == [3, 3, 0, 6] and tests["ahead_a"].tolist() == [0, 0, 1, 0]
    assert tests["p_value"].tolist() == pytest.approx([2 / 8, 2 / 8, 1, 2 / 64])


def test_of_losses_the_lower_one_is_ahead():
    scores = table({"LM": {"x": 3.0, "y": 2.0}}).assign(metric="loss")
    (test,) = sign_tests_by_place(score_differences(scores)).to_dict("records")
    assert (test["ahead_a"], test["ahead_b"]) == (0, 1)


@pytest.mark.realdata
def test_table_9(real_data):
    """In all 11 Finnish tasks D-ELMo is ahead of the others: p = 2 / 2¹¹."""
    probing, _ = linspector_scores(real_data)
    found = sign_tests(score_differences(probing[probing["language"] == "Finnish"]))
    elmo = found[found["b"] == "D-ELMo"]
    assert elmo["ahead_b"].tolist() == [11] * 4
    assert elmo["p_value"].tolist() == pytest.approx([2 / 2**11] * 4)
