import math

import pandas
import pytest

from linspector_allennlp.analysis.study_findings import study_findings
from linspector_allennlp.run_folders.data_frames import scores_frame
from tests.analysis.representation_differences_test import LEVELS, representation_differences, study
from tests.analysis.score_tables_test import CASE, table


def sentences(found, topic):
    return found.loc[found["topic"] == topic, "sentence"].tolist()


def test_a_study():
    scores, predictions = study(LEVELS, tasks=("Case", "Number"))
    differences = representation_differences(scores, predictions)
    found = study_findings(scores.assign(majority=0.5), differences)
    (best,) = sentences(found, "best")
    assert best.startswith("finnish: the best of 2 tasks: ")
    chance, clear = sentences(found, "chance")
    assert chance.startswith("2 of 6 differences between representations are within chance")
    assert clear.startswith("In 2 of 2 tasks others may be as good as the best: Case (")
    below = sentences(found, "baselines")[0]
    assert below.startswith("2 of 6 scores are below the best baseline (majority): Case, low (")
    (seeds,) = sentences(found, "seeds")
    assert seeds.startswith("The standard deviation over seeds is ")


def test_comparisons_are_no_tasks():
    """The same task with two probes is two comparisons of one task."""
    scores, predictions = study(LEVELS)
    differences = representation_differences(scores, predictions)
    both = pandas.concat([differences.assign(probe=probe) for probe in ("linear", "mlp")])
    clear = sentences(study_findings(scores.assign(majority=0.5), both), "chance")[1]
    assert clear.startswith("In 2 of 2 comparisons (1 task) others may be as good as the best: ")


def test_what_is_not_there_is_said():
    found = study_findings(CASE, missing={"run 1": "failed", "run 2": "failed", "run 3": "not run"})
    assert sentences(found, "missing") == [
        "2 runs are not here (failed): run 1; run 2.",
        "1 run is not here (not run): run 3.",
        "1 run has no number as a score, and no part in a mean: Case, d.",
    ]
    best = sentences(found, "best")
    assert best == [
        "finnish: the best of 1 task: b in 1 (Case).",
        "finnish: there is no score in Case (d).",
    ]
    assert sentences(study_findings(CASE, missing=dict.fromkeys("abcdef", "not run")), "missing")[
        0
    ] == ("6 runs are not here (not run).")
    assert sentences(found, "chance") == ["Differences were not tested: small ones may be chance."]
    assert sentences(found, "controls") == [
        "There are no control tasks: how much probes have learned by heart is not known."
    ]
    (unknown,) = sentences(found, "seeds")
    assert unknown.startswith("The table does not say of how many seeds a score is")
    assert sentences(study_findings(CASE.assign(seed=1)), "seeds") == [
        "3 of 4 scores are of one seed: what another one would give is not known."
    ]


def test_a_representation_is_missing_in_one_task():
    rows = pandas.concat([CASE, table(("Number", "a", 0.9), ("Number", "b", 0.8))])
    assert "finnish: there is no score in Case (d); Number (c, d)." in sentences(
        study_findings(rows), "best"
    )


def test_baselines():
    found = sentences(
        study_findings(CASE.assign(suffix=0.65, form=0.95, low=CASE["value"] - 0.3)), "baselines"
    )
    assert found == [
        "2 of 3 scores are below the best baseline (majority, suffix): Case, a (60.0, baseline 65.0); Case, c "
        "(60.0, baseline 65.0).",
        "1 more score has it in the interval: Case, b.",
        "3 scores are below what looking words up in the training data gives: Case, a; Case, b; Case, c.",
    ]
    many = pandas.concat([CASE.assign(task=task) for task in ("Case", "Number")])
    found = sentences(study_findings(many.assign(suffix=0.95)), "baselines")
    assert found == [
        "6 of 6 scores are below the best baseline (majority, suffix): Case (3); Number (3).",
        "The farthest below is Case, a (60.0, baseline 95.0).",
    ]
    none = study_findings(CASE.drop(columns="majority"))
    assert sentences(none, "baselines") == ["No baselines are known: a score alone says little."]


def test_where_nothing_is_looked_up():
    """No test word is in training: the look-up is the majority, or the overlap is known to be none."""
    of_majority = CASE.assign(form=0.95, majority=0.95)
    assert "looking" not in " ".join(sentences(study_findings(of_majority), "baselines"))
    runs = CASE.assign(form=0.95, run=list("abcd"), metric="accuracy", is_main=True, split="test")
    overlap = runs.assign(metric="overlap", is_main=False, value=[0, 0, 0.9, 0.9])
    found = sentences(study_findings(pandas.concat([runs, overlap])), "baselines")
    assert (
        found[-1] == "1 score is below what looking words up in the training data gives: Case, c."
    )


def test_places_are_told_apart_by_what_they_need():
    """A classifier that belongs to the task is no place of its own; shares of the data are."""
    rows = [("Case", "a", 0.9), ("Case", "b", 0.8), ("Odd", "a", 0.7), ("Odd", "b", 0.9)]
    whole = table(*rows).assign(train_share=1.0, probe=["mlp", "mlp", "paired", "paired"])
    assert sentences(study_findings(whole), "best") == [
        "finnish: the best of 2 tasks: a in 1 (Case); b in 1 (Odd)."
    ]
    both = pandas.concat([whole, whole.assign(train_share=0.5)])
    assert sentences(study_findings(both), "best") == [
        "finnish: the best of 2 tasks: a in 1 (Case); b in 1 (Odd).",
        "finnish, 50 % of the training data: the best of 2 tasks: a in 1 (Case); b in 1 (Odd).",
    ]


def test_controls():
    control = CASE.assign(control=True, value=[0.2, 0.95, 0.3, 0.3], run=list("efgh"))
    both = pandas.concat([CASE.assign(control=False, run=list("abcd")), control])
    both = both.assign(metric="accuracy", split="test", is_main=True)
    overlap = both.assign(metric="overlap", is_main=False, value=[0.8] * 6 + [0.01] * 2)
    found = sentences(study_findings(pandas.concat([both, overlap])), "controls")
    assert found == [
        "2 control tasks cannot be learned, because hardly any test word is in the training data; there is no "
        "selectivity: Case, c; Case, d.",
        "Selectivity is -5.0 to 40.0 points in 2 settings, the most that of Case, a.",
        "1 score is no better than that of random labels: Case, b.",
    ]


def test_a_study_of_which_nothing_is_there():
    found = study_findings(scores_frame([]), missing={"run 1": "failed"})
    assert sentences(found, "missing") == ["1 run is not here (failed): run 1."]
    assert sentences(found, "best") == ["There is no score."]


def test_one_representation_and_no_number():
    one = study_findings(CASE[:1])
    assert sentences(one, "best") == ["There is one representation: nothing is compared."]
    all_bad = study_findings(CASE.assign(value=math.nan))
    assert sentences(all_bad, "missing") == [
        "4 runs have no number as a score, and no part in a mean: Case, a; Case, b; Case, c; Case, d."
    ]
    assert sentences(all_bad, "baselines") == ["No baselines are known: a score alone says little."]
    with pytest.raises(ValueError, match="there is no value"):
        study_findings(CASE.drop(columns="value"))
