import pandas
import pytest

from linspector_allennlp.analysis.probe_and_parser import layers_chosen, probe_and_parser

NAMES = ("language", "layer", "probe", "metric", "split", "value", "settings", "search")
SCORES = [
    ("english", 1, "distance", "uuas", "test", 0.70, '{"rank": 2}', "-loss"),
    ("english", 1, "perceptron", "uuas", "test", 0.75, '{"rank": 8}', "uuas"),
    ("english", 1, "distance", "dspr", "test", 0.80, '{"rank": 2}', "-loss"),
    ("english", 1, "perceptron", "dspr", "test", 0.60, '{"rank": 8}', "uuas"),
    ("english", 2, "distance", "uuas", "test", 0.72, '{"rank": 2}', "-loss"),
    ("english", 2, "perceptron", "uuas", "test", 0.76, '{"rank": 8}', "uuas"),
    ("english", 1, "distance", "uuas", "validation", 0.73, '{"rank": 2}', "-loss"),
    ("english", 1, "perceptron", "uuas", "validation", 0.78, '{"rank": 8}', "uuas"),
    ("english", 2, "distance", "uuas", "validation", 0.71, '{"rank": 2}', "-loss"),
    ("english", 2, "perceptron", "uuas", "validation", 0.77, '{"rank": 8}', "uuas"),
    ("basque", 1, "distance", "uuas", "test", 0.5, '{"rank": 2}', "-loss"),
    ("english", 1, "tagging", "accuracy", "test", 0.9, None, None),
    ("english", 1, "distance", "loss", "test", 9.0, '{"rank": 2}', "-loss"),
]


def table(rows=SCORES):
    made = pandas.DataFrame(rows, columns=NAMES)
    return made.assign(task="trees", representation="bert", adjacent=0.4, seed=1)


def test_each_has_its_own_settings():
    found = probe_and_parser(table()).set_index(["layer", "metric"])
    assert len(found) == 3 and set(found["language"]) == {"english"}
    assert found.loc[(1, "uuas"), "difference"] == pytest.approx(0.05)
    assert found.loc[(1, "dspr"), ["a", "b"]].tolist() == [0.80, 0.60]
    assert found.loc[(2, "uuas"), "adjacent"] == 0.4


def test_the_layer_is_chosen_on_the_validation_data():
    found = probe_and_parser(table())
    assert set(layers_chosen(found)["layer"]) == {2}
    assert set(layers_chosen(found, probe_and_parser(table(), "validation"))["layer"]) == {1}
    assert layers_chosen(found.drop(columns="layer")).shape[0] == 3


@pytest.mark.parametrize(
    "probe, parser",
    [
        ("distance_probe", "perceptron_probe"),
        ("probe", "parser"),
        ("structural", "Structural parser"),
    ],
)
def test_other_names(probe, parser):
    named = table().replace({"distance": probe, "perceptron": parser})
    assert len(probe_and_parser(named)) == 3


def test_two_probes_are_not_mixed():
    twice = table([*SCORES, ("english", 1, "distance2", "uuas", "test", 0.1, None, None)])
    with pytest.raises(ValueError, match="probe probe has several scores of the same"):
        probe_and_parser(twice.drop(columns=["settings", "search"]))


def test_one_of_them_only():
    assert probe_and_parser(table(SCORES[:1])).empty
    assert probe_and_parser(table(SCORES[-2:])).empty
    with pytest.raises(ValueError, match="there is no probe"):
        probe_and_parser(table().drop(columns="probe"))
