import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.models.tree_geometry import TreeDepths, TreeDistances
from linspector_allennlp.suite.search import METRICS, points_of_grid, read_search, sampled_points

SETTINGS = {
    "rank": {"int": [2, 5]},
    "dropout": {"uniform": [0.1, 0.4]},
    "lr": {"log_uniform": [1e-4, 1e-1]},
    "hidden": [[10], [20, 20]],
}


def test_samples_are_of_their_distributions():
    points = sampled_points(SETTINGS, 400, seed=1)
    assert points == sampled_points(SETTINGS, 400, seed=1) != sampled_points(SETTINGS, 400, seed=2)
    assert {point["rank"] for point in points} == {2, 3, 4, 5}
    assert all(0.1 <= point["dropout"] <= 0.4 for point in points)
    assert sum(point["lr"] < 10**-2.5 for point in points) == pytest.approx(200, abs=50)
    assert {str(point["hidden"]) for point in points} == {"[10]", "[20, 20]"}
    assert all(float(f"{point['lr']:.4g}") == point["lr"] for point in points)
    assert {type(value) for point in points for value in point.values()} == {int, float, list}


def test_of_lists_no_point_is_drawn_twice():
    points = sampled_points({"a": [1, 2], "b": [3, 4, 5]}, 50, seed=1)
    assert sorted(tuple(point.values()) for point in points) == [
        (a, b) for a in (1, 2) for b in (3, 4, 5)
    ]


def test_the_search_of_the_thesis():
    grid = {"model.head.hidden_dims": [[50], [100], [200]], "model.head.dropout": [0, 0.1, 0.2]}
    search = read_search({"by": "-loss", "grid": grid})
    assert search.by == "loss" and len(search.points) == 9
    assert search.points[1] == {"model.head.hidden_dims": [50], "model.head.dropout": 0.1}


def test_points_as_they_are():
    assert points_of_grid("settings", [{"a": 1}, {"a": 1, "b": 2}]) == [{"a": 1}, {"a": 1, "b": 2}]
    assert points_of_grid("settings", {}) == [{}]


@pytest.mark.parametrize("geometry", [TreeDepths, TreeDistances])
def test_the_metrics_of_trees_can_be_searched_by(geometry):
    assert {geometry.main_metric, *geometry.by_length} < set(METRICS)


@pytest.mark.parametrize(
    "given, message",
    [
        ({"by": "loss", "grid": {"a": [1]}, "samples": 3}, "nothing but by beside grid"),
        ({"by": "loss", "a": [1], "samples": 0}, "expected samples of 1 to 100000, found 0"),
        ({"by": "loss", "a": {"int": [3, 2]}}, "int of a expects the least and the greatest value"),
        ({"by": "loss", "a": 3}, "expected a list of values of a, or one of uniform"),
        ("accuracy", "expected by, as"),
        ({"by": "--", "a": [1]}, "expected by one of selectivity, .*, found ''"),
        ({"by": "acuracy", "a": [1]}, "found 'acuracy'. Did you mean accuracy?"),
        ({"by": "loss", "a": [1], "samples": True}, "expected samples of 1 to 100000, found True"),
        ({"by": "loss", "a": [1], "samples": 10**12}, "found 1000000000000"),
        (
            {"by": "loss", "a": [1], "seed": None},
            "expected a seed from 0 to 4294967295, found None",
        ),
        ({"by": "loss", "a": {"uniform": [False, True]}}, "uniform of a expects the least"),
        ({"by": "loss", "a": {"uniform": ["a", "b"]}}, "uniform of a expects the least"),
        ({"by": "loss", "a": {"int": [0.5, 1.5]}}, "int of a expects the least"),
        ({"by": "loss", "a": {"int": [0, 10**30]}}, "int of a expects the least"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(ConfigurationError, match=message):
        read_search(given)
