import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linspector_allennlp.analysis.selectivity import (
    can_be_learned,
    control_ceiling,
    selectivity,
)
from linspector_allennlp.run_folders.scored_items import score_predictions


def metrics(accuracy, **more):
    return {
        "test_accuracy": accuracy,
        "test_accuracy_low": accuracy - 0.1,
        "test_accuracy_high": accuracy + 0.1,
        "baseline_majority": 0.3,
        "baseline_form": 0.7,
        "overlap_test": 0.75,
        "num_labels": 4,
        "best_validation_accuracy": 0.6,
        **more,
    }


def items(right, gold="X", lines=None, per_sentence=2):
    """The scored items of predictions, of which those are right; two of a sentence by default."""
    lines = lines or range(1, len(right) + 1)
    predictions = [
        {
            "line": line,
            "sentence": number // per_sentence,
            "word": f"w{line}",
            "gold": gold,
            "label": gold if is_right else "other",
        }
        for number, (line, is_right) in enumerate(zip(lines, right))
    ]
    return score_predictions(predictions, "x", "label", "sentence")


TASK = [True, True, True, True, True, False, True, True]
CONTROL = [True, False, False, True, False, True, False, False]


def test_a_token_level_task_by_hand():
    task = metrics(7 / 8, overlap_test=0.5)
    control = metrics(3 / 8, overlap_test=0.5, baseline_majority=0.2, baseline_form=0.65)
    apart = {"per_sentence": 1}
    numbers = selectivity(task, control, items(TASK, **apart), items(CONTROL, gold="Y", **apart))
    assert numbers["selectivity"] == pytest.approx(4 / 8)
    # 5 items to 1: 14 of 64 ways of exchanging the two tasks are as one-sided, so 0 is possible.
    assert -1 < numbers["selectivity_low"] <= 0 < 0.5 <= numbers["selectivity_high"] <= 1
    assert numbers["selectivity_low"] < numbers["selectivity_high"]
    assert (numbers["task_accuracy"], numbers["control_accuracy"]) == (7 / 8, 3 / 8)
    assert numbers["task_accuracy_low"] == pytest.approx(0.775)
    assert numbers["task_accuracy_high"] == pytest.approx(0.975)
    assert numbers["control_accuracy_low"] == pytest.approx(0.275)
    assert numbers["control_accuracy_high"] == pytest.approx(0.475)
    assert numbers["control_ceiling"] == 0.65, "of the control task, not of the task"
    assert numbers["control_majority"] == 0.2
    assert numbers["type_overlap"] == 0.5
    assert numbers["control_can_be_learned"] is True and numbers["memorisation"] is None


def test_a_type_level_task_has_no_selectivity():
    """No test form is in training: what the control scores there is chance by construction."""
    task = metrics(7 / 8, overlap_test=0.0)
    control = metrics(3 / 8, overlap_test=0.0, best_validation_accuracy=0.93)
    numbers = selectivity(task, control, items(TASK), items(CONTROL))
    assert numbers["selectivity"] is None and "selectivity_low" not in numbers
    assert numbers["memorisation"] == 0.93
    assert numbers["control_can_be_learned"] is False
    assert numbers["control_accuracy"] == 3 / 8


def test_edges():
    """A word type that training has not seen does one of three things."""
    edges = metrics(0.5)
    assert control_ceiling({**edges, "overlap_test": 0.7}, 3) == pytest.approx(0.7 + 0.3 / 3)
    assert control_ceiling({**edges, "overlap_test": 1.0}, 3) == 1
    assert control_ceiling({**edges, "overlap_test": 0.0}, 3) == pytest.approx(1 / 3)
    numbers = selectivity(edges, edges, items(TASK, gold=3), items(CONTROL, gold=1), behaviours=3)
    assert numbers["control_ceiling"] == pytest.approx(0.75 + 0.25 / 3)


def test_labels_have_the_ceiling_of_one_who_knows_training_by_heart():
    assert control_ceiling(metrics(0.5, baseline_form=0.81), None) == 0.81


def test_what_can_be_learned():
    assert can_be_learned({"overlap_test": 0.1}) and not can_be_learned({"overlap_test": 0.0})
    # Of the released Turkish Pseudo, 2 % of the test forms are in training: nothing to be learned from.
    assert not can_be_learned({"overlap_test": 0.021})


def test_the_control_may_be_ahead():
    numbers = selectivity(metrics(3 / 8), metrics(7 / 8), items(CONTROL), items(TASK))
    assert numbers["selectivity"] == pytest.approx(-4 / 8)


def test_sentences_count_as_a_whole():
    """If all items are of two sentences, of which one is all right and one all wrong, all is possible."""
    task, control = [True] * 8 + [False] * 8, [False] * 16
    together = selectivity(
        metrics(0.5), metrics(0.0), items(task, per_sentence=8), items(control, per_sentence=8)
    )
    assert (together["selectivity_low"], together["selectivity_high"]) == (-1, 1)
    apart = selectivity(
        metrics(0.5), metrics(0.0), items(task, per_sentence=1), items(control, per_sentence=1)
    )
    assert 0 < apart["selectivity_low"] < apart["selectivity_high"] < 1


def test_the_same_numbers_each_time():
    arguments = metrics(7 / 8), metrics(3 / 8), items(TASK), items(CONTROL)
    assert selectivity(*arguments) == selectivity(*arguments)


def test_other_items_are_refused():
    with pytest.raises(ValueError, match="not scored on the same items"):
        selectivity(metrics(1), metrics(1), items(TASK), items(CONTROL[:-1]))
    other = items(CONTROL, lines=[1, 2, 3, 4, 5, 6, 7, 9])
    with pytest.raises(ValueError, match="not scored on the same items"):
        selectivity(metrics(1), metrics(1), items(TASK), other)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=30))
def test_it_is_the_difference_of_the_accuracies(answers):
    task, control = zip(*answers)
    found = selectivity(
        metrics(float(np.mean(task))), metrics(float(np.mean(control))), items(task), items(control)
    )
    assert found["selectivity"] == pytest.approx(np.mean(task) - np.mean(control))
    assert found["selectivity_low"] <= found["selectivity"] + 1e-9
    assert found["selectivity_high"] >= found["selectivity"] - 1e-9
