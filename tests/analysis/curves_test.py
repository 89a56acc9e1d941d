import json
import math

import pandas
import pytest

from linspector_allennlp.analysis.curves import best_points, curve
from tests.analysis.tidy_scores_test import run, scores_frame


def test_layers():
    rows = [
        run(value, layer=layer, seed=seed, low=value - 0.1, high=value + 0.1)
        for layer, values in ((1, [0.6, 0.8]), (0, [0.5, 0.5]))
        for seed, value in enumerate(values)
    ]
    found = curve(scores_frame([*rows, run(0.9)]))
    assert found["layer"].tolist() == [0, 1] and found["curve"].nunique() == 1
    assert found["value"].tolist() == pytest.approx([0.5, 0.7])
    assert found["low"].tolist() == pytest.approx([0.4, 0.6]) and found["sd"][0] == 0
    assert best_points(found)["layer"].tolist() == [1]


def test_curves_by_what_varies():
    rows = [
        run(0.1 * size, task=task, settings=json.dumps({"size": size, "dropout": 0.2}))
        for task in ("Case", "Number")
        for size in (10, 2)
    ]
    found = curve(scores_frame([*rows, run(0.5, task="POS", settings='{"size": 1}')]), "size")
    assert found["size"].tolist() == [2, 10, 2, 10]
    assert [name.split(",")[0] for name in dict.fromkeys(found["curve"])] == ["Case", "Number"]
    assert curve(scores_frame(rows)).empty  # they have no layers
    with pytest.raises(ValueError, match="there is no rank"):
        curve(scores_frame(rows), "rank")


def test_epochs_of_a_diagnosed_model():
    rows = [
        run(0.1 * epoch, epoch=epoch, representation=f"tagger, layer {layer}")
        for epoch in (4, 1)
        for layer in ("words", "encoder#0")
    ]
    found = curve(scores_frame([*rows, run(0.5, representation="fasttext")]), "epoch")
    assert found["epoch"].tolist() == [1, 4, 1, 4]
    assert found["value"].tolist() == pytest.approx([0.1, 0.4, 0.1, 0.4])


def test_sizes_of_somebody_elses_table():
    rows = [run(0.5, train_share=0.1), run(0.7, train_share=1.0), run(math.nan, train_share=0.5)]
    found = curve(pandas.DataFrame(rows), "train_share")
    assert found["train_share"].tolist() == [0.1, 0.5, 1.0] and math.isnan(found["value"][1])
    assert best_points(found)["train_share"].tolist() == [1.0]


def test_of_a_loss_the_least_is_the_best():
    rows = [run(1.5, layer=0, metric="loss"), run(0.7, layer=1, metric="loss")]
    assert best_points(curve(scores_frame(rows)))["layer"].tolist() == [1]
