import math

import pandas
import pytest

from linspector_allennlp.analysis.score_tables import score_table, top_places
from tests.analysis.paper_tables import linspector_scores, thesis_scores


def table(*rows, **columns):
    return pandas.DataFrame(
        [
            {"language": "finnish", "task": task, "representation": name, "value": value, **columns}
            for task, name, value in rows
        ]
    )


CASE = table(
    ("Case", "a", 0.6),
    ("Case", "b", 0.9),
    ("Case", "c", 0.6),
    ("Case", "d", math.nan),
    majority=0.4,
)


def test_places_and_gains():
    found = score_table(CASE).set_index("representation")
    assert found["place"].tolist()[:3] == [2, 1, 2] and math.isnan(found.loc["d", "place"])
    assert found.loc["b", "gain"] == pytest.approx(0.5)
    assert found.loc["b", "gain_percent"] == pytest.approx(125)
    assert math.isnan(found.loc["d", "gain"])


def test_the_best_baseline_is_not_the_bound():
    found = score_table(CASE.assign(suffix=0.7, form=0.95), baseline="best")
    assert found["gain"].tolist()[:3] == pytest.approx([-0.1, 0.2, -0.1])
    assert score_table(CASE.drop(columns="majority"))["gain"].isna().all()


def test_of_a_loss_the_least_is_the_best():
    found = score_table(CASE.assign(metric="loss", suffix=0.7), baseline="best")
    assert found["place"].tolist()[:3] == [1, 3, 1]
    assert found["baseline"].tolist() == [0.4] * 4


def test_levels_are_not_mixed():
    """`Case` is a task of each level, and each has places of its own."""
    both = pandas.concat([CASE.assign(level="type"), CASE.assign(level="token", value=0.5)])
    found = top_places(score_table(both), places=1).set_index(["level", "system"])
    assert found.loc[("type", "a"), ["count", "tasks"]].tolist() == [0, 1]
    assert found.loc[("token", "a"), ["count", "tasks"]].tolist() == [1, 1]


def test_control_tasks():
    control = CASE.assign(control=True, value=[0.2, 0.3, math.nan, math.nan])
    found = score_table(pandas.concat([CASE.assign(control=False), control]))
    assert (
        found["control_score"].tolist()[:2] == [0.2, 0.3]
        and found["control_score"].isna().sum() == 2
    )
    assert len(found) == 4


def test_ranked_within_what_is_the_same():
    both = pandas.concat(
        [CASE.assign(probe="linear"), CASE.assign(probe="mlp", value=CASE["value"] / 2)]
    )
    assert (
        score_table(both)["place"].tolist()[:7][:3]
        == [2, 1, 2]
        == score_table(both)["place"].tolist()[4:7]
    )
    layers = CASE.assign(layer=[0, 1, 2, 3], representation="x")
    assert score_table(layers)["system"].tolist() == [f"x, layer {i}" for i in range(4)]
    assert score_table(layers)["place"].tolist()[:3] == [2, 1, 2]


def test_top_places():
    rows = pandas.concat([CASE, table(("Number", "a", 0.9), ("Number", "b", 0.8))])
    found = top_places(score_table(rows), places=1).set_index("system")
    assert found["count"].to_dict() == {"a": 1, "b": 1, "c": 0}
    assert found["tasks"].to_dict() == {"a": 2, "b": 2, "c": 1}
    assert found["share"].to_dict() == {"a": 0.5, "b": 0.5, "c": 0}


@pytest.mark.realdata
def test_table_9(real_data):
    probing, _ = linspector_scores(real_data)
    found = score_table(probing).set_index(["language", "task", "representation"])
    assert len(found) == 5 * 11 * 5
    case = found.sort_index().loc["Finnish", "Case"]
    assert case["place"].to_dict() == {
        "MUSE": 5,
        "word2vec": 4,
        "GloVe-BPE": 3,
        "fastText": 2,
        "D-ELMo": 1,
    }
    assert case.loc["D-ELMo", "gain"] == pytest.approx(66.7)
    # D-ELMo is the best of all Finnish tasks; not in Turkish Polarity (97.3 by BPE).
    first = top_places(found.reset_index(), places=1).set_index(["language", "system"])["count"]
    assert first["Finnish", "D-ELMo"] == 11
    assert found.loc[("Turkish", "Polarity", "GloVe-BPE"), "place"] == 1


@pytest.mark.realdata
def test_top_three_of_the_thesis(real_data):
    """Figure 19 counts 22 encoders, these are 12 of them: what is in the first three there is here, too."""
    probing, _ = thesis_scores(real_data)
    found = top_places(score_table(probing)).set_index(["language", "system"])
    assert found.loc[("EN", "InferSent"), "share"] == pytest.approx(0.78, abs=0.005)
    assert found.loc[("DE", "LASER"), "share"] == pytest.approx(0.78, abs=0.005)
    printed = {
        "EN": {"RandBiLSTM": 3, "InferSent": 7, "QuickThought": 5, "BERT": 2, "LASER": 7},
        "DE": {
            "avg": 1,
            "BOREP": 1,
            "InferSent": 2,
            "QuickThought": 5,
            "sent2vec": 4,
            "BERT": 3,
            "LASER": 7,
        },
        "KA": {"BOREP": 1, "RandBiLSTM": 2, "InferSent": 3, "sent2vec": 2, "BERT": 3, "LASER": 4},
    }
    for language, counts in printed.items():
        for encoder, count in counts.items():
            assert found.loc[(language, encoder), "count"] >= count
    exact = [
        ("DE", "LASER"),
        ("DE", "sent2vec"),
        ("KA", "LASER"),
        ("KA", "BERT"),
        ("EN", "InferSent"),
    ]
    assert [found.loc[each, "count"] for each in exact] == [7, 4, 4, 3, 7]
    assert (
        set(found.loc["KA", "tasks"]) == {7}
        and found.loc[("KA", "LASER"), "share"].round(2) == 0.57
    )
