import pytest

from linspector_allennlp.run_folders.run_filter import check_names, fulfils, read_conditions

RUN = {"task": "Case", "layer": 3, "control": False, "encoder": None, "settings": {"rank": 10}}


@pytest.mark.parametrize("text, expected", [
    ("", True), ("task=Case", True), ("task=Case, layer=3", True), ("task=Case,layer=4", False),
    ("task=C*", True), ("task=case", False), ("control=false", True), ("encoder=", True),
    ("rank=10", True), ("rank=1", False), ("layer=?", True),
    ("task=Number|C*", True), ("layer=1|2", False),
])  # fmt: skip
def test_conditions(text, expected):
    assert fulfils(RUN, read_conditions(text)) == expected


def test_a_value_with_brackets_is_itself():
    assert fulfils({"task": "a[1]"}, read_conditions("task=a[1]"))
    assert fulfils({"task": "a|b"}, read_conditions("task=a|b"))


def test_broken_conditions():
    with pytest.raises(ValueError, match="such as task=Case,layer=3, found 'Case'"):
        read_conditions("Case")
    with pytest.raises(
        ValueError, match="no column tsk. Did you mean task.* There are: grid.*rank"
    ):
        check_names(["rank", "tsk"], [RUN])
