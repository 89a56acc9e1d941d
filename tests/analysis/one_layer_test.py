import pandas

from linspector_allennlp.analysis.one_layer import one_layer


def test_the_best_mean_of_a_level_and_a_language():
    rows = [
        ("fi", "bert", 1, "Case", 0.5), ("fi", "bert", 1, "Tense", 0.9),
        ("fi", "bert", 2, "Case", 0.8), ("fi", "bert", 2, "Tense", 0.5),
        ("tr", "bert", 1, "Case", 0.1), ("tr", "bert", 2, "Case", 0.2), ("fi", "vec", None, "Case", 0.9),
    ]  # fmt: skip
    scores = pandas.DataFrame(
        rows, columns=["language", "representation", "layer", "task", "value"]
    )
    kept = one_layer(scores)
    assert set(zip(kept["language"], kept["representation"], kept["layer"].fillna(0), kept["task"])) == {
        ("fi", "bert", 1, "Case"), ("fi", "bert", 1, "Tense"), ("tr", "bert", 2, "Case"), ("fi", "vec", 0, "Case"),
    }  # fmt: skip
    assert one_layer(kept) is kept
    assert one_layer(scores.drop(columns="layer")).shape[0] == 7
