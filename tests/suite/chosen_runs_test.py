import pytest
from allennlp.common.checks import ConfigurationError

from linspector_allennlp.suite.chosen_runs import chosen
from linspector_allennlp.suite.planned_run import PlannedRun

RUNS = [
    PlannedRun(
        {"number": [task, layer, control]},
        {"task": task, "layer": layer, "control": control, "settings": {"rank": 10 * (layer or 0)}},
    )
    for task in ("Case", "Number", "Person")
    for layer in (None, 3)
    for control in (False, True)
]


@pytest.mark.parametrize(
    "only, number",
    [
        ("task=Case", 4),
        ("task=Case|Number,layer=3", 4),
        ("task=*er*,control=true", 4),
        ("layer=,control=false", 3),
        ("rank=30", 6),
        ({"task": ["Case", "Person"], "control": False}, 4),
        ({"layer": None}, 6),
        ({}, 12),
    ],
)
def test_by_columns(only, number):
    assert len(chosen(RUNS, only)) == number


def test_they_are_the_right_ones():
    found = chosen(RUNS, "task=Case|Number, layer=3, control=true")
    assert [run.settings["number"] for run in found] == [["Case", 3, True], ["Number", 3, True]]


@pytest.mark.parametrize(
    "only, message",
    [
        ("tasks=Case", "there is no column tasks. Did you mean task?"),
        ("task=Cas", "no run has task=Cas. Did you mean Case\\? There are: Case, Number, Person"),
        ("layer=4", "no run has layer=4.* There are: 3, nothing"),
        ("Case", "expected conditions such as task=Case,layer=3, found 'Case'"),
        ("layer=3,rank=0", "no run has all of 'layer=3,rank=0'"),
    ],
)
def test_what_is_not_there_is_refused(only, message):
    with pytest.raises(ConfigurationError, match=message):
        chosen(RUNS, only)
