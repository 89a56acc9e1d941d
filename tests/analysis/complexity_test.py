import json

import pandas
import pytest

from linspector_allennlp.analysis.complexity import (
    complexity_curve,
    task_and_control,
    with_settings,
)
from linspector_allennlp.run_folders.data_frames import scores_frame


def rows(task, control, overlap=0.8, **columns):
    """The runs of a setting, by seed."""
    for is_control, values in ((False, task), (True, control)):
        for seed, value in enumerate(values):
            run = {
                "task": "UPOS",
                "language": "english",
                "representation": "elmo",
                "seed": seed,
                "split": "test",
            }
            run |= {
                "control": is_control,
                "chosen": True,
                "run": f"{columns}{is_control}{seed}",
                **columns,
            }
            yield {**run, "metric": "accuracy", "is_main": True, "value": value}
            yield {**run, "metric": "overlap", "is_main": False, "value": overlap}


def table(*settings):
    return scores_frame([row for each in settings for row in each])


# The first rows of the study's Table 1, as the means of two seeds.
LINEAR = list(rows([0.971, 0.973], [0.708, 0.716], probe="linear"))
MLP = list(rows([0.973], [0.928], probe="mlp1"))


def test_the_studys_table():
    linear, mlp = task_and_control(table(LINEAR, MLP)).to_dict("records")
    assert linear["task_score"] == pytest.approx(0.972) and linear[
        "control_score"
    ] == pytest.approx(0.712)
    assert linear["selectivity"] == pytest.approx(0.26) and mlp["selectivity"] == pytest.approx(
        0.045
    )
    # The seeds' differences are .263 and .257.
    assert linear["selectivity_sd"] == pytest.approx(0.006 / 2**0.5) and linear["seeds"] == 2
    assert pandas.isna(mlp["selectivity_sd"]) and mlp["learnable"]


def test_selectivity_is_that_of_the_same_seeds():
    """.9 − .5 and .7 − .2, whatever a third seed of the control task has; without common seeds, of the means."""
    both = table(list(rows([0.9, 0.7], [0.5, 0.2, 0.1])))
    assert task_and_control(both)["selectivity"].tolist() == pytest.approx([0.45])
    other = both.assign(seed=both["seed"] + 10 * both["control"].astype(int))
    assert task_and_control(other)["selectivity"].tolist() == pytest.approx([0.8 - 0.8 / 3])


def test_a_table_without_splits():
    found = task_and_control(table(list(rows([0.9], [0.1], overlap=0.02))).drop(columns="split"))
    assert found["learnable"].tolist() == [False]


def test_a_control_task_that_cannot_be_learned_tells_nothing():
    (found,) = task_and_control(table(list(rows([0.9], [0.1], overlap=0.02)))).to_dict("records")
    assert found["learnable"] is False and pandas.isna(found["selectivity"])
    unknown = table(LINEAR)
    unknown = unknown[unknown["metric"] == "accuracy"]
    (found,) = task_and_control(unknown).to_dict("records")
    assert pandas.isna(found["learnable"]) and found["selectivity"] == pytest.approx(0.26)


def test_a_task_without_its_control_has_no_selectivity():
    only_task = [row for row in MLP if not row["control"]]
    assert task_and_control(table(LINEAR, only_task))["probe"].tolist() == ["linear"]
    with pytest.raises(ValueError, match="found none of one of them"):
        task_and_control(table(only_task))
    with pytest.raises(ValueError, match="there is no control"):
        task_and_control(table(LINEAR).drop(columns="control"))


def test_settings_become_columns():
    found = with_settings(
        pandas.DataFrame({"settings": ['{"rank": 10, "task": 1}', None], "task": ["a", "b"]})
    )
    assert (
        found["rank"].tolist()[0] == 10
        and pandas.isna(found["rank"][1])
        and found["task"].tolist() == ["a", "b"]
    )
    assert with_settings(found[["task"]]).columns.tolist() == ["task"]


def test_curve_by_rank():
    runs = [
        list(rows([task], [control], settings=json.dumps({"rank": rank})))
        for rank, task, control in ((1000, 0.97, 0.92), (10, 0.96, 0.80), (50, 0.97, 0.88))
    ]
    found = complexity_curve(table(LINEAR, *runs), "rank")
    assert found["rank"].tolist() == [10, 50, 1000]
    assert found["selectivity"].tolist() == pytest.approx([0.16, 0.09, 0.05])
    with pytest.raises(ValueError, match="there is no dropout"):
        complexity_curve(table(LINEAR), "dropout")


def test_tasks_without_a_control_task_have_columns_that_no_control_has():
    """As the sentence encoders of a study whose control tasks are of words."""
    words = pandas.DataFrame(
        {
            "task": "Case", "representation": "vec", "encoder": None, "metric": "accuracy", "seed": 1,
            "control": [False, True], "value": [0.8, 0.3],
        }
    )  # fmt: skip
    sentences = words[:1].assign(task="SentLen", encoder="average")
    both = pandas.concat([words, sentences]).astype({"encoder": "string"})
    (row,) = task_and_control(both).to_dict("records")
    assert (row["task"], row["task_score"], row["control_score"]) == ("Case", 0.8, 0.3)
