"""The sentences are tested with those of `study_findings`; here is what no study gives."""

import pandas

from linspector_allennlp.analysis.doubts import failed_controls, within_chance
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
