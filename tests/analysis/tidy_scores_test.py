import math

import pandas
import pytest

from linspector_allennlp.analysis.score_differences import score_differences
from linspector_allennlp.analysis.score_tables import score_table
from linspector_allennlp.analysis.tidy_scores import (
    chosen_scores,
    key_columns,
    name_systems,
    need_columns,
    seed_means,
)
from linspector_allennlp.run_folders.data_frames import scores_frame

RUN = {
    "task": "Case",
    "representation": "bpe",
    "split": "test",
    "metric": "accuracy",
    "is_main": True,
}


def run(value, **changes):
    return {**RUN, "chosen": True, "control": False, "seed": 1, "value": value, **changes}


def test_the_rows_that_count():
    rows = [
        run(0.5),
        run(0.1, control=True),
        run(0.2, chosen=False),
        run(0.3, split="validation"),
        run(0.4, metric="macro_f1", is_main=False),
    ]
    for table in (scores_frame(rows), pandas.DataFrame(rows)):
        assert chosen_scores(table)["value"].tolist() == [0.5]
        assert chosen_scores(table, control=True)["value"].tolist() == [0.1]
        assert chosen_scores(table, "macro_f1")["value"].tolist() == [0.4]
        assert chosen_scores(table, split="validation")["value"].tolist() == [0.3]


def test_somebody_elses_table():
    table = pandas.DataFrame({"task": ["Case", "Number"], "value": [0.5, 0.6]})
    assert len(chosen_scores(table)) == 2
    # Each task has one metric, and a study's rows say which is the main one.
    mixed = pandas.concat([table.assign(metric=["f1", "las"]), pandas.DataFrame([run(0.7)])])
    assert chosen_scores(mixed)["value"].tolist() == [0.5, 0.6, 0.7]
    assert chosen_scores(mixed, ["f1", "accuracy"])["value"].tolist() == [0.5, 0.7]
    with pytest.raises(
        ValueError, match="Case: expected one metric, or a column is_main, found f1, acc"
    ):
        chosen_scores(pandas.concat([table.assign(metric=name) for name in ("f1", "acc")]))
    with pytest.raises(ValueError, match="the columns task, value; there is no task. Found: value"):
        chosen_scores(table[["value"]])
    with pytest.raises(ValueError, match="Found: nothing"):
        need_columns(pandas.DataFrame(), "task")
    with pytest.raises(ValueError, match="Unable to parse string"):
        chosen_scores(table.assign(value=["0.5", "n/a"]))


def test_an_infinite_score_is_none():
    found = seed_means(chosen_scores(scores_frame([run(math.inf), run(0.5, seed=2)])))
    assert found["value"].tolist() == [0.5] and found["without_score"].tolist() == [1]


def test_means_over_seeds():
    ends = [{"low": 0.4, "high": 0.6}, {"low": 0.5, "high": 0.7}, {"low": 0.6, "high": 0.8}]
    rows = [run(0.5 + 0.1 * i, seed=i, majority=0.3, **ends[i]) for i in range(3)]
    rows += [run(math.nan, seed=3, majority=0.3), run(0.9, layer=2)]
    first, second = seed_means(scores_frame(rows)).to_dict("records")
    assert first["value"] == pytest.approx(0.6) and first["sd"] == pytest.approx(0.1)
    assert (first["seeds"], first["without_score"]) == (3, 1)
    assert (first["low"], first["high"]) == pytest.approx((0.5, 0.7))
    assert first["majority"] == pytest.approx(0.3)
    assert second["layer"] == 2 and math.isnan(second["sd"]) and second["seeds"] == 1


def test_no_scores_at_all():
    assert seed_means(scores_frame([])).empty
    none = seed_means(scores_frame([run(math.nan)]))
    assert none["seeds"].tolist() == [0] and none["value"].isna().all()


def test_a_score_twice_is_no_sample():
    with pytest.raises(
        ValueError, match="same setting and seed .*representation bpe.*seed 1.*a column is missing"
    ):
        seed_means(scores_frame([run(0.5), run(0.6)]))
    sizes = pandas.DataFrame([run(0.5, size=10), run(0.6, size=20)])
    assert seed_means(sizes, ["size"])["size"].tolist() == [10, 20]


def test_names_of_systems():
    rows = [run(0.5), run(0.5, layer=3), run(0.5, representation="w2v", encoder="sif")]
    for table in (scores_frame(rows), pandas.DataFrame(rows)):  # in which layers are 3.0
        assert name_systems(table).tolist() == ["bpe", "bpe, layer 3", "w2v, sif"]


def test_key_columns():
    means = seed_means(scores_frame([run(0.5), run(0.6, layer=1)])).assign(rank=[2, 4])
    assert key_columns(means) == ["task", "representation", "layer", "metric", "rank"]
    assert key_columns(means, "layer") == ["task", "representation", "metric", "rank"]


def test_seeds_without_an_interval():
    """Those of the others are around the mean of all; a seed without a score has no part in either."""
    rows = [run(0.3, low=0.2, high=0.5), run(0.7, seed=2), run(None, low=0.0, high=0.1, seed=3)]
    means = seed_means(chosen_scores(scores_frame(rows)))
    assert means[["low", "value", "high"]].iloc[0].tolist() == pytest.approx([0.4, 0.5, 0.7])
    alone = seed_means(chosen_scores(scores_frame(rows[:1])))
    assert alone[["low", "high"]].iloc[0].tolist() == pytest.approx([0.2, 0.5])
    assert seed_means(chosen_scores(scores_frame(rows[1:2]))).get("low") is None


def test_an_interval_of_shares_is_one_of_shares():
    rows = [run(1.0), run(1.0, seed=2), run(0.97, low=0.95, high=0.99, seed=3)]
    (means,) = seed_means(chosen_scores(scores_frame(rows))).to_dict("records")
    assert (means["low"], means["high"]) == pytest.approx((0.97, 1.0))
    percent = [
        {**row, **{n: 100 * row[n] for n in ("value", "low", "high") if n in row}} for row in rows
    ]
    (means,) = seed_means(chosen_scores(scores_frame(percent))).to_dict("records")
    assert (means["low"], means["high"]) == pytest.approx((97, 101))


def test_settings_that_were_chosen_are_no_difference():
    rows = [
        run(value, representation=name, search="accuracy", settings=settings, chosen=chosen)
        for name, settings, value, chosen in [
            ("bpe", '{"dropout": 0.1}', 0.6, True),
            ("bpe", '{"dropout": 0.5}', 0.5, False),
            ("w2v", '{"dropout": 0.5}', 0.8, True),
        ]
    ]
    table = pandas.DataFrame([*rows, run(0.4, representation="random", settings='{"rank": 2}')])
    scores = chosen_scores(table)
    assert "search" not in scores and scores["settings"].fillna("").tolist() == [
        "",
        "",
        '{"rank": 2}',
    ]
    assert score_table(table[:3])["place"].tolist() == [2, 1]
    assert score_differences(seed_means(scores[:2]))["difference"].tolist() == [pytest.approx(0.2)]
    # Without `chosen`, nothing else tells what was tried apart.
    tried = chosen_scores(table.drop(columns="chosen"))
    assert len(seed_means(tried)) == 4 and tried["settings"].nunique() == 3


def test_the_same_scores_in_another_order_are_a_tie():
    """0.1 + 0.2 + 0.3 is 0.6000000000000001, and 0.3 + 0.2 + 0.1 is 0.6."""
    rows = [
        run(value, representation=name, seed=seed)
        for name, values in (("bpe", (0.1, 0.2, 0.3)), ("w2v", (0.3, 0.2, 0.1)))
        for seed, value in enumerate(values)
    ]
    table = pandas.DataFrame(rows)
    assert score_table(table)["place"].tolist() == [1, 1]
    (difference,) = score_differences(seed_means(table))["difference"]
    assert difference == 0
    plain = pandas.DataFrame([run(0.1 + 0.2), run(0.3, representation="w2v")])
    assert score_differences(plain)["difference"].tolist() == [0]
