import pytest

from linspector_allennlp.analysis.study_pairs import side_name, study_pairs
from linspector_allennlp.run_folders.found_runs import FoundRun
from linspector_allennlp.run_folders.table_columns import PLAN_COLUMNS


def found(number, **columns):
    """A run of a study; nothing asks what is in its folder."""
    usual = {"task": "Case", "language": "finnish", "probe": "mlp", "seed": 1, "settings": {}}
    return FoundRun(f"run{number}", {**dict.fromkeys(PLAN_COLUMNS), **usual, **columns}, None)


def runs(*columns):
    return [found(number, **each) for number, each in enumerate(columns)]


def names(pairs):
    return [
        (tuple(p.setting.values()), p.a.name, p.b.name, [r.name for r in p.b.runs.values()])
        for p in pairs
    ]


def test_all_pairs_within_each_task():
    rows = [
        {"task": task, "representation": name, "seed": seed}
        for task in ("Case", "Number")
        for name in ("x", "y", "z")
        for seed in (1, 2)
    ]
    found = names(study_pairs(runs(*rows), ["representation"]))
    case, number = ("Case", "finnish"), ("Number", "finnish")
    assert found == [
        (case, "x", "y", ["run2", "run3"]),
        (case, "x", "z", ["run4", "run5"]),
        (case, "y", "z", ["run4", "run5"]),
        (number, "x", "y", ["run8", "run9"]),
        (number, "x", "z", ["run10", "run11"]),
        (number, "y", "z", ["run10", "run11"]),
    ]
    chosen = names(study_pairs(runs(*rows), ["representation"], [("z", "x")]))
    assert [each[1:3] for each in chosen] == [("z", "x")] * 2


def test_other_columns_are_equal_and_shown_where_they_vary():
    rows = [
        {"representation": name, "probe": probe, "settings": {"size": size}}
        for probe in ("mlp", "linear")
        for size in (50, 100)
        for name in ("x", "y")
    ]
    pairs = study_pairs(runs(*rows[:-1]), ["representation"])
    assert [pair.setting for pair in pairs] == [
        {"task": "Case", "language": "finnish", "probe": probe, "size": size}
        for probe, size in (("mlp", 50), ("mlp", 100), ("linear", 50))
    ]
    by_size = study_pairs(runs(*rows), ["size"])
    assert [
        (p.setting["probe"], p.setting["representation"], p.a.name, p.b.name) for p in by_size
    ] == [
        ("mlp", "x", "50", "100"),
        ("mlp", "y", "50", "100"),
        ("linear", "x", "50", "100"),
        ("linear", "y", "50", "100"),
    ]


def test_layers_of_one_representation_against_another():
    rows = [{"representation": "x"}, *({"representation": "y", "layer": n} for n in (1, 2))]
    assert study_pairs(runs(*rows), ["representation"]) == []
    pairs = study_pairs(runs(*rows), ["representation", "layer"])
    assert [(pair.a.name, pair.b.name) for pair in pairs] == [
        ("x", "y 1"),
        ("x", "y 2"),
        ("y 1", "y 2"),
    ]


def test_grids_are_no_difference():
    rows = [
        {"representation": "x", "grid": "static"},
        {"representation": "y", "grid": "contextual"},
    ]
    (pair,) = study_pairs(runs(*rows), ["representation"])
    assert pair.setting == {"task": "Case", "language": "finnish"}


def test_what_a_search_chose_is_no_difference():
    rows = [
        {"representation": name, "search": "accuracy", "settings": {"size": size}}
        for name, size in (("x", 50), ("y", 200))
    ]
    assert len(study_pairs(runs(*rows), ["representation"])) == 1
    assert len(study_pairs(runs(*rows), ["size"])) == 0


def test_two_runs_of_one_seed():
    rows = [{"representation": "x", "grid": "one"}, {"representation": "x", "grid": "two"}]
    with pytest.raises(
        ValueError, match="representation x have the seed 1, run0 and run1: --by or"
    ):
        study_pairs(runs(*rows), ["representation"])


def test_names():
    columns = {"representation": "x", "layer": 3, "encoder": None, "settings": {"size": 50}}
    assert side_name(columns, ["representation", "layer", "size"]) == "x 3 50"
    assert side_name(columns, ["encoder"]) == "–"
