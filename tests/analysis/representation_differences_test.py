import numpy
import pandas
import pytest

from linspector_allennlp.analysis.pair_comparison import Contest, compare_pairs
from linspector_allennlp.analysis.paired_clusters import PairedClusters
from linspector_allennlp.analysis.representation_differences import representation_differences

ITEMS = 200


def study(levels, seeds=3, tasks=("Case",), items=ITEMS):
    """A table and predictions of representations that have so many items right."""
    rng = numpy.random.default_rng(5)
    rows, predictions = [], []
    for task in tasks:
        ease = rng.uniform(-0.3, 0.3, items)
        for name, level in levels.items():
            for seed in range(seeds):
                run = f"{task}-{name}-{seed}"
                correct = rng.uniform(size=items) < level + ease
                rows.append(
                    {
                        "task": task,
                        "language": "finnish",
                        "representation": name,
                        "seed": seed,
                        "run": run,
                        "value": correct.mean(),
                    }
                )
                predictions.append(
                    pandas.DataFrame(
                        {"run": run, "item": range(items), "gold": "x", "correct": correct}
                    )
                )
    return pandas.DataFrame(rows), pandas.concat(predictions, ignore_index=True)


LEVELS = {"low": 0.4, "high": 0.7, "same": 0.7}


@pytest.mark.parametrize("method", ["randomisation", "bootstrap"])
def test_differences(method):
    table, predictions = study(LEVELS)
    found = representation_differences(table, predictions, method=method).set_index(["a", "b"])
    assert len(found) == 3
    assert (
        found.loc[("low", "high"), "better"] == "high"
        and found.loc[("low", "same"), "better"] == "same"
    )
    assert pandas.isna(found.loc[("high", "same"), "better"])
    means = table.groupby("representation")["value"].mean()
    difference = found.loc[("low", "high")]
    assert difference["difference"] == pytest.approx(means["high"] - means["low"])
    assert difference["score_a"] == pytest.approx(means["low"])
    assert (
        difference["holm_low"] <= difference["low"] < difference["difference"] < difference["high"]
    )
    assert (found["holm_p_value"] >= found["p_value"]).all()
    assert difference[["seeds_a", "items", "left_out"]].tolist() == [3, ITEMS, 0]


def test_they_are_those_of_probe_compare():
    table, predictions = study(LEVELS)
    found = representation_differences(table, predictions, num_samples=10_000)
    correct = {name: numpy.stack([predictions.loc[predictions["run"] == run, "correct"] for run in runs])
               for name, runs in table.groupby("representation", sort=False)["run"]}  # fmt: skip
    pairs = [("low", "high"), ("low", "same"), ("high", "same")]
    contests = [
        Contest(PairedClusters.of_items(correct[a], correct[b], range(ITEMS)), True)
        for a, b in pairs
    ]
    for ours, theirs in zip(found.to_dict("records"), compare_pairs(contests, 10_000, 13)):
        for column in (
            "difference",
            "low",
            "high",
            "p_value",
            "holm_p_value",
            "holm_low",
            "holm_high",
        ):
            assert ours[column] == pytest.approx(getattr(theirs, column)), column


def test_each_task_is_corrected_alone():
    one = representation_differences(*study(LEVELS))
    two = representation_differences(*study(LEVELS, tasks=("Case", "Number")))
    assert two[two["task"] == "Case"]["holm_p_value"].tolist() == one["holm_p_value"].tolist()


def test_one_seed_one_representation_and_missing_predictions():
    table, predictions = study(LEVELS, seeds=1)
    assert representation_differences(table, predictions)["seeds_b"].tolist() == [1, 1, 1]
    left = predictions[predictions["run"] != "Case-low-0"]
    assert representation_differences(table, left)[["a", "b"]].values.tolist() == [["high", "same"]]
    assert representation_differences(table[:1], predictions).empty
    with pytest.raises(ValueError, match="there is no run"):
        representation_differences(table.drop(columns="run"), predictions)
    with pytest.raises(ValueError, match="finnish, Case: high has two runs with the seed 0"):
        representation_differences(table.replace({"representation": {"same": "high"}}), predictions)
    with pytest.raises(ValueError, match="Expected one of randomisation, bootstrap, found t"):
        representation_differences(table, predictions, method="t")
