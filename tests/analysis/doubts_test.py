"""The sentences are tested with those of `study_findings`; here is what no study gives."""

import pandas

from linspector_allennlp.analysis.doubts import below_baselines, failed_controls, within_chance
from linspector_allennlp.analysis.score_tables import score_table
from tests.analysis.score_tables_test import CASE


def test_no_predictions_of_two():
    (sentence,) = within_chance(pandas.DataFrame())
    assert sentence.endswith("no task has predictions of two representations.")


def test_all_differences_are_clear():
    rows = pandas.DataFrame(
        {"task": ["Case"], "a": "x", "b": "y", "score_a": 0.5, "score_b": 0.9, "better": "y"}
    )
    assert list(within_chance(rows)) == [
        "0 of 1 difference between representations are within chance (randomisation or bootstrap, corrected by "
        "Holm for the pairs of a task).",
        "In 0 of 1 task others may be as good as the best.",
    ]


def test_controls_whose_task_is_missing():
    (sentence,) = failed_controls(CASE.assign(control=True))
    assert sentence == "No control task has its task beside it: there is no selectivity."


def test_losses_are_better_below_their_baselines():
    losses = CASE.assign(
        value=[0.3, 0.35, 0.5, 0.1],
        low=[0.2, 0.2, 0.4, 0.05],
        high=[0.45, 0.38, 0.6, 0.2],
        metric="loss",
    )
    scores = score_table(losses.assign(form=0.2), baseline="best")
    below, unclear, looked_up = below_baselines(scores)
    assert below.startswith("1 of 4 scores is below the best baseline (majority): Case, c")
    assert unclear.startswith("1 more score has it in the interval: Case, a")
    assert looked_up.startswith(
        "3 scores are below what looking words up in the training data gives"
    )
