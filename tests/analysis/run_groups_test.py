"""Means, standard deviations and selectivity, by hand."""

import math

import numpy as np
import pytest

from linspector_allennlp.analysis.run_groups import Spread, group_runs
from linspector_allennlp.metrics.interval import accuracy_interval
from linspector_allennlp.run_folders.found_runs import study_runs
from tests.run_folders.made_runs import accuracy, made_study


def groups(folder, runs, by=None):
    return group_runs(list(study_runs(made_study(folder, runs), pytest.fail)), by)


def test_a_spread():
    # Deviations −2, 0, 2: variance (4 + 0 + 4) / 2.
    assert Spread.of([3, 5, 7]) == (5, 2, 3)
    assert Spread.of([0.5, None]) == (0.5, None, 1) and Spread.of([None]) is None


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308])
def test_a_spread_of_what_has_none(value):
    spread = Spread.of([0.5, value, value])
    assert math.isnan(spread.sd) and not abs(spread.mean) < 1e300 and spread.number == 3
    assert not math.isfinite(Spread.of([math.inf, -math.inf]).mean)


def test_seeds_are_a_group(tmp_path):
    runs = []
    for task, values, reach in (("Case", (0.3, 0.5, 0.7), 0.1), ("Number", (0.6,), 0.2)):
        for seed, value in enumerate(values):
            ends = {"test_accuracy_low": value - 0.1, "test_accuracy_high": value + reach}
            runs.append(({"task": task, "seed": seed}, accuracy(value, **ends)))
    case, number = groups(tmp_path, [runs[3], *runs[:3]])[::-1]
    assert case.columns["task"] == "Case" and case.num_seeds == 3
    assert case.score("test_accuracy") == pytest.approx((0.5, 0.2, 3))
    assert case.interval("test_accuracy") == pytest.approx((0.4, 0.6))
    assert number.score("test_accuracy") == (0.6, None, 1)
    assert number.interval("test_accuracy") == pytest.approx((0.5, 0.8))
    assert case.interval("test_macro_f1") is None and case.selectivity("test_accuracy") is None


def test_seeds_without_an_interval(tmp_path):
    """The others' is around the mean of all, .5; that of .3 alone would be .2 to .5."""
    ends = {"test_accuracy_low": 0.2, "test_accuracy_high": 0.5}
    runs = [({"seed": 0}, accuracy(0.3, **ends)), ({"seed": 1}, accuracy(0.7))]
    (group,) = groups(tmp_path, runs)
    assert group.interval("test_accuracy") == pytest.approx((0.4, 0.7))


def test_an_interval_of_shares_is_one_of_shares(tmp_path):
    ends = {"test_accuracy_low": 0.95, "test_accuracy_high": 0.99}
    runs = [
        ({"seed": 0}, accuracy(1.0)),
        ({"seed": 1}, accuracy(1.0)),
        ({"seed": 2}, accuracy(0.97, **ends)),
    ]
    (group,) = groups(tmp_path, runs)
    assert group.interval("test_accuracy") == pytest.approx((0.97, 1.0))


def test_an_interval_of_the_mean_is_not_too_narrow():
    """Against the interval of the mean itself, whose items are drawn once for all seeds."""
    rng = np.random.default_rng(3)
    for share, seeds in ((0.5, 3), (0.8, 5), (0.95, 2)):
        ease = rng.beta(4 * share, 4 * (1 - share), size=2000)
        correct = rng.random((seeds, 2000)) < ease
        ends = [accuracy_interval(range(2000), each) for each in correct]
        width = np.mean([end["accuracy_high"] - end["accuracy_low"] for end in ends])
        of_mean = correct.mean(axis=0)
        drawn = rng.integers(2000, size=(1000, 2000))
        low, high = np.percentile(of_mean[drawn].mean(axis=1), [2.5, 97.5])
        assert width > high - low


def test_runs_of_one_seed_are_no_sample(tmp_path):
    runs = [({"seed": seed}, accuracy(value)) for seed, value in ((0, 0.2), (0, 0.2), (1, 0.8))]
    assert [len(group.runs) for group in groups(tmp_path, runs)] == [1, 1, 1]


def test_selectivity_is_paired_by_seed(tmp_path):
    def run(seed, value, control):
        return {"seed": seed, "control": control}, accuracy(value, overlap_test=0.9)

    # .9 − .5 and .7 − .2: the mean is .45, the deviations ∓.05.
    of_task, of_control = [(0, 0.9), (1, 0.7)], [(0, 0.5), (1, 0.2), (2, 0.1)]
    runs = [*(run(*each, False) for each in of_task), *(run(*each, True) for each in of_control)]
    (group,) = groups(tmp_path / "a", runs)
    assert group.selectivity("test_accuracy") == pytest.approx((0.45, 0.05 * 2**0.5, 2))
    assert group.control_score("test_accuracy").mean == pytest.approx(0.8 / 3)
    assert group.num_seeds == 2
    # Without a common seed, of the means.
    (group,) = groups(tmp_path / "b", [runs[0], runs[3]])
    assert group.selectivity("test_accuracy") == pytest.approx((0.7, None, 1))
    runs[2][1]["metrics"]["overlap_test"] = 0.0
    (group,) = groups(tmp_path / "c", runs[:3])
    assert group.selectivity("test_accuracy") is None, "it cannot be learned"
    (group,) = groups(tmp_path / "d", runs[2:4])
    assert group.is_control and group.score("test_accuracy").mean == pytest.approx(0.35)


def test_other_groups(tmp_path):
    runs = [
        ({"task": task, "seed": seed, "settings": {"rank": rank}}, accuracy(0.5))
        for task in ("Case", "Number") for seed in (0, 1) for rank in (2, 4)
    ]  # fmt: skip
    by_task = groups(tmp_path / "a", runs, ["task"])
    assert [(g.columns, len(g.runs), g.num_seeds) for g in by_task] == [
        ({"task": "Case"}, 4, 2), ({"task": "Number"}, 4, 2),
    ]  # fmt: skip
    assert not by_task[0].differs_in_seed_only and by_task[0].interval("test_accuracy") is None
    by_rank = groups(tmp_path / "b", runs, ["rank"])
    assert [g.columns for g in by_rank] == [{"rank": 2}, {"rank": 4}]
    assert len(groups(tmp_path / "c", runs)) == 4
