"""What a search chooses, by hand."""

import pytest

from linspector_allennlp.analysis.chosen_settings import ChosenSettings, lower_is_better
from linspector_allennlp.run_folders.found_runs import study_runs
from tests.run_folders.made_runs import accuracy, made_study


def chosen(folder, runs):
    found = list(study_runs(made_study(folder, runs), pytest.fail))
    choice = ChosenSettings(found)
    return [choice.has(each) for each in found], choice.notes


def tried(rank, seed, value, control=False, search="accuracy", more=(), **others):
    columns = {"settings": {"rank": rank}, "seed": seed, "control": control, "search": search}
    metrics = accuracy(0.0, value, overlap_test=0.8)
    metrics["metrics"].update(more)
    return {**columns, **others}, metrics


def test_the_best_mean_over_seeds(tmp_path):
    # Means .7 and .75; the best single run is of the first.
    runs = [tried(r, s, v) for r, s, v in ((1, 0, 0.9), (1, 1, 0.5), (2, 0, 0.75), (2, 1, 0.75))]
    assert chosen(tmp_path, [*runs, tried(1, 0, 0.1, search=None)]) == (
        [False, False, True, True, True],
        [],
    )


def test_each_search_chooses_for_itself(tmp_path):
    runs = [
        tried(1, 0, 0.5), tried(2, 0, 0.6), tried(1, 0, 0.9, layer=2), tried(2, 0, 0.8, layer=2),
    ]  # fmt: skip
    assert chosen(tmp_path, runs)[0] == [False, True, True, False]


def test_the_first_of_equal_ones(tmp_path):
    """The sums .1 + .2 + .3 and .3 + .2 + .1 are not the same number."""
    values = [(5, (0.1, 0.2, 0.3)), (1, (0.3, 0.2, 0.1)), (3, (0.1, 0.3, 0.2))]
    runs = [tried(rank, seed, v) for rank, of in values for seed, v in enumerate(of)]
    assert chosen(tmp_path, runs)[0] == [True] * 3 + [False] * 6


@pytest.mark.parametrize("search", ["loss", "-loss"])
def test_a_lower_loss_is_better(tmp_path, search):
    runs = [
        tried(rank, 0, 0.5, search=search, more={"best_validation_loss": loss})
        for rank, loss in ((1, 0.4), (2, 0.3), (3, None))
    ]
    assert chosen(tmp_path / "a", runs)[0] == [False, True, False]
    signed = [tried(1, 0, 0.5, search="+accuracy"), tried(2, 0, 0.6, search="+accuracy")]
    assert chosen(tmp_path / "b", signed)[0] == [False, True]
    lower = [name for name in ("loss", "label_bits", "usable_bits", "accuracy", "uuas", "mdl_bits")
             if lower_is_better(name)]  # fmt: skip
    assert lower == ["loss", "label_bits", "mdl_bits"]


# Task .8 and .9, control .3 and .6: selectivity .5 and .3.
PAIRS = [(1, 0.8, False), (1, 0.3, True), (2, 0.9, False), (2, 0.6, True)]


def test_selectivity(tmp_path):
    runs = [tried(rank, 0, value, control, "selectivity") for rank, value, control in PAIRS]
    unpaired = tried(3, 0, 0.99, search="selectivity")
    assert chosen(tmp_path, [*runs, unpaired]) == ([True, True, False, False, False], [])


@pytest.mark.parametrize("why", ["trained on", "other words", "of items"])
def test_a_control_task_that_tells_nothing(tmp_path, why):
    runs = [tried(rank, 0, value, control, "selectivity") for rank, value, control in PAIRS]
    for columns, run in runs:
        if columns["control"] and why == "trained on":
            run["data"] = dict.fromkeys(("train", "validation"), {"path": "train.txt"})
        elif columns["control"] and why == "other words":
            run["metrics"]["overlap_test"] = 0.02
        elif columns["control"]:
            run["control"] = {"seed": 13, "per": "item"}
    flags, notes = chosen(tmp_path, runs)
    assert flags == [False, False, True, True]
    (note,) = notes
    assert "by the validation accuracy alone" in note


def test_nothing_to_choose_by(tmp_path):
    runs = [tried(rank, 0, 0.5, search="uuas") for rank in (1, 2)]
    flags, (note,) = chosen(tmp_path / "a", runs)
    assert flags == [False, False] and "best_validation_uuas" in note
    runs = [tried(rank, 0, 0.5, search="selectivity") for rank in (1, 2)]
    flags, (note,) = chosen(tmp_path / "b", runs)
    assert flags == [False, False] and "and of its control task" in note
