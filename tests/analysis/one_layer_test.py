import math

import pandas

from linspector_allennlp.analysis.one_layer import one_layer

ROWS = [
    ("fi", "bert", 1, "Case", 0.5), ("fi", "bert", 1, "Tense", 0.9),
    ("fi", "bert", 2, "Case", 0.8), ("fi", "bert", 2, "Tense", 0.5),
    ("tr", "bert", 1, "Case", 0.1), ("tr", "bert", 2, "Case", 0.2), ("fi", "vec", None, "Case", 0.9),
]  # fmt: skip


def table(*rows):
    return pandas.DataFrame(rows, columns=["language", "representation", "layer", "task", "value"])


def chosen(scores, validation=None):
    kept = one_layer(scores, validation)
    of_model = zip(kept["language"], kept["representation"], kept["layer"].fillna(0))
    return set(of_model)


def test_the_best_mean_of_a_level_and_a_language():
    scores = table(*ROWS)
    kept = one_layer(scores)
    assert set(zip(kept["language"], kept["representation"], kept["layer"].fillna(0), kept["task"])) == {
        ("fi", "bert", 1, "Case"), ("fi", "bert", 1, "Tense"), ("tr", "bert", 2, "Case"), ("fi", "vec", 0, "Case"),
    }  # fmt: skip
    assert one_layer(kept) is kept
    assert one_layer(scores.drop(columns="layer")).shape[0] == 7


def test_a_score_that_is_not_there_is_not_the_best():
    rows = [("fi", "bert", layer, "Case", value) for layer, value in ((1, 0.5), (2, 0.4))]
    assert chosen(table(*rows, ("fi", "bert", 3, "Case", math.nan))) == {("fi", "bert", 1)}


def test_over_the_tasks_that_all_layers_have():
    rows = [
        ("fi", "bert", 1, "easy", 0.9), ("fi", "bert", 1, "hard", 0.2),
        ("fi", "bert", 2, "easy", 0.8), ("fi", "bert", 3, "easy", 0.7), ("fi", "bert", 3, "hard", 0.6),
    ]  # fmt: skip
    assert chosen(table(*rows)) == {("fi", "bert", 1)}
    # None in common: of the layers with the most tasks.
    assert chosen(
        table(rows[0], ("fi", "bert", 2, "hard", 0.3), ("fi", "bert", 2, "new", 0.1))
    ) == {("fi", "bert", 2)}


def test_of_losses_the_least_and_by_the_validation_data():
    scores = table(*ROWS)
    assert chosen(scores.assign(metric="loss")) == {
        ("fi", "bert", 2), ("tr", "bert", 1), ("fi", "vec", 0),
    }  # fmt: skip
    validation = table(("fi", "bert", 1, "Case", 0.1), ("fi", "bert", 2, "Case", 0.2))
    assert chosen(scores, validation) == {("fi", "bert", 2), ("tr", "bert", 2), ("fi", "vec", 0)}
